import { rememberResults } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { hostOfUrl } from './domains.js';

/** Pages whose host is cached; some 300 bytes each. To parse the URL of each report took 2 % of an order's CPU time. */
const pagesCached = 1_000;
const hostOf = rememberResults(pagesCached, hostOfUrl);

/** Page that a request claims to come from: its `Origin`, or its `Referer` where `Origin` is absent or `null`. */
export function claimedPage(origin: string | undefined, referer: string | undefined): string | undefined {
  return origin && origin !== 'null' ? origin : referer;
}

/**
 * Normalised host that a browser report comes from: that of `Origin`, or of `Referer` where `Origin` is absent or `null`.
 * An allowed `Referer` does not make up for a foreign `Origin`. The team's domains decide later whether the host is
 * allowed.
 * @throws ApiError `origin_required` with neither header; `domain_not_allowed` when they name no host
 */
export function checkOrigin(origin: string | undefined, referer: string | undefined): string {
  if (!origin && !referer) throw new ApiError('origin_required');
  const page = claimedPage(origin, referer);
  const host = page ? hostOf(page) : null;
  if (host === null) throw new ApiError('domain_not_allowed');
  return host;
}
