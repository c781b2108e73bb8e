import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/** Orders of one statement: reports that repeat one of them wait until it ends, which took 20 ms. */
const batchRows = 500;

/**
 * Takes a person out of some of their orders: these keep their money but lose name and visitor, and belong to a
 * person without email or name. Resolves with how many those were. One that is being changed is left for the next
 * call, and the person's own row is not locked: reports of the same person go on meanwhile.
 * @param tombstoneId the id of the person who stands for the erased one; it says nothing of the email
 */
export async function eraseOrders(
  sql: Sql,
  teamId: Uuid,
  personId: Uuid,
  tombstoneId: Uuid,
): Promise<number> {
  const erased = await sql`/* eraseOrders */
    with batch as (
      select id from placed_order where team_id = ${teamId} and person_id = ${personId}
      limit ${batchRows} for update skip locked
    ), tombstone as (
      insert into person (team_id, id) select ${teamId}, ${tombstoneId} from batch limit 1
      on conflict do nothing
    )
    update placed_order set person_id = ${tombstoneId}, name = null, visitor_id = null, page_fields = null
    from batch where placed_order.team_id = ${teamId} and placed_order.id = batch.id`;
  return erased.count;
}
