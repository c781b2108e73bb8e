/**
 * How long to wait before the next try, in milliseconds: 0.5 to 0.65 s after the first failure, half as much
 * again after each further one, 46 to 60 s at most. A pure function of its arguments.
 *
 * Three failures cost at most 3.1 s, and a server that restarts is back within them.
 * @param tries how often it was tried, at least 1
 * @param retryAfterMs what the server asked for; it is kept, plus up to 0.1 s against a herd
 * @param random from 0 to 1
 */
export function backoff(tries: number, retryAfterMs: number, random: number): number {
  return retryAfterMs ? retryAfterMs + random * 100 : Math.min(6e4, 433 * 1.5 ** tries) * (1 - random * 0.23);
}
