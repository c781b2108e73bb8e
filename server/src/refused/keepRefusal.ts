import type { Exchange } from '../http/exchange.js';
import { readReportBody } from '../orders/readReportBody.js';
import { claimedHost } from '../teams/checkOrigin.js';
import type { SenderCache } from '../teams/senderCache.js';
import { ApiError } from '../values/errors.js';
import { decodeId, type Uuid } from '../values/ids.js';
import { decodePart } from '../values/text.js';
import { parseCutJson } from './cutJson.js';
import type { RefusedRequest } from './describeRefused.js';
import { fieldOf } from './fieldNames.js';
import type { RefusedKeeper } from './keepRefused.js';

/** Refusals that a person can fix, of pages and of backends. */
const keptOfPages: readonly string[] = [
  'domain_not_allowed',
  'invalid_request',
  'order_conflict',
  'invalid_signature',
  'signature_required',
  'payload_too_large',
];
const keptOfKeys: readonly string[] = ['invalid_request', 'payload_too_large'];

/**
 * Makes the step that keeps a refused report of a team that exists, and lets every other refusal pass.
 * @throws ApiError `unavailable` when the report could not be kept: the sender then tries again, and nothing is lost
 */
export function createKeepRefusal(
  { isKnownTeam, isTeam }: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>,
  keep: RefusedKeeper['keep'],
): (exchange: Exchange, error: ApiError) => Promise<void> {
  return async function keepRefusal(exchange, error) {
    if (!isKept(exchange, error)) return;
    // A page that names no valid host was refused before its body was read and before its team was looked up.
    const isUnread = error.code === 'domain_not_allowed' && exchange.sent === null;
    if (isUnread) await readReportBody(exchange).catch(() => {});
    if (exchange.sent === null) return;
    const isCut = 'part' in exchange.sent;
    if ('part' in exchange.sent) exchange.sent = readPart(exchange.sent.part);
    const { text, value } = exchange.sent;
    const teamId = namedTeam(exchange);
    if (teamId === null) return;
    // A page whose domain the team does not allow has had its team looked up, and so has a key.
    const mayAsk = isUnread || error.code !== 'domain_not_allowed';
    try {
      const isThere = exchange.sender?.keyHash || isKnownTeam(teamId) || (mayAsk && (await isTeam(teamId)));
      if (!isThere) return;
      await keep(teamId, { error, text, value, isCut, ...senderOf(exchange), field: fieldOf(error.issues) });
    } catch (cause) {
      const { Connection } = error.headers;
      throw new ApiError('unavailable', {
        cause,
        headers: Connection ? { Connection } : {},
      });
    }
  };
}

function isKept({ incoming, sender }: Exchange, { code, isOfErased }: ApiError): boolean {
  if (isOfErased) return false;
  if (incoming.headers.authorization === undefined) return keptOfPages.includes(code);
  return sender !== null && keptOfKeys.includes(code);
}

/** Reads what can be read of a report that is too long. */
function readPart(part: Buffer): { text: string; value: unknown } {
  // PostgreSQL takes no NUL.
  const text = decodePart(part).replaceAll('\0', '');
  return { text, value: parseCutJson(text) };
}

/** Team of a request: that of its key, or the one that the report names, which need not exist; null for none. */
export function namedTeam({ sender, sent }: Exchange): Uuid | null {
  if (sender?.keyHash) return sender.teamId;
  const value = sent !== null && 'value' in sent ? sent.value : null;
  const named = (value as { teamId?: unknown } | null | undefined)?.teamId;
  return typeof named === 'string' ? decodeId('team', named) : null;
}

function senderOf({
  incoming,
  sender,
}: Exchange): Pick<RefusedRequest, 'host' | 'keyHash' | 'idempotencyKey'> {
  const { origin, referer, 'idempotency-key': idempotencyKey } = incoming.headers;
  if (sender?.keyHash) {
    return { host: '', keyHash: sender.keyHash, idempotencyKey: (idempotencyKey as string) ?? null };
  }
  return { host: claimedHost(origin, referer) ?? '', keyHash: null, idempotencyKey: null };
}
