import type { Sql } from '../../../../database/connection/connect.js';
import { anyOf, asJson } from '../../../../database/parameters.js';
import { encodeId, type Uuid } from '../../../../values/ids.js';
import { statedBySeveral } from '../../defaults.js';
import { fieldNames, fieldsByName, type OrderFields, setFields } from '../../fields.js';
import type { PlannedOrder } from '../plan.js';
import type { LoadedOrder } from './loadNeighbours.js';

/**
 * Inserts a new order that has several statements, inside a transaction. Its buyer must be stored. Rejects with 23505 if the number
 * is taken.
 */
export async function insertOrder(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  { id, orderNumber, buyer, folded, fields, sharesIdWith, host }: PlannedOrder,
): Promise<void> {
  const row = {
    team_id: teamId,
    id,
    order_number: orderNumber,
    person_id: buyer.personId,
    report_id: folded.reportId,
    ...columnsOf(tx, fields),
    said: asJson(tx, statedBySeveral(folded.fields)),
    is_test: isTest,
    reported_by: folded.reportedBy,
    host,
    created_at: folded.createdAt,
    shares_id_with: sharesIdWith,
  };
  await tx`/* insertOrder */ insert into placed_order ${tx(row as never)}`;
}

/** Releases the number and `reportId` of orders, so that others of the same transaction can get them. Their rows are updated after it. */
export async function releaseIds(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx`/* releaseIds */
    update placed_order set shares_id_with = id, report_id = null where team_id = ${teamId} and id = ${anyOf(tx, ids, 'uuid')}`;
}

/** Maps the fields of an order to columns. */
function columnsOf(tx: Sql, fields: OrderFields): Record<string, unknown> {
  return Object.fromEntries(
    fieldNames.map((name) => {
      const { column, type } = fieldsByName[name];
      return [column, type === 'json' ? asJson(tx, fields[name] as object | null) : fields[name]];
    }),
  );
}

/**
 * Updates an order to what follows from its statements, inside a transaction that has locked it. Sets `merged_at`, by which the
 * console finds changes, to the database's time, because the servers' clocks may differ.
 */
export async function updateOrder(
  tx: Sql,
  teamId: Uuid,
  { id, buyer, folded, fields, sharesIdWith, host }: PlannedOrder,
): Promise<void> {
  await tx`/* updateOrder */
    update placed_order set
      person_id = ${buyer.personId}, report_id = ${folded.reportId}, ${setFields(tx, fields)},
      said = ${asJson(tx, statedBySeveral(folded.fields))}, reported_by = ${folded.reportedBy}, created_at = ${folded.createdAt},
      shares_id_with = ${sharesIdWith}, host = ${host}, merged_at = statement_timestamp()
    where team_id = ${teamId} and id = ${id}`;
}

/** Locks orders until the transaction ends, sorted by id. Waits for transactions that change them. */
export async function lockOrders(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`/* lockOrders */
    select from placed_order where team_id = ${teamId} and id = ${anyOf(tx, ids, 'uuid')} order by id for update`;
}

/** Removes an order that is merged into another one. Its id and number find the other order from then on. */
export async function mergeDuplicate(
  tx: Sql,
  teamId: Uuid,
  duplicate: LoadedOrder,
  into: Uuid,
): Promise<void> {
  const { id, orderNumber, isTest } = duplicate;
  await tx`/* moveNames */
    update order_key set placed_order_id = ${into} where team_id = ${teamId} and placed_order_id = ${id}`;
  await tx`/* addAliases */
    insert into order_key (team_id, kind, key, is_test, placed_order_id)
    values
      (${teamId}, 'alias', ${encodeId('ord', id)}, ${isTest}, ${into}),
      (${teamId}, 'alias', ${orderNumber}, ${isTest}, ${into})
    on conflict (team_id, key, is_test, kind, object) do update set placed_order_id = excluded.placed_order_id`;
  await removeOrders(tx, teamId, [id]);
}

/** Removes orders and their refunds, inside a transaction that has locked them. */
export async function removeOrders(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await removeRefunds(tx, teamId, ids);
  await tx`/* removeOrders */ delete from placed_order where team_id = ${teamId} and id = ${anyOf(tx, ids, 'uuid')}`;
}

async function removeRefunds(tx: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx`/* removeRefunds */ delete from refund where team_id = ${teamId} and placed_order_id = ${anyOf(tx, ids, 'uuid')}`;
}

/** Replaces the stored refunds of an order, each with the amount that counts. */
export async function writeRefunds(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  { id, folded, fields }: PlannedOrder,
): Promise<void> {
  const rows = folded.refunds.map(({ object, refundId, amount, counts, currency, reason, createdAt }) => ({
    object,
    refundId,
    amount,
    counts,
    said: currency,
    reason,
    createdAt,
  }));
  await removeRefunds(tx, teamId, [id]);
  if (rows.length === 0) return;
  await tx`/* addRefunds */
    insert into refund (team_id, is_test, placed_order_id, object, refund_id, amount, said_currency, counts, currency, reason, created_at)
    select ${teamId}, ${isTest}, ${id}, object, "refundId", amount, said, counts, ${fields.currency}, reason, "createdAt"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      object text, "refundId" text, amount numeric, said text, counts numeric, reason text, "createdAt" timestamptz
    )
    on conflict do nothing`;
}
