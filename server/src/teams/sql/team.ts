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

/** Finds those of these ids that are teams. */
export function findTeams(sql: Sql, ids: Uuid[]) {
  return sql<{ id: Uuid; teamId: Uuid }[]>`/* findTeams */
    select id, id as "teamId" from team
    where id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)::uuid))`;
}

/** Lists every team, the oldest first. */
export function listTeams(sql: Sql) {
  return sql<TeamRow[]>`/* listTeams */
    select id, name, storefront_url as "storefrontUrl" from team order by created_at, id`;
}

/** Creates a team. */
export async function createTeam(
  sql: Sql,
  team: { id: Uuid; name: string; storefrontUrl: string; isDemo?: boolean },
): Promise<void> {
  await sql`/* createTeam */
    insert into team (id, name, storefront_url, is_demo)
    values (${team.id}, ${team.name}, ${team.storefrontUrl}, ${team.isDemo ?? false})`;
}

/** Writes a team's name and storefront URL. */
export async function updateTeam(sql: Sql, team: TeamRow): Promise<void> {
  await sql`/* updateTeam */
    update team set name = ${team.name}, storefront_url = ${team.storefrontUrl} where id = ${team.id}`;
}
