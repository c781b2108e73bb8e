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

/**
 * Removes the statements that name a person and wait for their order, with their identifiers. Resolves with their number. The person
 * may be unknown: somebody whose page was set aside has no order.
 */
export async function removeWaitingOf(sql: Sql, teamId: Uuid, personId: Uuid): Promise<number> {
  const [row] = await sql<[{ removed: number }]>`/* removeWaitingOf */
    with removed as (
      delete from statement where team_id = ${teamId} and person_id = ${personId} and placed_order_id is null
      returning object, is_test
    ), unnamed as (
      delete from order_key using removed
      where order_key.team_id = ${teamId} and order_key.object = removed.object and order_key.is_test = removed.is_test
        and order_key.placed_order_id is null
    )
    select count(*)::int as removed from removed`;
  return row.removed;
}

/**
 * Removes a buyer from all statements of some orders. Marks the statements, so that no later statement about a person counts there.
 * Call it inside the transaction that erases the orders.
 */
export async function eraseStatements(tx: Sql, teamId: Uuid, orderIds: readonly Uuid[]): Promise<void> {
  const isOfOrders = tx`team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')}`;
  await tx`/* eraseKeys */ update order_key set person_id = null where ${isOfOrders}`;
  await tx`/* eraseReasons */ update refund set reason = null where ${isOfOrders}`;
  const rows = await tx<Row[]>`/* takeStatements */
    delete from statement where ${isOfOrders} returning said, placed_order_id as "orderId", is_test as "isTest"`;
  if (rows.length === 0) return;
  const nameIn = (isTest: boolean, object: string | null) => `${isTest} ${object}`;
  const names = new Map(
    rows.map(({ said, orderId, isTest }) => [nameIn(isTest, said.object), erasedName(said, orderId)]),
  );
  const erased = rows.map(({ said, orderId, isTest }) => {
    const object = erasedName(said, orderId);
    // A refund stays with the object for which it was accepted.
    const of = names.get(nameIn(isTest, said.of)) ?? said.of;
    return { before: said.object, object, orderId, isTest, said: { ...eraseBuyer(said), object, of } };
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
