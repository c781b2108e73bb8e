/**
 * How long to wait before the next try, in milliseconds: what the server asked for, else 0.5 s after the first
 * failure, half as much again after each further one and 54 s at most; up to a tenth more against a herd.
 * Three failures cost at most 2.7 s, and a server that restarts is back within them.
 * @param tries how often it was tried, at least 1
 * @param retryAfterMs from `Retry-After`; 0 or NaN when there was none
 * @param random from 0 to 1
 */
export function backoff(tries: number, retryAfterMs: number, random: number): number {
  return (retryAfterMs || Math.min(54_000, 334 * 1.5 ** tries)) * (1 + random / 10);
}
