import { createBoundedMap } from '../values/boundedMap.js';

/** Verdict of the limiter on one request. */
export interface Verdict {
  isAllowed: boolean;
  /** Time until the next request is allowed; 0 when this one is. */
  retryAfterMs: number;
  /** Requests that could follow immediately. */
  remaining: number;
  /** Time until a whole burst is allowed again. */
  resetMs: number;
}

/** Clients that are counted; some 100 bytes each. One more drops the client that was counted the longest ago. */
const clientsRemembered = 100_000;

/**
 * Limits requests per client by the generic cell rate algorithm (ITU-T I.371): a client may send a minute's worth as one
 * burst, as browsers do that send their outboxes after an outage, and regains it evenly. It needs one number a client and
 * no timer. The default clock is monotonic, because a clock that is set back by an hour would refuse clients for an hour.
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
