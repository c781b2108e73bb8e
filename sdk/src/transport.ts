import type { Refusal, TrackResult } from './result';

/** Sends one body to a URL and names the outcome, with what `Retry-After` asked for, else 0 or NaN. Never rejects. */
export type Post = (url: string, body: string) => Promise<[outcome: TrackResult, retryAfterMs: number]>;

/** After this long without an answer a try counts as failed. */
export const timeoutMs = 6000;

/**
 * Browsers allow 64 KiB in all for bodies that outlive their page (Fetch, 4.6). A character takes three bytes
 * at most. Where several bodies together are too much, the browser refuses some, which then go half a second later.
 */
const keepaliveCharacters = 20_000;

/**
 * Makes the sender: a CORS-mode fetch that outlives the page, without credentials and, across origins, without
 * anything that would need a preflight (a string goes as `text/plain;charset=UTF-8` by itself).
 * @param refuse told of each final refusal, makes the outcome of it
 */
export function createPost(refuse: (error: Refusal) => TrackResult): Post {
  return async (url, body) => {
    let outcome: TrackResult = { status: 'pending' };
    let retryAfterMs = 0;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        keepalive: body.length < keepaliveCharacters,
        credentials: 'omit',
        headers: url.startsWith(`${origin}/`) ? { 'Content-Type': 'application/json' } : {},
        // Browsers of before 2023 lack it: there the outbox sends again while this try still hangs.
        signal: AbortSignal.timeout?.(timeoutMs),
      });
      retryAfterMs = (response.headers.get('Retry-After') as unknown as number) * 1000;
      const answer = await response.json().catch(() => {});
      if (/^4(?!08|29)/.test(response.status as unknown as string)) {
        outcome = refuse(answer?.error ?? { code: 'http_error', message: `HTTP ${response.status}` });
        // The login page of a hotel or a proxy is a 200 as well, and no order was stored then.
      } else if (answer?.success) outcome = { status: 'delivered', order: answer.data };
    } catch {
      // No network, no answer in time, or blocked by the page's Content-Security-Policy: all may pass.
      self.fetch || navigator.sendBeacon(url, body);
    }
    return [outcome, retryAfterMs];
  };
}
