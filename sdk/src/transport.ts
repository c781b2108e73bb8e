import { type Outcome, readAnswer } from './answer';
import type { BrowserApis } from './browser';
import type { WaitingReport } from './outbox';
import { warn } from './warn';

/** Sends reports to the server. */
export interface Transport {
  /**
   * Sends a report and resolves with the outcome, within `timeoutMs`. Never rejects.
   * @param outlives asks the browser to send it even after the page is gone
   */
  _post(report: Pick<WaitingReport, 'key' | 'body'>, timeoutMs: number, outlives: boolean): Promise<Outcome>;
  /** Gives a body to the browser, which sends it even after the page is gone. */
  _beacon(body: string): void;
}

/**
 * Creates the transport: a fetch in CORS mode that outlives the page. It sends no credentials and needs no preflight across
 * origins, because a string body has the type `text/plain;charset=UTF-8`. The query is the time of the try by the page's
 * clock. The report's id begins with the time of the call by the same clock, so the server knows the age of the order even
 * if the clock is wrong.
 */
export function createTransport(
  browser: Pick<
    BrowserApis,
    'AbortController' | 'Date' | 'clearTimeout' | 'console' | 'fetch' | 'navigator' | 'setTimeout'
  >,
  url: string,
): Transport {
  return {
    _post: (report, timeoutMs, outlives) =>
      new Promise((resolve) => {
        let abort: AbortController | undefined;
        // Both end a try, because a page may have replaced fetch with one that ignores the signal.
        const fail = () => {
          abort?.abort();
          resolve([]);
        };
        const timer = browser.setTimeout(fail, timeoutMs);
        const ask = async (): Promise<Outcome> => {
          try {
            abort = new browser.AbortController!();
          } catch {
            // Old tools remove it, or replace it with their own.
          }
          const response = await browser.fetch(`${url}?${+browser.Date.now()}`, {
            method: 'POST',
            body: report.body,
            keepalive: outlives,
            credentials: 'omit',
            // Without this, the origin is hidden from the server on its own host if the page says `no-referrer`.
            referrerPolicy: 'origin',
            signal: abort?.signal as AbortSignal,
          });
          const answer = await response.json().catch(() => warn(browser, `no orderbeacon: ${url}`));
          return readAnswer(report.key, response.status, answer, response.headers?.get('Retry-After'));
        };
        // No network, no JSON, or blocked by the page's Content-Security-Policy: a later try may succeed.
        ask()
          .then(resolve, fail)
          .then(() => browser.clearTimeout(timer));
      }),
    _beacon(body) {
      try {
        browser.navigator.sendBeacon(`${url}?${+browser.Date.now()}`, body);
      } catch {
        // A privacy tool has removed it.
      }
    },
  };
}
