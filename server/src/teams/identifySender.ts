import type { CountRequest } from '../http/countRequest.js';
import type { Exchange, KeySender, Sender } from '../http/exchange.js';
import { ApiError } from '../values/errors.js';
import { checkOrigin } from './checkOrigin.js';
import { readKeyHash } from './readKeyHash.js';
import type { SenderCache } from './senderCache.js';

/** Identifies senders; each promise puts the sender into its exchange too. */
export interface IdentifySender {
  /**
   * Identifies the holder of a key or, without a key, the page.
   * @throws ApiError `invalid_api_key`, `origin_required`, `domain_not_allowed` (no valid host), `rate_limited`
   */
  identifySender(exchange: Exchange): Promise<Sender>;
  /**
   * Identifies the holder of a key.
   * @throws ApiError `missing_api_key`, `invalid_api_key`, `rate_limited`
   */
  requireKey(exchange: Exchange): Promise<KeySender>;
}

/**
 * Makes the one place where the three endpoints learn who sends. A key never changes its team, so the team is remembered
 * and saves a statement per request. A key can be revoked at any time, so each endpoint's own statement checks that it
 * is still live. Senders that anybody can make up, which are pages and unknown keys, count to the limit of their address.
 */
export function createIdentifySender(
  { knownTeamOf, teamOf }: Pick<SenderCache, 'knownTeamOf' | 'teamOf'>,
  countRequest: CountRequest,
): IdentifySender {
  async function identifyKey(exchange: Exchange, keyHash: string): Promise<KeySender> {
    let teamId = knownTeamOf(keyHash) ?? null;
    if (teamId === null) {
      countRequest(exchange, 'keys'); // 429
      teamId = await teamOf(keyHash);
    }
    if (teamId === null) throw new ApiError('invalid_api_key');
    const sender: KeySender = { keyHash, teamId, host: null };
    exchange.sender = sender;
    return sender;
  }

  return {
    async identifySender(exchange) {
      const { authorization, origin, referer } = exchange.incoming.headers;
      const keyHash = readKeyHash(authorization); // 401
      if (keyHash !== null) return identifyKey(exchange, keyHash);
      countRequest(exchange, 'orders'); // 429
      const sender: Sender = { keyHash: null, teamId: null, host: checkOrigin(origin, referer) }; // 403
      exchange.sender = sender;
      return sender;
    },
    async requireKey(exchange) {
      const keyHash = readKeyHash(exchange.incoming.headers.authorization); // 401
      if (keyHash === null) throw new ApiError('missing_api_key');
      return identifyKey(exchange, keyHash);
    },
  };
}
