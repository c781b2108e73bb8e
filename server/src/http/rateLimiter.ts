import { createBoundedMap } from '../values/boundedMap.js';

/** What a limiter says of one request. */
export interface Verdict {
  isAllowed: boolean;
  /** How long until the next one is allowed; 0 when this one is. */
  retryAfterMs: number;
  /** How many more could follow at once. */
  remaining: number;
  /** How long until the whole burst is there again. */
  resetMs: number;
}

/** Addresses that are remembered; some 100 bytes each. Past this the one that came first is forgotten. */
const clientsRemembered = 100_000;

/**
 * Counts requests per client by the generic cell rate algorithm (ITU-T I.371): a client may send a whole
 * minute's worth at once, as browsers do that replay their outboxes after an outage, and gets it back
 * evenly. One number a client, bounded memory, no timer. The clock is one that nobody sets: back by an hour, it would
 * keep clients out for that hour.
 */
export function createRateLimiter(requestsPerMinute: number, now: () => number = () => performance.now()) {
  const intervalMs = 60_000 / requestsPerMinute;
  /** For each client the time at which all it has sent is paid for. */
  const paidUntilMs = createBoundedMap<number>(clientsRemembered);

  return function countRequest(client: string): Verdict {
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
