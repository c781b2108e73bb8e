import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Removes a domain entry and resolves with it; undefined when the team has no such entry. */
export async function removeDomain(sql: Sql, teamId: Uuid, entry: string) {
  const rows = await sql<{ domain: string; isTest: boolean }[]>`/* removeDomain */
    delete from domain where team_id = ${teamId} and entry = ${entry}
    returning entry as domain, is_test as "isTest"`;
  return rows[0];
}
