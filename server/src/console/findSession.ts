import type { IncomingMessage } from 'node:http';
import { createGroupCommit } from '../database/batch/groupCommit.js';
import { groupCommitBounds } from '../database/batch/groupCommitBounds.js';
import type { CountRequest } from '../http/countRequest.js';
import type { ReadToken } from '../teams/accessTokens.js';
import type { SenderCache } from '../teams/senderCache.js';
import { type ConsoleSessionRow, findConsoleSessions } from '../teams/sql/consoleSession.js';
import { createBoundedMap } from '../values/boundedMap.js';
import type { Ask } from './ask.js';

/**
 * Finds the session of a cookie's token; null when there is none, or none any more. Asks the database each time: a revoked
 * session ends immediately, on every server.
 * @throws ApiError `rate_limited`, `unavailable`
 */
export type FindSession = (token: ReadToken, incoming: IncomingMessage) => Promise<ConsoleSessionRow | null>;

/** Sessions that this server has seen; some 150 bytes each. */
const sessionsCached = 10_000;
/** One statement at a time, so that made-up cookies leave a connection to the console's pages. */
const bounds = { ...groupCommitBounds, statementsInFlight: 1, rowsWaitingOfGroup: 1_000 };

/** Dependencies of the look-up of sessions. */
interface FindSessionDeps {
  ask: Ask;
  countRequest: CountRequest;
  senderCache: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>;
}

/**
 * Separates the sessions that exist from what anybody can make up. A session that this server has seen is looked up among
 * the console's pages. Any other cookie counts to the limit of its address as a made-up key does. Its team must exist, and
 * it waits with others for a statement that looks up 256 of them.
 */
export function createFindSession({ ask, countRequest, senderCache }: FindSessionDeps): FindSession {
  const seen = createBoundedMap<true>(sessionsCached);
  const find = async (teamId: string, hashes: string[]) => {
    const rows = await ask((sql) => findConsoleSessions(sql, teamId, hashes));
    const found = new Map(rows.map((row) => [row.hash, row]));
    return hashes.map((hash) => found.get(hash) ?? null);
  };
  const strangers = createGroupCommit(find, bounds);

  async function findStranger({ teamId, hash }: ReadToken, incoming: IncomingMessage) {
    countRequest({ incoming, headers: {} }, 'keys'); // 429
    const isTeam = senderCache.isKnownTeam(teamId) || (await senderCache.isTeam(teamId));
    return isTeam ? strangers.submit(teamId, hash) : null;
  }

  return async function findSession(token, incoming) {
    const { teamId, hash } = token;
    const session = seen.get(hash) ? (await find(teamId, [hash]))[0]! : await findStranger(token, incoming);
    if (session) seen.set(hash, true);
    else seen.delete(hash);
    return session;
  };
}
