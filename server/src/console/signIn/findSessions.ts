import type { IncomingMessage } from 'node:http';
import type { HeldToken } from '../../core/teams/consoleAccess.js';
import { type ConsoleSessionRow, findConsoleSessions } from '../../core/teams/sql/consoleSession.js';
import type { InTurn } from '../../database/turns.js';
import type { LimitRate } from '../../http/rateLimit.js';
import { createBoundedMap } from '../../values/boundedMap.js';
import { anonymous } from '../turns.js';

/** A browser's session that has not ended. */
export type LiveSession = HeldToken & Omit<ConsoleSessionRow, 'teamId' | 'hash'>;

/**
 * Finds those of a browser's sessions that have not ended. Asks the database each time, in one statement: a revoked session
 * ends immediately, on every server.
 * @throws ApiError `rate_limited`, `unavailable`
 */
export type FindSessions = (
  held: readonly HeldToken[],
  incoming: IncomingMessage,
) => Promise<readonly LiveSession[]>;

/** Sessions that this server has seen; some 150 bytes each. */
const sessionsCached = 10_000;

/**
 * Creates the look-up of sessions. A browser with a session that this server has seen waits among the statements of its team.
 * Any other, whose cookies anybody can make up, waits among strangers, and counts to the limit of its address as a made-up
 * key does.
 */
export function createFindSessions(inTurn: InTurn, limitRate: LimitRate): FindSessions {
  const seen = createBoundedMap<true>(sessionsCached);

  return async function findSessions(held, incoming) {
    if (held.length === 0) return [];
    const known = held.find(({ hash }) => seen.get(hash));
    if (!known) limitRate({ incoming, headers: {} }, 'keys'); // 429
    const keys = held.map(({ teamId, hash }) => ({ teamId, hash }));
    const rows = await inTurn(known?.teamId ?? anonymous, (sql) => findConsoleSessions(sql, keys));
    const found = new Map(rows.map((row) => [row.hash, row]));
    for (const { hash } of held) {
      if (found.has(hash)) seen.set(hash, true);
      else seen.delete(hash);
    }
    return held.flatMap((token) => {
      const row = found.get(token.hash);
      return row ? [{ ...row, ...token }] : [];
    });
  };
}
