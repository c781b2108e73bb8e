import type { Sql } from '../../database/connection/connect.js';
import { tables } from '../../database/tables.js';
import type { Uuid } from '../../values/ids.js';

/** Numbers of rows that the operator of a team would miss. */
export interface TeamContent {
  liveOrders: number;
  testOrders: number;
  /** People who are not erased. */
  people: number;
}

/** Counts the orders and people of a team. */
export async function countTeamContent(sql: Sql, teamId: Uuid): Promise<TeamContent> {
  const [row] = await sql<[TeamContent]>`/* countTeamContent */
    select
      (select count(*)::int from placed_order where team_id = ${teamId} and not is_test) as "liveOrders",
      (select count(*)::int from placed_order where team_id = ${teamId} and is_test) as "testOrders",
      (select count(*)::int from person where team_id = ${teamId} and email is not null) as people`;
  return row;
}

/** Removes a team's domains and revokes its keys, inside a transaction. After the commit, no report of the team is stored. */
export async function closeTeam(tx: Sql, teamId: Uuid, now: Date): Promise<void> {
  await tx`/* closeTeam: domains */ delete from domain where team_id = ${teamId}`;
  await tx`/* closeTeam: keys */
    update api_key set revoked_at = ${now} where team_id = ${teamId} and revoked_at is null`;
}

/** Locks the team's row. Until this transaction ends, nothing that refers to the team is stored, such as refused reports. */
export async function lockTeam(tx: Sql, teamId: Uuid): Promise<void> {
  await tx`/* lockTeam */ select from team where id = ${teamId} for update`;
}

/** Removes everything that belongs to a team, and the team, inside a transaction. */
export async function removeTeamRows(tx: Sql, teamId: Uuid): Promise<void> {
  // A table comes after those that its foreign keys name, so rows are removed in the opposite order.
  for (const table of tables.toReversed()) {
    if (table === 'installation') continue;
    const column = table === 'team' ? 'id' : 'team_id';
    await tx`/* removeTeamRows */ delete from ${tx(table)} where ${tx(column)} = ${teamId}`;
  }
}
