import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** A row of `team`. */
export interface TeamRow {
  id: Uuid;
  name: string;
  storefrontUrl: string;
}

/**
 * Finds a team.
 * @param options.lock keeps others from changing the team or importing products until the transaction ends
 */
export async function findTeam(sql: Sql, id: Uuid, { lock = false } = {}): Promise<TeamRow | undefined> {
  const rows = await sql<TeamRow[]>`/* findTeam */
    select id, name, storefront_url as "storefrontUrl" from team where id = ${id} ${lock ? sql`for no key update` : sql``}`;
  return rows[0];
}
