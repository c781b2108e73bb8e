import type { Sql } from '../../../../database/connection/connect.js';
import { anyOf } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';
import { eraseBuyer, erasedName, withoutPerson } from '../eraseBuyer.js';
import { statedFields } from '../joinVersions.js';
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
  await rewriteStatements(tx, teamId, orderIds, eraseBuyer);
}

/**
 * Removes a person from statements in orders of other buyers, in which a stronger statement names somebody else. Resolves with these
 * orders, which are to be folded again. Call it inside a transaction.
 */
export async function eraseMentions(
  tx: Sql,
  teamId: Uuid,
  personId: Uuid,
): Promise<{ id: Uuid; isTest: boolean }[]> {
  const orders = await tx<{ id: Uuid; isTest: boolean }[]>`/* lockMentioning */
    select id, is_test as "isTest" from placed_order
    where team_id = ${teamId} and person_id <> ${personId} and id = any(array(
      select placed_order_id from statement
      where team_id = ${teamId} and person_id = ${personId} and placed_order_id is not null
    ))
    order by id for update`;
  if (orders.length === 0) return [];
  const orderIds = orders.map(({ id }) => id);
  await tx`/* eraseKeysOf */
    update order_key set person_id = null
    where team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')} and person_id = ${personId}`;
  await rewriteStatements(tx, teamId, orderIds, (said) =>
    statedFields(said).personId === personId ? withoutMention(said, personId) : said,
  );
  return orders;
}

const withoutMention = (said: StatedObject, personId: Uuid): StatedObject => ({
  ...withoutPerson(said),
  buyers: said.buyers.filter((id) => id !== personId),
});

/** Replaces the statements of some orders. One that loses its buyer gets another `object`, which contains no person's id. */
async function rewriteStatements(
  tx: Sql,
  teamId: Uuid,
  orderIds: readonly Uuid[],
  erase: (said: StatedObject) => StatedObject,
): Promise<void> {
  const rows = await tx<Row[]>`/* takeStatements */
    delete from statement where team_id = ${teamId} and placed_order_id = ${anyOf(tx, orderIds, 'uuid')}
    returning said, placed_order_id as "orderId", is_test as "isTest"`;
  if (rows.length === 0) return;
  const erased = rows.map(({ said, orderId, isTest }) => {
    const left = erase(said);
    const object = left === said ? said.object : erasedName(said, orderId);
    return { before: said.object, object, orderId, isTest, said: { ...left, object } };
  });
  const nameIn = (isTest: boolean, object: string | null) => `${isTest} ${object}`;
  const names = new Map(erased.map(({ isTest, before, object }) => [nameIn(isTest, before), object]));
  const written = JSON.stringify(
    erased.map(({ said, ...row }) => ({
      ...row,
      personId: statedFields(said).personId ?? null,
      // A refund stays with the object for which it was accepted.
      said: { ...said, of: names.get(nameIn(row.isTest, said.of)) ?? said.of },
    })),
  );
  await tx`/* writeErased */
    insert into statement (team_id, is_test, object, placed_order_id, person_id, said)
    select ${teamId}, "isTest", object, "orderId", "personId", said
    from json_to_recordset(${written}::text::json) as r (
      "isTest" boolean, object text, "orderId" uuid, "personId" uuid, said json
    )
    on conflict do nothing`;
  await tx`/* renameObjects */
    update order_key set object = r.object
    from json_to_recordset(${written}::text::json) as r (before text, "isTest" boolean, object text)
    where team_id = ${teamId} and is_test = r."isTest" and order_key.object = r.before and r.before <> r.object`;
}
