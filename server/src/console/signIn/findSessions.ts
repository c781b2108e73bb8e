import type { IncomingMessage } from 'node:http';
import { createGroupCommit, type QueueBounds } from '../../database/batch/groupCommit.js';
import type { CountRequest } from '../../http/countRequest.js';
import type { SenderCache } from '../../teams/senderCache.js';
import {
  type ConsoleSessionKey,
  type ConsoleSessionRow,
  findConsoleSessions,
} from '../../teams/sql/consoleSession.js';
import { createBoundedMap } from '../../values/boundedMap.js';
import { type Ask, ofStrangers } from '../ask.js';

/** A session for each token of a cookie, in their order; null where there is none, or none any more. */
type FoundSessions = (ConsoleSessionRow | null)[];

/**
 * Finds the sessions of a cookie's tokens, of which there is at least one. Asks the database each time, in one statement: a
 * revoked session ends immediately, on every server.
 * @throws ApiError `rate_limited`, `unavailable`
 */
export type FindSessions = (
  tokens: readonly ConsoleSessionKey[],
  incoming: IncomingMessage,
) => Promise<FoundSessions>;

/** Sessions that this server has seen; some 150 bytes each. */
const sessionsCached = 10_000;
/**
 * One statement at a time, so that made-up cookies leave a connection to the console's pages. A cookie has up to eight
 * tokens, so that a statement looks up 256 at most.
 */
const boundsOfStrangers = { batchRows: 32, statementsInFlight: 1, rowsWaitingOfGroup: 1_000 };

/** Dependencies of the look-up of sessions. */
interface FindSessionsDeps {
  ask: Ask;
  queue: QueueBounds;
  countRequest: CountRequest;
  senderCache: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>;
}

/**
 * Separates the sessions that exist from what anybody can make up. A cookie with a session that this server has seen is
 * looked up among the console's pages. Any other cookie counts to the limit of its address as a made-up key does. Its teams
 * must exist, and it waits with others for a statement that looks up 32 of them.
 */
export function createFindSessions({
  ask,
  queue,
  countRequest,
  senderCache,
}: FindSessionsDeps): FindSessions {
  const seen = createBoundedMap<true>(sessionsCached);
  const find = async (cookies: (readonly ConsoleSessionKey[])[]): Promise<FoundSessions[]> => {
    const keys = cookies.flat().map(({ teamId, hash }) => ({ teamId, hash }));
    const rows = await ask(ofStrangers, (sql) => findConsoleSessions(sql, keys));
    const found = new Map(rows.map((row) => [row.teamId + row.hash, row]));
    return cookies.map((tokens) => tokens.map(({ teamId, hash }) => found.get(teamId + hash) ?? null));
  };
  const strangers = createGroupCommit((_team, cookies: (readonly ConsoleSessionKey[])[]) => find(cookies), {
    ...queue,
    ...boundsOfStrangers,
  });

  async function findStrangers(
    tokens: readonly ConsoleSessionKey[],
    incoming: IncomingMessage,
  ): Promise<FoundSessions> {
    countRequest({ incoming, headers: {} }, 'keys'); // 429
    const areTeams = await Promise.all(
      tokens.map(({ teamId }) => senderCache.isKnownTeam(teamId) || senderCache.isTeam(teamId)),
    );
    const asked = tokens.filter((_, at) => areTeams[at]);
    const found = asked.length === 0 ? [] : await strangers.submit(asked[0]!.teamId, asked);
    return tokens.map((token) => found[asked.indexOf(token)] ?? null);
  }

  return async function findSessions(tokens, incoming) {
    const isSeen = tokens.some(({ hash }) => seen.get(hash));
    const sessions = isSeen ? (await find([tokens]))[0]! : await findStrangers(tokens, incoming);
    for (const [at, { hash }] of tokens.entries()) {
      if (sessions[at]) seen.set(hash, true);
      else seen.delete(hash);
    }
    return sessions;
  };
}
