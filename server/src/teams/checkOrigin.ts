import { rememberResults } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { hostOfUrl } from './domains.js';

/** Pages whose host is cached; some 300 bytes each. To parse the URL of each report took 2 % of an order's CPU time. */
const pagesCached = 1_000;
const hostOf = rememberResults(pagesCached, hostOfUrl);

/**
 * Normalised host of the page that a request claims to come from: that of `Origin`, or of `Referer` where `Origin` is
 * absent or `null`. Null when they name no host.
 */
export function claimedHost(origin: string | undefined, referer: string | undefined): string | null {
  const page = origin && origin !== 'null' ? origin : referer;
  return page ? hostOf(page) : null;
}

/**
 * Host that a browser report comes from, see `claimedHost`. An allowed `Referer` does not make up for a foreign
 * `Origin`. The team's domains decide later whether the host is allowed.
 * @throws ApiError `origin_required` with neither header; `domain_not_allowed` when they name no host
 */
export function checkOrigin(origin: string | undefined, referer: string | undefined): string {
  if (!origin && !referer) throw new ApiError('origin_required');
  const host = claimedHost(origin, referer);
  if (host === null) throw new ApiError('domain_not_allowed');
  return host;
}
