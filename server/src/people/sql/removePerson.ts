import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/**
 * Removes a person who has no orders, with their subscriptions, inside a transaction; resolves with how many
 * subscriptions those were. Rejects with 23503 when an order or subscription came between, and with 55P03 when
 * another transaction has the person for half a second: while this waits, reports of the person wait behind it.
 */
export async function removePerson(tx: Sql, teamId: Uuid, personId: Uuid): Promise<number> {
  await tx`/* setLockTimeout */ select set_config('lock_timeout', '500ms', true)`;
  const subscriptions = await tx`/* removeSubscriptions */
    delete from subscription where team_id = ${teamId} and person_id = ${personId}`;
  await tx`/* removePerson */ delete from person where team_id = ${teamId} and id = ${personId}`;
  return subscriptions.count;
}
