import type { Sql } from '../../database/connection/connect.js';
import type { TeamRow } from './findTeam.js';

/** Writes a team's name and storefront URL. */
export async function updateTeam(sql: Sql, team: TeamRow): Promise<void> {
  await sql`/* updateTeam */
    update team set name = ${team.name}, storefront_url = ${team.storefrontUrl} where id = ${team.id}`;
}
