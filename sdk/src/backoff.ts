/** The longest wait between two tries, unless the server asks for a longer one. */
const waitMsAtMost = 54_000;

/**
 * The wait before the next try, in milliseconds: the time that the server asked for, or else 0.5 s after the first
 * failure, 1.5 times the last wait after each further one, and 54 s at most. Up to a tenth is added, so that many
 * pages do not come back at the same moment.
 * @param tries the number of tries so far, at least 1
 * @param retryAfterMs the time that `Retry-After` asked for; 0 or undefined when there was none
 * @param random a number from 0 to 1
 */
export function backoff(tries: number, retryAfterMs: number | undefined, random: number): number {
  return (retryAfterMs || Math.min(waitMsAtMost, 334 * 1.5 ** tries)) * (1 + random / 10);
}

/** The time limit of a try: 6, 12, 24 and then 48 s, so that slow networks and slow servers get through. */
export const timeoutMs = (tries: number): number => Math.min(48_000, 3000 * 2 ** tries);
