import type { Exchange } from '../../../http/exchange.js';
import { toRefusal } from '../../../http/refuse.js';
import { ApiError } from '../../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../../values/ids.js';
import type { Listeners } from '../../listener.js';
import { claimedHost, type SenderCache } from '../../teams/senders.js';
import { withoutOwnNames } from './issues.js';

/** Handles a refusal before it is answered. Resolves with the refusal to answer; never rejects. */
export type OnRefused = (exchange: Exchange, refusal: ApiError) => Promise<ApiError>;

/** Codes of refusals that occur before the statement that checks the API key. */
const beforeKeyCheck: readonly string[] = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'team_mismatch',
];

/**
 * Creates the step that every refusal of the API passes:
 * 1. A dead API key is refused before any error in the body.
 * 2. Listeners keep refused reports.
 * 3. A dead API key is removed from the cache.
 * 4. The log line gets the team, a page's host and the invalid fields.
 */
export function createOnRefused(senderCache: SenderCache, listeners: Listeners): OnRefused {
  return async function onRefused(exchange, thrown) {
    const { sender } = exchange;
    const refusal = await refuseDeadKey(exchange, thrown)
      .then(() => Promise.all(listeners.map((each) => each.onRequestRefused?.(exchange, thrown))))
      .then(() => thrown, toRefusal);
    if (refusal.code === 'invalid_api_key' && sender?.keyHash) senderCache.forgetKey(sender.keyHash);
    describe(exchange, refusal);
    return refusal;
  };

  async function refuseDeadKey({ sender }: Exchange, { code }: ApiError): Promise<void> {
    if (!sender?.keyHash || !beforeKeyCheck.includes(code)) return;
    if ((await senderCache.teamOf(sender.keyHash)) === null) throw new ApiError('invalid_api_key');
  }

  /** Describes the refusal in the log line. A made-up team can be any text, also an email, so only an existing team is logged. */
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

/**
 * Finds the team of a request. It is the team of the API key, or the one that the report names, which need not exist; null if the
 * report names no team.
 */
export function namedTeam({ sender, sent }: Exchange): Uuid | null {
  if (sender?.keyHash) return sender.teamId;
  const named = (sent?.value as { teamId?: unknown } | null | undefined)?.teamId;
  return typeof named === 'string' ? decodeId('team', named) : null;
}
