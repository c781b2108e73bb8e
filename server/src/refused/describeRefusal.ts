import type { RefusalDetails } from '../http/context.js';
import type { Exchange } from '../http/exchange.js';
import { claimedPage } from '../teams/checkOrigin.js';
import { hostOfUrl } from '../teams/domains.js';
import { findClaimedTeam } from '../teams/findClaimedTeam.js';
import type { SenderCache } from '../teams/senderCache.js';
import { ApiError } from '../values/errors.js';
import { encodeId } from '../values/ids.js';
import { withoutOwnNames } from './fieldNames.js';

/** Describes a refusal for its log line. */
export type DescribeRefusal = (exchange: Exchange, error: unknown) => Promise<void>;

/**
 * Makes what describes the refusals of reports and enrollments for the log: the page's host, the
 * invalid fields, and the team where it exists. What a caller sent as its team may be anything, an email too, and is
 * in no line unless such a team exists.
 */
export function createDescribeRefusal(
  senderCache: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>,
): DescribeRefusal {
  return async function describeRefusal(c, error) {
    const isRefusal = error instanceof ApiError && error.status < 500;
    // A failure may be the database's, and a page that is not allowed has had its team looked up: neither asks again.
    const mayAsk = isRefusal && error.code !== 'domain_not_allowed';
    const teamId = await findClaimedTeam(c, senderCache, mayAsk).catch(() => null);
    c.set('team', teamId === null ? undefined : encodeId('team', teamId));
    if (isRefusal) c.set('refusal', describe(c, error));
  };
}

function describe(c: Exchange, { issues }: ApiError): RefusalDetails {
  const fields = issues && [...new Set(issues.map(({ path }) => withoutOwnNames(path)))];
  if (c.req.header('authorization') !== undefined) return { ...(fields && { fields }) };
  const page = claimedPage(c.req.header('origin'), c.req.header('referer'));
  return { host: page ? hostOfUrl(page) : null, ...(fields && { fields }) };
}
