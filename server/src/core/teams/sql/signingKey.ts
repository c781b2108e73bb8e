import type { Sql } from '../../../database/connection/connect.js';
import { pairRows } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';

/** A key with which the pages of a team sign their orders. */
export interface SigningKey {
  /** Stored as it is, because a signature cannot be checked with a hash. */
  secret: string;
  /** Set if it signs only test orders; otherwise it signs only live orders. */
  isTest: boolean;
}

/** Most live signing keys of one team. Each one is tried with each signature. */
export const signingKeysAtMost = 5;

/** Finds a team's live signing keys, the newest first. The result is one row, so that a lost row cannot hide some of the keys. */
export async function findSigningKeys(sql: Sql, teamId: Uuid): Promise<SigningKey[]> {
  const rows = await sql<{ teamId: Uuid; keys: SigningKey[] | null }[]>`/* findSigningKeys */
    select ${teamId}::uuid as "teamId", (
      select json_agg(key) from (
        select secret, is_test as "isTest" from signing_key
        where team_id = ${teamId} and revoked_at is null
        order by created_at desc, id desc
        limit ${signingKeysAtMost}
      ) key
    ) as keys`;
  const [found] = pairRows([teamId], rows, (row) => row.teamId);
  return found!.keys ?? [];
}

export interface ListedSigningKey {
  id: Uuid;
  name: string | null;
  isTest: boolean;
  lastFour: string;
  createdAt: Date;
  revokedAt: Date | null;
}

/** Lists a team's signing keys, the oldest first, including revoked ones. */
export function listSigningKeys(sql: Sql, teamId: Uuid) {
  return sql<ListedSigningKey[]>`/* listSigningKeys */
    select id, name, is_test as "isTest", right(secret, 4) as "lastFour", created_at as "createdAt",
      revoked_at as "revokedAt"
    from signing_key where team_id = ${teamId} order by created_at, id`;
}

export async function createSigningKey(
  sql: Sql,
  key: { id: Uuid; teamId: Uuid; secret: string; name: string | null; isTest: boolean },
): Promise<void> {
  await sql`/* createSigningKey */
    insert into signing_key (team_id, id, secret, name, is_test)
    values (${key.teamId}, ${key.id}, ${key.secret}, ${key.name}, ${key.isTest})`;
}

/**
 * Revokes a team's signing key. Revoking it again keeps the first time.
 * @returns false if the team has no such key
 */
export async function revokeSigningKey(sql: Sql, teamId: Uuid, id: Uuid): Promise<boolean> {
  const { count } = await sql`/* revokeSigningKey */
    update signing_key set revoked_at = coalesce(revoked_at, ${new Date()})
    where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}
