import type { DirectAnswer, Endpoint } from '../http/answerDirectly.js';
import type { Exchange } from '../http/exchange.js';
import { readReportBody } from '../orders/readReportBody.js';
import { claimedPage } from '../teams/checkOrigin.js';
import { hostOfUrl } from '../teams/domains.js';
import { findClaimedTeam } from '../teams/findClaimedTeam.js';
import type { SenderCache } from '../teams/senderCache.js';
import { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';
import { parseCutJson } from './cutJson.js';
import type { RefusedRequest } from './describeRefused.js';
import { fieldOf } from './fieldNames.js';
import type { RefusedKeeper } from './keepRefused.js';

/** The refusals that a person can mend, of pages and of backends. */
const keptOfPages: readonly string[] = [
  'domain_not_allowed',
  'invalid_request',
  'order_conflict',
  'payload_too_large',
];
const keptOfKeys: readonly string[] = ['invalid_request', 'payload_too_large'];

/**
 * Goes around the route of order reports and keeps what it refuses, before the refusal is answered. Where that fails the
 * answer is 503: the sender then tries again, and nothing is lost.
 */
export function keepRefusals(
  senderCache: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>,
  keep: RefusedKeeper['keep'],
  route: (exchange: Exchange) => Promise<DirectAnswer>,
): Endpoint['route'] {
  return async function keepRefusals(c) {
    try {
      return await route(c);
    } catch (error) {
      if (isKept(c, error)) await keepOne(c, error);
      throw error;
    }
  };

  async function keepOne(c: Exchange, error: ApiError): Promise<void> {
    // A page that names no host was refused before its body was read.
    const isUnread = error.code === 'domain_not_allowed' && c.get('sent') === undefined;
    if (isUnread) await readReportBody(c).catch(() => {});
    const sent = readSent(c);
    if (!sent) return;
    try {
      // A page that is not allowed has had its team looked up.
      const teamId: Uuid | null = await findClaimedTeam(
        c,
        senderCache,
        isUnread || error.code !== 'domain_not_allowed',
      );
      if (teamId === null) return;
      await keep(teamId, { error, ...sent, ...senderOf(c), field: fieldOf(error.issues) });
    } catch (cause) {
      const { Connection } = error.headers;
      throw new ApiError('unavailable', {
        cause: cause instanceof ApiError ? (cause.cause ?? cause) : cause,
        headers: Connection ? { Connection } : {},
      });
    }
  }
}

function isKept(c: Exchange, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.isOfErased) return false;
  if (c.req.header('authorization') === undefined) return keptOfPages.includes(error.code);
  return c.get('key') !== undefined && keptOfKeys.includes(error.code);
}

/** The body as it was sent, also of a report that was too long to be read as a whole; null where there is none. */
function readSent(c: Exchange): Pick<RefusedRequest, 'text' | 'value' | 'isCut'> | null {
  const sent = c.get('sent');
  if (sent === undefined) return null;
  if ('text' in sent) return { text: sent.text, value: sent.body, isCut: false };
  // As a stream, so that a character that was cut in the middle is left out. PostgreSQL takes no NUL.
  const text = new TextDecoder().decode(sent.part, { stream: true }).replaceAll('\0', '');
  const value = parseCutJson(text);
  c.set('claimedTeam', (value as { teamId?: unknown } | undefined)?.teamId);
  return { text, value, isCut: true };
}

function senderOf(c: Exchange): Pick<RefusedRequest, 'host' | 'keyHash' | 'idempotencyKey'> {
  const key = c.get('key');
  const page = claimedPage(c.req.header('origin'), c.req.header('referer'));
  return {
    host: key || !page ? '' : (hostOfUrl(page) ?? ''),
    keyHash: key?.keyHash ?? null,
    idempotencyKey: (key && c.req.header('idempotency-key')) ?? null,
  };
}
