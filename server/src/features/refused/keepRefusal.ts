import type { Issue } from '@orderbeacon/sdk/contract';
import type { Listener } from '../../core/listener.js';
import { fieldOf } from '../../core/orders/receive/issues.js';
import { readReportBody } from '../../core/orders/receive/postOrder.js';
import { namedTeam } from '../../core/orders/receive/refusals.js';
import type { RefusedRequest } from '../../core/orders/refusedRequest.js';
import { orderDiffers } from '../../core/orders/store/answer.js';
import { claimedHost, type SenderCache } from '../../core/teams/senders.js';
import type { Exchange } from '../../http/exchange.js';
import { ApiError } from '../../values/errors.js';
import type { RefusedKeeper } from './keepRefused.js';

/** Codes of the refusals of pages that are kept, because a person can fix them. `keptOfKeys` has those of reports with an API key. */
const keptOfPages: readonly string[] = [
  'domain_not_allowed',
  'invalid_request',
  'order_conflict',
  'invalid_signature',
  'signature_required',
];
const keptOfKeys: readonly string[] = ['invalid_request', 'order_conflict'];

/**
 * Creates the function that keeps a refused report if its team exists. If that fails, it answers `unavailable`, so that
 * the sender tries again.
 */
export function createKeepRefusal(
  senderCache: SenderCache,
  keep: RefusedKeeper['keep'],
): NonNullable<Listener['onRequestRefused']> {
  return async function keepRefusal(exchange, error) {
    if (!isKept(exchange, error)) return;
    // A page without a valid host is refused before its body is read and its team is looked up.
    const isUnread = error.code === 'domain_not_allowed' && exchange.sent === null;
    if (isUnread) await readReportBody(exchange).catch(() => {});
    const { sender } = exchange;
    if (exchange.sent === null) return;
    const teamId = namedTeam(exchange);
    if (teamId === null) return;
    // A page of a domain that is not allowed has had its team looked up, and so has an API key.
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
  };
}

function isKept({ incoming, sender }: Exchange, { code, isOfErased }: ApiError): boolean {
  if (isOfErased) return false;
  if (incoming.headers.authorization === undefined) return keptOfPages.includes(code);
  return sender !== null && keptOfKeys.includes(code);
}

/**
 * Returns a report whose money differs from the known order that answers it; null if it has no body. A person has to
 * decide which amount is right.
 */
export function differingReport(exchange: Exchange, issue: Issue): RefusedRequest | null {
  const { sent } = exchange;
  if (sent === null) return null;
  const error = { code: orderDiffers, issues: [issue] };
  return { error, field: fieldOf(error.issues), ...sent, ...originOf(exchange) };
}

/** Returns the sender of a report: the API key's hash, or the page's host. */
function originOf({ sender, incoming }: Exchange) {
  const { origin, referer, 'idempotency-key': key } = incoming.headers;
  if (sender?.keyHash)
    return { host: '', keyHash: sender.keyHash, idempotencyKey: (key as string | undefined) ?? null };
  return { host: claimedHost(origin, referer) ?? '', keyHash: null, idempotencyKey: null };
}
