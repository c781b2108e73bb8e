import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Creates a team. */
export async function createTeam(
  sql: Sql,
  team: { id: Uuid; name: string; storefrontUrl: string; isDemo?: boolean },
): Promise<void> {
  await sql`/* createTeam */
    insert into team (id, name, storefront_url, is_demo)
    values (${team.id}, ${team.name}, ${team.storefrontUrl}, ${team.isDemo ?? false})`;
}
