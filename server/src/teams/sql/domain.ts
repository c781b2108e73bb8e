import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists a team's allowed domain entries. */
export function listDomains(sql: Sql, teamId: Uuid) {
  return sql<{ domain: string; isTest: boolean }[]>`/* listDomains */
    select entry as domain, is_test as "isTest" from domain where team_id = ${teamId} order by entry`;
}

/** Allows a normalised domain entry for a team. Adding it again replaces `isTest`. */
export async function addDomain(
  sql: Sql,
  teamId: Uuid,
  domain: { entry: string; isTest: boolean },
): Promise<void> {
  await sql`/* addDomain */
    insert into domain (team_id, entry, is_test) values (${teamId}, ${domain.entry}, ${domain.isTest})
    on conflict (team_id, entry) do update set is_test = excluded.is_test`;
}

/** Removes a domain entry and resolves with it; undefined when the team has no such entry. */
export async function removeDomain(sql: Sql, teamId: Uuid, entry: string) {
  const rows = await sql<{ domain: string; isTest: boolean }[]>`/* removeDomain */
    delete from domain where team_id = ${teamId} and entry = ${entry}
    returning entry as domain, is_test as "isTest"`;
  return rows[0];
}
