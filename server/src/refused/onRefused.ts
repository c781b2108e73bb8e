import type { Exchange } from '../http/exchange.js';
import { toRefusal } from '../http/refuse.js';
import { claimedHost } from '../teams/checkOrigin.js';
import type { SenderCache } from '../teams/senderCache.js';
import { ApiError } from '../values/errors.js';
import { encodeId } from '../values/ids.js';
import { withoutOwnNames } from './fieldNames.js';
import { createKeepRefusal, namedTeam } from './keepRefusal.js';
import type { RefusedKeeper } from './keepRefused.js';

/** Handles a refusal before it is answered. Resolves with the refusal that is answered; never rejects. */
export type OnRefused = (exchange: Exchange, refusal: ApiError) => Promise<ApiError>;

/** Refusals from before the statement that checks the key. */
const beforeKeyCheck: readonly string[] = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'team_mismatch',
];

/**
 * Makes the one hook that every refusal of the API passes:
 * 1. A dead key is refused before anything that is wrong with the body.
 * 2. A refused report of a team that exists is kept.
 * 3. A key that was found dead is forgotten, so that it is as unknown as any other.
 * 4. The log line gets the team, a page's host and the invalid fields.
 */
export function createOnRefused(senderCache: SenderCache, keep: RefusedKeeper['keep']): OnRefused {
  const keepRefusal = createKeepRefusal(senderCache, keep);

  return async function onRefused(exchange, thrown) {
    const { sender } = exchange;
    const refusal = await refuseDeadKey(exchange, thrown)
      .then(() => keepRefusal(exchange, thrown))
      .then(() => thrown, toRefusal);
    if (refusal.code === 'invalid_api_key' && sender?.keyHash) senderCache.forgetKey(sender.keyHash);
    describe(exchange, refusal);
    return refusal;
  };

  async function refuseDeadKey({ sender }: Exchange, { code }: ApiError): Promise<void> {
    if (!sender?.keyHash || !beforeKeyCheck.includes(code)) return;
    if ((await senderCache.teamOf(sender.keyHash)) === null) throw new ApiError('invalid_api_key');
  }

  /** A team that a caller has made up can be any text, an email too: only one that exists is in the log. */
  function describe(exchange: Exchange, { status, issues }: ApiError): void {
    const { sender, facts, incoming } = exchange;
    const teamId = namedTeam(exchange);
    const isThere = teamId !== null && (sender?.keyHash || senderCache.isKnownTeam(teamId));
    facts.team = isThere ? encodeId('team', teamId) : undefined;
    if (status >= 500) return;
    facts.fields = issues && [...new Set(issues.map(({ path }) => withoutOwnNames(path)))];
    const { authorization, origin, referer } = incoming.headers;
    if (authorization !== undefined) return;
    facts.host = claimedHost(origin, referer);
  }
}
