import { noAnswer, type Outcome, readAnswer } from './answer';
import type { BrowserApis } from './browser';

/** How a report gets to the server. */
export interface Transport {
  /** Sends one body and names the outcome, after at most that long. Never rejects. */
  post(body: string, timeoutMs: number): Promise<Outcome>;
  /** Hands one body to the browser, which sends it even when the page is gone, and tells no outcome. */
  beacon(body: string): boolean | undefined;
}

/**
 * Browsers allow 64 KiB in all for bodies that outlive their page (Fetch, 4.6). A character takes three bytes
 * at most. Where several bodies together are too much, the browser refuses some, which then go half a second later.
 */
const keepaliveCharacters = 20_000;

/**
 * Makes the sender: a CORS-mode fetch that outlives the page, without credentials and without anything
 * that would need a preflight across origins (a string goes as `text/plain;charset=UTF-8` by itself).
 */
export function createTransport(
  browser: Pick<BrowserApis, 'Date' | 'clearTimeout' | 'fetch' | 'navigator' | 'setTimeout'>,
  url: string,
): Transport {
  return {
    post: (body, timeoutMs) =>
      new Promise((resolve) => {
        const abort = new AbortController();
        const fail = () => resolve(noAnswer);
        const timer = browser.setTimeout(() => {
          abort.abort();
          // By itself too: a page may have put a fetch of its own in place that ignores the signal.
          fail();
        }, timeoutMs);
        const ask = async (): Promise<Outcome> => {
          const response = await browser.fetch(url, {
            method: 'POST',
            body,
            keepalive: body.length < keepaliveCharacters,
            credentials: 'omit',
            signal: abort.signal,
          });
          const answer: unknown = await response.json();
          return readAnswer(response.status, answer, response.headers.get('Retry-After'), browser.Date.now());
        };
        // No network, no JSON, or blocked by the page's Content-Security-Policy: all may pass.
        ask()
          .then(resolve, fail)
          .then(() => browser.clearTimeout(timer));
      }),
    beacon(body) {
      try {
        return browser.navigator.sendBeacon(url, body);
      } catch {
        // Removed by a privacy tool.
      }
    },
  };
}
