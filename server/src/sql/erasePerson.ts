import type { Sql } from '../database/connect.js';
import type { Uuid } from '../ids.js';

/**
 * Erases a person, inside a transaction: subscriptions go, orders keep their money but lose name and
 * visitor and belong to a new person without email or name, and the person's own row goes. Resolves with
 * how many orders and subscriptions that were.
 * @param tombstoneId the id of the person who stands for the erased one; it says nothing of the email
 */
export async function erasePerson(sql: Sql, teamId: Uuid, personId: Uuid, tombstoneId: Uuid) {
  // An order that is being stored for the person comes before this, or waits and makes the person anew.
  await sql`/* erasePerson */ select from person where team_id = ${teamId} and id = ${personId} for update`;
  await sql`/* erasePerson */ insert into person (team_id, id) values (${teamId}, ${tombstoneId})`;
  const orders = await sql`/* erasePerson */
    update placed_order set person_id = ${tombstoneId}, name = null, visitor_id = null
    where team_id = ${teamId} and person_id = ${personId}`;
  const subscriptions = await sql`/* erasePerson */
    delete from subscription where team_id = ${teamId} and person_id = ${personId}`;
  await sql`/* erasePerson */ delete from person where team_id = ${teamId} and id = ${personId}`;
  if (orders.count === 0)
    await sql`/* erasePerson */ delete from person where team_id = ${teamId} and id = ${tombstoneId}`;
  return { orders: orders.count, subscriptions: subscriptions.count };
}
