import type { Issue } from '@orderbeacon/sdk/contract';
import { fieldOf, withoutOwnNames } from '../../core/orders/issues.js';
import { orderDiffers } from '../../core/orders/orderAnswer.js';
import { readReportBody } from '../../core/orders/postOrder.js';
import { claimedHost } from '../../core/teams/identifySender.js';
import type { SenderCache } from '../../core/teams/senderCache.js';
import type { Exchange } from '../../http/exchange.js';
import { toRefusal } from '../../http/refuse.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import type { RefusedKeeper } from './keepRefused.js';

/** Handles a refusal before it is answered. Resolves with the refusal that is answered; never rejects. */
export type OnRefused = (exchange: Exchange, refusal: ApiError) => Promise<ApiError>;

/** Refusals that a person can fix, of pages and of backends. */
const keptOfPages: readonly string[] = [
  'domain_not_allowed',
  'invalid_request',
  'order_conflict',
  'invalid_signature',
  'signature_required',
];
const keptOfKeys: readonly string[] = ['invalid_request', 'order_conflict'];

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
 * 2. A refused report of a team that exists is kept. If that fails, the answer is `unavailable`: the sender then tries again.
 * 3. A key that was found dead leaves the cache.
 * 4. The log line gets the team, a page's host and the invalid fields.
 */
export function createOnRefused(senderCache: SenderCache, keep: RefusedKeeper['keep']): OnRefused {
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

  async function keepRefusal(exchange: Exchange, error: ApiError): Promise<void> {
    if (!isKept(exchange, error)) return;
    // A page that names no valid host was refused before its body was read and before its team was looked up.
    const isUnread = error.code === 'domain_not_allowed' && exchange.sent === null;
    if (isUnread) await readReportBody(exchange).catch(() => {});
    const { sender } = exchange;
    if (exchange.sent === null) return;
    const teamId = namedTeam(exchange);
    if (teamId === null) return;
    // A page whose domain the team does not allow has had its team looked up, and so has a key.
    const mayAsk = isUnread || error.code !== 'domain_not_allowed';
    try {
      const isKnown = sender?.keyHash || senderCache.isKnownTeam(teamId);
      if (!isKnown && !(mayAsk && (await senderCache.isTeam(teamId)))) return;
      await keep(teamId, {
        error,
        ...exchange.sent,
        ...originOf(exchange),
        field: fieldOf(error.issues),
        client: exchange.clientOf(exchange.incoming),
      });
    } catch (cause) {
      const { Connection } = error.headers;
      throw new ApiError('unavailable', { cause, headers: Connection ? { Connection } : {} });
    }
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

function isKept({ incoming, sender }: Exchange, { code, isOfErased }: ApiError): boolean {
  if (isOfErased) return false;
  if (incoming.headers.authorization === undefined) return keptOfPages.includes(code);
  return sender !== null && keptOfKeys.includes(code);
}

/** Names the holder of the key, or the page, that sent a report. */
function originOf({ sender, incoming }: Exchange) {
  const { origin, referer, 'idempotency-key': key } = incoming.headers;
  if (sender?.keyHash)
    return { host: '', keyHash: sender.keyHash, idempotencyKey: (key as string | undefined) ?? null };
  return { host: claimedHost(origin, referer) ?? '', keyHash: null, idempotencyKey: null };
}

/** Finds the team of a request: that of its key, or the one that the report names, which need not exist; null for none. */
function namedTeam({ sender, sent }: Exchange): Uuid | null {
  if (sender?.keyHash) return sender.teamId;
  const named = (sent?.value as { teamId?: unknown } | null | undefined)?.teamId;
  return typeof named === 'string' ? decodeId('team', named) : null;
}

/** Handles a report whose money differs from the known order that answers it. Runs in the background and never throws. */
export type OnDiffers = (exchange: Exchange, teamId: Uuid, issue: Issue) => void;

/** Makes the hook that keeps such a report. A person has to decide which amount is right. */
export function createOnDiffers(keepLater: RefusedKeeper['keepLater']): OnDiffers {
  return function onDiffers(exchange, teamId, issue) {
    const { sent } = exchange;
    if (sent === null) return;
    const error = { code: orderDiffers, issues: [issue] };
    keepLater(teamId, { error, field: fieldOf(error.issues), ...sent, ...originOf(exchange) });
  };
}
