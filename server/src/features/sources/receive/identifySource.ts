import { pairRows } from '../../../database/pairRows.js';
import { statementsOf } from '../../../database/pools.js';
import { createGroupCommit } from '../../../database/queue.js';
import type { Services } from '../../../host/services.js';
import type { Exchange } from '../../../http/exchange.js';
import { ApiError } from '../../../values/errors.js';
import { sourceKeyHash } from '../source.js';
import { findSources, type KnownSource } from '../sql/source.js';

/**
 * Identifies the source of a request by the token in its path.
 * @throws ApiError `not_found` for an unknown or removed source, `rate_limited`, `unavailable`
 */
export type IdentifySource = (exchange: Exchange, token: string) => Promise<KnownSource>;

/**
 * Makes the look-up of sources. The team of a token is found as that of an API key is, so made-up tokens share the limits
 * of made-up keys. The source itself is read for each event, because its secret may have been replaced.
 */
export function createIdentifySource(
  services: Pick<Services, 'pools' | 'queue' | 'senderCache' | 'limitRate'>,
): IdentifySource {
  const { pools, limitRate } = services;
  const { knownTeamOf, teamOf, forgetKey } = services.senderCache;
  const queue = createGroupCommit<string, KnownSource | null>(
    async (teamId, tokens) => {
      const rows = pairRows(tokens, await findSources(pools.work, teamId, tokens), (row) => row.token);
      return rows.map((row) => (row.id === null ? null : row));
    },
    { ...services.queue, statementsInFlight: statementsOf.sources },
  );

  return async function identifySource(exchange, token) {
    const keyHash = sourceKeyHash(token, 'live');
    let teamId = knownTeamOf(keyHash) ?? null;
    if (teamId === null) {
      limitRate(exchange, 'keys'); // 429
      teamId = await teamOf(keyHash);
    }
    const source = teamId === null ? null : await queue.submit(teamId, token);
    if (source === null) {
      forgetKey(keyHash);
      throw new ApiError('not_found');
    }
    exchange.sender = { keyHash, teamId: source.teamId, host: null };
    return source;
  };
}
