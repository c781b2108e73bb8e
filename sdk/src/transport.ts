import { noAnswer, type Outcome, readAnswer } from './answer';
import type { BrowserApis } from './browser';

/** Sends reports to the server. */
export interface Transport {
  /**
   * Sends a body and resolves with the outcome, within `timeoutMs`. Never rejects.
   * @param outlives asks the browser to send it even after the page is gone
   */
  post(body: string, timeoutMs: number, outlives: boolean): Promise<Outcome>;
  /** Gives a body to the browser, which sends it even after the page is gone. True if the browser accepted it. */
  beacon(body: string): boolean | undefined;
}

/**
 * Browsers allow 64 KiB in total for request bodies that outlive their page (Fetch, 4.6). A character takes three bytes
 * at most. If several bodies exceed the total, the browser refuses some, and they are sent half a second later.
 */
const keepaliveCharacters = 20_000;

/**
 * Creates the transport: a CORS-mode fetch that outlives the page, without credentials and without a preflight across
 * origins. (A string body has the type `text/plain;charset=UTF-8`.)
 */
export function createTransport(
  browser: Pick<BrowserApis, 'AbortController' | 'clearTimeout' | 'fetch' | 'navigator' | 'setTimeout'>,
  url: string,
): Transport {
  return {
    post: (body, timeoutMs, outlives) =>
      new Promise((resolve) => {
        let abort: AbortController | undefined;
        const fail = () => resolve(noAnswer);
        const timer = browser.setTimeout(() => {
          abort?.abort();
          // A page may have replaced fetch with one that ignores the signal.
          fail();
        }, timeoutMs);
        const ask = async (): Promise<Outcome> => {
          try {
            abort = new browser.AbortController!();
          } catch {
            // Old tools remove it, or replace it with one of theirs.
          }
          const response = await browser.fetch(url, {
            method: 'POST',
            body,
            keepalive: outlives && body.length < keepaliveCharacters,
            credentials: 'omit',
            // On the server's own host the origin is hidden where the page says `no-referrer`.
            referrerPolicy: 'origin',
            signal: abort?.signal as AbortSignal,
          });
          return readAnswer(response.status, await response.json(), response.headers?.get('Retry-After'));
        };
        // Without network, without JSON, or blocked by the page's Content-Security-Policy: a later try may succeed.
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
