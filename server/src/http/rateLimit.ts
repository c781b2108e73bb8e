import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ipv6Network } from '../values/addresses.js';
import { createBoundedMap, rememberResults } from '../values/boundedMap.js';
import { ApiError } from '../values/errors.js';
import { clientAddress, plainAddress, type TrustedProxies, trustOf } from './trustedProxies.js';

/** The part of a request that reveals its client. */
type ClientShown = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Finds the client of a request, as a text; see `clientBucket`. */
export type ClientOf = (incoming: ClientShown) => string;

/**
 * Counts a request by its client's address.
 * @param exchange.headers headers of the answer
 * @throws ApiError `rate_limited` if the client has sent too many
 */
export type LimitRate = (
  exchange: { incoming: ClientShown; headers: Record<string, string> },
  kind: 'orders' | 'keys',
) => void;

/**
 * Creates the limit of reports without a known key, per client address. Refusals have `Retry-After`. Refusals, and answers if less
 * than a fifth is left, have the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers-10).
 *
 * Requests with a known key are not counted, because a shop's backend sends all its orders from one address. Requests with an
 * unknown key are counted separately from reports without a key. So a flooding page does not stop a backend with the same address
 * from being identified.
 * @param requestsPerMinute of each of the two kinds, as a burst and then evenly; null for no limit
 */
export function createLimitRate(requestsPerMinute: number | null, clientOf: ClientOf): LimitRate {
  if (requestsPerMinute === null) return () => {};
  const countOne = createRateLimiter(requestsPerMinute);

  return function limitRate({ incoming, headers }, kind) {
    const client = clientOf(incoming);
    const verdict = countOne(kind === 'keys' ? `keys of ${client}` : client);
    // An allowed backend gets no header: its key becomes known, and is then not counted.
    if (verdict.isAllowed && (kind === 'keys' || verdict.remaining >= requestsPerMinute / 5)) return;
    headers['RateLimit-Policy'] = `"${kind}";q=${requestsPerMinute};w=60`;
    headers.RateLimit = `"${kind}";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`;
    if (verdict.isAllowed) return;
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
    throw new ApiError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  };
}

/** Result of the limiter for one request. */
export interface Verdict {
  isAllowed: boolean;
  /** Time until the next request is allowed; 0 if this one is allowed. */
  retryAfterMs: number;
  /** Requests that could follow immediately. */
  remaining: number;
  /** Time until a whole burst is allowed again. */
  resetMs: number;
}

/** Most clients that are counted; some 100 bytes each. Beyond it the client that was counted the longest ago is dropped. */
const clientsRemembered = 100_000;

/**
 * Creates a limiter of requests per client, by the generic cell rate algorithm (ITU-T I.371). A client may send a minute's worth as
 * one burst, as browsers do that send their outboxes after an outage, and regains it evenly. The algorithm needs one number per
 * client and no timer. The default clock is monotonic, because a clock that is set back by an hour would refuse clients for an
 * hour.
 */
export function createRateLimiter(requestsPerMinute: number, now: () => number = () => performance.now()) {
  const intervalMs = 60_000 / requestsPerMinute;
  /** Time at which the quota of each client is full again, by the client's text. */
  const paidUntilMs = createBoundedMap<number>(clientsRemembered);

  return function count(client: string): Verdict {
    const nowMs = now();
    const debtMs = Math.max(0, (paidUntilMs.get(client) ?? 0) - nowMs);
    const isAllowed = debtMs + intervalMs <= 60_000;
    const nextDebtMs = isAllowed ? debtMs + intervalMs : debtMs;
    if (isAllowed) {
      paidUntilMs.set(client, nowMs + nextDebtMs);
    }
    return {
      isAllowed,
      retryAfterMs: isAllowed ? 0 : debtMs + intervalMs - 60_000,
      remaining: Math.floor((60_000 - nextDebtMs) / intervalMs),
      resetMs: nextDebtMs,
    };
  };
}

/** Most cached addresses; some 150 bytes each. Normalising an address took 3 % of an order's CPU time. */
const addressesRemembered = 10_000;

/** Creates the function that finds the client of a request. */
export function createClientOf(trustedProxies: TrustedProxies): ClientOf {
  const trusted = trustOf(trustedProxies);
  const bucketOf = rememberResults(addressesRemembered, clientBucket);
  return function clientOf({ headers, socket }) {
    const forwardedFor = headers['x-forwarded-for'] as string | undefined;
    return bucketOf(clientAddress(socket.remoteAddress ?? '', forwardedFor, trusted));
  };
}

/** The length of the longest address. Without the expected proxy, the header can contain anything. */
const addressCharacters = 64;

/**
 * Returns the text by which a client is counted: its IPv4 address, or the /64 of its IPv6 address. An IPv6 client could otherwise
 * use a new address for every request.
 */
export function clientBucket(address: string): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? ipv6Network(plain) : shortCopy(plain);
}

/** Copies the address. V8 keeps a whole header in memory as long as a part of it is used: 100,000 of 8 kB were 800 MB. */
function shortCopy(address: string): string {
  return Buffer.from(address.slice(0, addressCharacters)).toString();
}
