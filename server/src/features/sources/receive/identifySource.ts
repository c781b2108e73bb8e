import type { Services } from '../../../host/services.js';
import type { Exchange } from '../../../http/exchange.js';
import { ApiError } from '../../../values/errors.js';
import { sourceKeyHash } from '../source.js';
import { findSource, type KnownSource } from '../sql/source.js';

/**
 * Identifies the source of a request by the token in its path.
 * @throws ApiError `not_found` for an unknown or removed source, `rate_limited`, `unavailable`
 */
export type IdentifySource = (exchange: Exchange, token: string) => Promise<KnownSource>;

/**
 * Creates the look-up of sources. The team of a token is found like that of an API key, so guessed tokens share the
 * limits of guessed keys. The source is read for each event, because its secret may have changed.
 */
export function createIdentifySource({
  inTurn,
  senderCache,
  limitRate,
}: Pick<Services, 'inTurn' | 'senderCache' | 'limitRate'>): IdentifySource {
  const { knownTeamOf, teamOf, forgetKey } = senderCache;

  return async function identifySource(exchange, token) {
    const keyHash = sourceKeyHash(token, 'live');
    let teamId = knownTeamOf(keyHash) ?? null;
    if (teamId === null) {
      limitRate(exchange, 'keys'); // 429
      teamId = await teamOf(keyHash);
    }
    const source = teamId && (await inTurn(teamId, (sql) => findSource(sql, teamId, token)));
    if (!source) {
      forgetKey(keyHash);
      throw new ApiError('not_found');
    }
    exchange.sender = { keyHash, teamId: source.teamId, host: null };
    return source;
  };
}
