import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Allows a normalised domain entry for a team. Adding it again sets `isTest` anew. */
export async function addDomain(
  sql: Sql,
  teamId: Uuid,
  domain: { entry: string; isTest: boolean },
): Promise<void> {
  await sql`/* addDomain */
    insert into domain (team_id, entry, is_test) values (${teamId}, ${domain.entry}, ${domain.isTest})
    on conflict (team_id, entry) do update set is_test = excluded.is_test`;
}
