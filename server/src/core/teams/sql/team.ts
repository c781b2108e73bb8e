import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

export interface TeamRow {
  id: Uuid;
  name: string;
  /** The shop's time zone, an IANA name such as `Europe/Berlin`. */
  zone: string;
  storefrontUrl: string;
  /** The shop's currency, such as `EUR`, for printed and read amounts; null if nobody has chosen one. */
  currency: string | null;
  /** Set if unsigned reports of pages are refused. */
  requiresSignature: boolean;
}

const columns = (sql: Sql) =>
  sql`id, name, zone, storefront_url as "storefrontUrl", currency, requires_signature as "requiresSignature"`;

/**
 * Finds a team.
 * @param options.lock set to keep others from changing the team or importing products until the transaction ends
 */
export async function findTeam(sql: Sql, id: Uuid, { lock = false } = {}): Promise<TeamRow | undefined> {
  const rows = await sql<TeamRow[]>`/* findTeam */
    select ${columns(sql)} from team where id = ${id} ${lock ? sql`for no key update` : sql``}`;
  return rows[0];
}

/** Finds the ids that are teams: one row for each id, with null for an unknown one. */
export function findTeams(sql: Sql, ids: Uuid[]) {
  return sql<{ id: Uuid; teamId: Uuid | null }[]>`/* findTeams */
    select value as id, (select id from team where id = value::uuid) as "teamId"
    from json_array_elements_text(${JSON.stringify(ids)}::text::json)`;
}

/** Lists every team, the oldest first. */
export function listTeams(sql: Sql) {
  return sql<TeamRow[]>`/* listTeams */
    select ${columns(sql)} from team order by created_at, id`;
}

export async function createTeam(
  sql: Sql,
  team: { id: Uuid; name: string; zone?: string; storefrontUrl: string; isDemo?: boolean },
): Promise<void> {
  await sql`/* createTeam */
    insert into team (id, name, zone, storefront_url, is_demo)
    values (${team.id}, ${team.name}, ${team.zone ?? 'UTC'}, ${team.storefrontUrl}, ${team.isDemo ?? false})`;
}

/**
 * Writes a team. Also writes to its domains if they require a signature.
 * @param tx a transaction that has locked the team, so that a domain that is added concurrently waits
 */
export async function updateTeam(tx: Sql, team: TeamRow): Promise<void> {
  const { id, name, zone, storefrontUrl, currency, requiresSignature } = team;
  await tx`/* updateTeam */
    update team set name = ${name}, zone = ${zone}, storefront_url = ${storefrontUrl}, currency = ${currency},
      requires_signature = ${requiresSignature}
    where id = ${id}`;
  await tx`/* updateTeam: domains */
    update domain set requires_signature = ${requiresSignature}
    where team_id = ${id} and requires_signature <> ${requiresSignature}`;
}

/** @returns true for a time zone that both Node and the database know */
export async function isZone(sql: Sql, zone: string): Promise<boolean> {
  if (!isZoneOfNode(zone)) return false;
  try {
    await sql`/* isZone */ select now() at time zone ${zone}`;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === '22023') return false;
    throw error;
  }
}

/**
 * Checks a time zone with Node. Refuses offsets such as `+02:00`, which Node accepts, because PostgreSQL reads their sign the other
 * way round.
 */
function isZoneOfNode(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return /^[A-Za-z]/.test(timeZone);
  } catch {
    return false;
  }
}

/** Finds the team that examples use; undefined if the database has none. */
export async function findDemoTeam(sql: Sql): Promise<{ id: Uuid } | undefined> {
  const rows = await sql<{ id: Uuid }[]>`/* findDemoTeam */
    select id from team where is_demo order by created_at limit 1`;
  return rows[0];
}
