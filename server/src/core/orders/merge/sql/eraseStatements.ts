import type { Sql } from '../../../../database/connection/connect.js';
import { anyOf } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';
import { eraseBuyer, erasedName } from '../eraseBuyer.js';
import type { StatedObject } from '../statement.js';

interface Row {
  said: StatedObject;
  orderId: Uuid;
  isTest: boolean;
}

/** Removes statements about a person that wait for their order, with their identifiers. Resolves with their number. */
export async function removeWaitingOf(sql: Sql, teamId: Uuid, personId: Uuid): Promise<number> {
  const removed = await sql`/* removeWaitingOf */
    with waiting as (
      delete from statement where team_id = ${teamId} and person_id = ${personId} and placed_order_id is null
      returning is_test, object
    ), named as (
      delete from order_key using waiting
      where team_id = ${teamId} and order_key.is_test = waiting.is_test and order_key.object = waiting.object
        and placed_order_id is null
    )
    select from waiting`;
  return removed.length;
}

/**
 * Removes a buyer from all statements of some orders. Marks the statements, so that no later statement about a person counts there.
 * Also removes the person's waiting statements. Call it inside the transaction that erases the orders.
 */
export async function eraseStatements(
  tx: Sql,
  teamId: Uuid,
  personId: Uuid,
  orderIds: readonly Uuid[],
): Promise<void> {
  const isOfOrders = tx`team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')}`;
  await removeWaitingOf(tx, teamId, personId);
  await tx`/* eraseKeys */ update order_key set person_id = null where ${isOfOrders}`;
  await tx`/* eraseReasons */ update refund set reason = null where ${isOfOrders}`;
  const rows = await tx<Row[]>`/* takeStatements */
    delete from statement where ${isOfOrders} returning said, placed_order_id as "orderId", is_test as "isTest"`;
  if (rows.length === 0) return;
  const erased = rows.map(({ said, orderId, isTest }) => {
    const object = erasedName(said, orderId);
    return { before: said.object, object, orderId, isTest, said: { ...eraseBuyer(said), object } };
  });
  const written = JSON.stringify(erased);
  await tx`/* writeErased */
    insert into statement (team_id, is_test, object, placed_order_id, said)
    select ${teamId}, "isTest", object, "orderId", said
    from json_to_recordset(${written}::text::json) as r ("isTest" boolean, object text, "orderId" uuid, said json)
    on conflict do nothing`;
  await tx`/* renameObjects */
    update order_key set object = r.object
    from json_to_recordset(${written}::text::json) as r (before text, object text)
    where team_id = ${teamId} and order_key.object = r.before and r.before <> r.object`;
}
