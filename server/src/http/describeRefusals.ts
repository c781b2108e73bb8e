import type { Context, MiddlewareHandler } from 'hono';
import { hostOfUrl } from '../domains.js';
import { ApiError } from '../errors.js';
import { decodeId, encodeId } from '../ids.js';
import type { Recognition } from '../recognition.js';
import type { AppEnv, RefusalDetails } from './context.js';

/** The contract's names of fields (sections 4.2 and 4.3), and of a line item's. Any other name is the caller's own word. */
const fieldNames = new Set(
  `teamId email amount orderId currency source name items visitorId reportId sequenceId sdkVersion Idempotency-Key
  productId sku variant category quantity price`.split(/\s+/),
);

/**
 * Goes around the routes of reports and enrollments, and describes a refusal for its log line: the page's host, the
 * invalid fields, and the team where it exists. What a caller sent as its team may be anything, an email too, and is
 * in no line unless such a team exists.
 */
export function describeRefusals(
  recognition: Pick<Recognition, 'isKnownTeam' | 'isTeam'>,
): MiddlewareHandler<AppEnv> {
  return async function describeRefusals(c, next) {
    await next();
    const { error } = c;
    if (error === undefined) return;
    const isRefusal = error instanceof ApiError && error.status < 500;
    // A failure may be the database's, and a page that is not allowed has had its team looked up: neither asks again.
    const mayAsk = isRefusal && error.code !== 'domain_not_allowed';
    c.set('team', await findClaimedTeam(c, mayAsk));
    if (isRefusal) c.set('refusal', describe(c, error));
  };

  async function findClaimedTeam(c: Context<AppEnv>, mayAsk: boolean): Promise<string | undefined> {
    const key = c.get('key');
    if (key) return encodeId('team', key.teamId);
    const claimed = c.get('claimedTeam');
    const teamId = typeof claimed === 'string' ? decodeId('team', claimed) : null;
    if (teamId === null) return undefined;
    const isThere =
      recognition.isKnownTeam(teamId) || (mayAsk && (await recognition.isTeam(teamId).catch(() => false)));
    return isThere ? encodeId('team', teamId) : undefined;
  }
}

function describe(c: Context<AppEnv>, { issues }: ApiError): RefusalDetails {
  const fields = issues && [...new Set(issues.map(({ path }) => withoutOwnNames(path)))];
  if (c.req.header('authorization') !== undefined) return { ...(fields && { fields }) };
  const origin = c.req.header('origin');
  const page = origin && origin !== 'null' ? origin : c.req.header('referer');
  return { host: page ? hostOfUrl(page) : null, ...(fields && { fields }) };
}

/** `items.3.price` as it is, `items.3.ann@shop.example` as `items.3.*`. */
function withoutOwnNames(path: string): string {
  const names = path.split('.').map((name) => (fieldNames.has(name) || /^\d{1,4}$/.test(name) ? name : '*'));
  return path === '' ? 'body' : names.join('.').replace(/\*(\.\*)+/g, '*');
}
