import type { Sql } from '../../../database/connection/connect.js';
import { pairRows } from '../../../database/pairRows.js';
import { anyOf } from '../../../database/parameters.js';
import type { KeySender } from '../../../http/exchange.js';
import { ApiError } from '../../../values/errors.js';
import { nilUuid, type Uuid } from '../../../values/ids.js';
import type { KeyMode } from '../keys.js';

/** Finds the teams of keys by their SHA-256 hashes: one row for each hash, with null for an unknown or revoked key. */
export function findKeys(sql: Sql, hashes: string[]) {
  return sql<{ id: string; teamId: Uuid | null }[]>`/* findKeys */
    select value as id, (select team_id from api_key where hash = value and revoked_at is null) as "teamId"
    from json_array_elements_text(${JSON.stringify(hashes)}::text::json)`;
}

/**
 * Reads the mode of an API key. Asks the database each time, because a key can be revoked at any time.
 * @throws ApiError `invalid_api_key` if the key was revoked
 */
export async function requireMode(sql: Sql, { teamId, keyHash }: KeySender): Promise<{ isTest: boolean }> {
  const rows = await sql<{ hash: string; mode: KeyMode | null }[]>`/* requireMode */
    select ${keyHash}::text as hash, (
      select mode from api_key where team_id = ${teamId} and hash = ${keyHash} and revoked_at is null
    ) as mode`;
  const { mode } = pairRows([keyHash], rows, (row) => row.hash)[0]!;
  if (mode === null) throw new ApiError('invalid_api_key');
  return { isTest: mode === 'test' };
}

/** Most revoked keys that a list shows: those that were revoked last. */
const revokedShown = 100;

/** Counts a team's keys that are not revoked. Keys of sources do not count. */
export async function countLiveKeys(sql: Sql, teamId: Uuid): Promise<number> {
  const [row] = await sql<[{ keys: number }]>`/* countLiveKeys */
    select count(*)::int as keys from api_key
    where team_id = ${teamId} and source_id is null and revoked_at is null`;
  return row.keys;
}

/** Lists a team's keys, the oldest first, with the 100 last revoked ones. Keys of sources are not listed. */
export function listKeys(sql: Sql, teamId: Uuid) {
  return sql<
    {
      id: Uuid;
      name: string | null;
      mode: KeyMode;
      lastFour: string;
      createdAt: Date;
      /** Time of the last use, which is up to an hour old, because it is written at most once an hour. */
      lastUsedAt: Date | null;
      revokedAt: Date | null;
    }[]
  >`/* listKeys */
    select id, name, mode, last_four as "lastFour", created_at as "createdAt", last_used_at as "lastUsedAt",
      revoked_at as "revokedAt"
    from api_key
    where team_id = ${teamId} and source_id is null and (revoked_at is null or id in (
      select id from api_key where team_id = ${teamId} and source_id is null and revoked_at is not null
      order by revoked_at desc limit ${revokedShown}
    ))
    order by created_at, id`;
}

/** A new key, without the key itself. */
interface NewKey {
  id: Uuid;
  teamId: Uuid;
  name: string | null;
  mode: KeyMode;
  hash: string;
  lastFour: string;
  /** The source that the API key belongs to; absent for other keys. Lists leave out the keys of sources. */
  sourceId?: Uuid;
}

/** Stores a new key: its hash and last four characters, never the key. */
export async function createKey(sql: Sql, key: NewKey): Promise<void> {
  const { id, teamId, name, mode, hash, lastFour, sourceId } = key;
  const ofSource = sourceId && { source_id: sourceId };
  await sql`/* createKey */
    insert into api_key ${sql({ id, team_id: teamId, name, mode, hash, last_four: lastFour, ...ofSource })}`;
}

/** Revokes the keys of a source. They are kept, because they determine which of the source's refused reports are tests. */
export async function revokeKeysOfSource(sql: Sql, teamId: Uuid, sourceId: Uuid): Promise<void> {
  await sql`/* revokeKeysOfSource */
    update api_key set revoked_at = ${new Date()} where team_id = ${teamId} and source_id = ${sourceId}`;
}

/** Stores a silent key, which belongs to no source; see `requireSilentKey`. Adding it again changes nothing. */
export async function addSilentKey(
  sql: Sql,
  key: { id: Uuid; teamId: Uuid; mode: KeyMode; hash: string },
): Promise<void> {
  await sql`/* addSilentKey */
    insert into api_key (id, team_id, mode, hash, last_four, source_id)
    values (${key.id}, ${key.teamId}, ${key.mode}, ${key.hash}, '', ${nilUuid})
    on conflict (hash) do nothing`;
}

/** Finds the test keys among a team's keys, by their hashes. Revoked keys keep their mode. */
export async function findTestKeys(
  sql: Sql,
  teamId: Uuid,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await sql<{ hash: string }[]>`/* findTestKeys */
    select hash from api_key where team_id = ${teamId} and mode = 'test' and hash = ${anyOf(sql, hashes)}`;
  return new Set(rows.map(({ hash }) => hash));
}

export async function updateLastUse(sql: Sql, keyHash: string, at: Date): Promise<void> {
  await sql`/* updateLastUse */ update api_key set last_used_at = ${at} where hash = ${keyHash}`;
}

/**
 * Revokes a team's key. Revoking it again keeps the first time.
 * @returns false if the team has no such key
 */
export async function revokeKey(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* revokeKey */
    update api_key set revoked_at = coalesce(revoked_at, ${new Date()})
    where team_id = ${teamId} and id = ${id} and source_id is null`;
  return count > 0;
}
