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
  await tx`/* removeWaitingOf */
    delete from statement where team_id = ${teamId} and person_id = ${personId} and placed_order_id is null`;
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
