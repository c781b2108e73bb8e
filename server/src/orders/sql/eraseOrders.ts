import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Orders of one transaction: reports that repeat one of them wait until it ends, which took 20 ms. */
const batchRows = 500;

/**
 * Takes a person out of some of their orders, inside a transaction: these keep their money but lose name and visitor,
 * and belong to a person without email or name. Resolves with how many those were. One that is being changed is left
 * for the next call, and the person's own row is not locked: reports of the same person go on meanwhile.
 * @param tombstoneId the id of the person who stands for the erased one; it says nothing of the email
 */
export async function eraseOrders(tx: Sql, teamId: Uuid, personId: Uuid, tombstoneId: Uuid): Promise<number> {
  const orders = await tx<{ id: Uuid }[]>`/* lockOrders */
    select id from placed_order where team_id = ${teamId} and person_id = ${personId}
    limit ${batchRows} for update skip locked`;
  if (orders.length === 0) return 0;
  await tx`/* addTombstone */
    insert into person (team_id, id) values (${teamId}, ${tombstoneId}) on conflict do nothing`;
  const erased = await tx`/* eraseOrders */
    update placed_order set person_id = ${tombstoneId}, name = null, visitor_id = null, page_fields = null
    where team_id = ${teamId} and id in ${tx(orders.map(({ id }) => id))}`;
  return erased.count;
}
