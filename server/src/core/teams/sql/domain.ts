import type { Sql } from '../../../database/connection/connect.js';
import { inTransaction } from '../../../database/inTransaction.js';
import { ApiError } from '../../../values/errors.js';
import type { Uuid } from '../../../values/ids.js';
import { findTeam } from './team.js';

/** Most domain entries of one team. The limit keeps lists short, and each report's check of its domain fast. */
export const domainsAtMost = 500;

/** Lists a team's allowed domain entries. */
export function listDomains(sql: Sql, teamId: Uuid) {
  return sql<{ domain: string; isTest: boolean }[]>`/* listDomains */
    select entry as domain, is_test as "isTest" from domain where team_id = ${teamId} order by entry`;
}

/** Lists a team's allowed domain entries as a set, for `isAllowed`. */
export async function findEntries(sql: Sql, teamId: Uuid): Promise<ReadonlySet<string>> {
  return new Set((await listDomains(sql, teamId)).map(({ domain }) => domain));
}

/**
 * Allows a normalised domain entry for a team. Adding it again replaces `isTest`. Locks the team, so that the domain requires
 * signatures exactly if the team does.
 * @throws ApiError `invalid_request` if the team has 500 others
 */
export async function addDomain(
  sql: Sql,
  teamId: Uuid,
  { entry, isTest }: { entry: string; isTest: boolean },
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const team = await findTeam(tx, teamId, { lock: true });
    const others = (await listDomains(tx, teamId)).filter(({ domain }) => domain !== entry);
    if (others.length >= domainsAtMost) throw tooMany();
    await tx`/* addDomain */
      insert into domain (team_id, entry, is_test, requires_signature)
      values (${teamId}, ${entry}, ${isTest}, ${team?.requiresSignature ?? false})
      on conflict (team_id, entry) do update set
        is_test = excluded.is_test, requires_signature = excluded.requires_signature`;
  });
}

function tooMany(): ApiError {
  const message = `A team can have ${domainsAtMost} domains. Remove one first, or allow many by one such as *.shop.example.`;
  return new ApiError('invalid_request', { message });
}

/** Removes a domain entry and resolves with it; undefined if the team has no such entry. */
export async function removeDomain(sql: Sql, teamId: Uuid, entry: string) {
  const rows = await sql<{ domain: string; isTest: boolean }[]>`/* removeDomain */
    delete from domain where team_id = ${teamId} and entry = ${entry}
    returning entry as domain, is_test as "isTest"`;
  return rows[0];
}
