/** The longest wait between two tries that nobody asked for. */
const waitMsAtMost = 54_000;

/**
 * How long to wait before the next try, in milliseconds: what the server asked for, else 0.5 s after the first
 * failure, half as much again after each further one and 54 s at most; up to a tenth more, so that many pages do
 * not come back at the same moment.
 * @param tries how often it was tried, at least 1
 * @param retryAfterMs what `Retry-After` asked for; undefined when there was none
 * @param random from 0 to 1
 */
export function backoff(tries: number, retryAfterMs: number | undefined, random: number): number {
  return (retryAfterMs ?? Math.min(waitMsAtMost, 500 * 1.5 ** (tries - 1))) * (1 + random / 10);
}

/** How long a try may take: 6, 12, 24 and then 48 s, so that slow networks and slow servers get through. */
export function timeoutMs(tries: number): number {
  return Math.min(48_000, 3000 * 2 ** tries);
}
