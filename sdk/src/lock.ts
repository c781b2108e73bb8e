import type { BrowserApis } from './browser';

/** After 50 ms the other tabs see what one tab has stored. */
const holdMs = 50;

/**
 * Runs `use` in one tab of the site at a time, with Web Locks if the browser has them and this frame may use them.
 * If another tab or other code holds the lock, `use` runs without it 100 ms later. By then it sees what the other
 * tab has stored, and it never waits for a frozen tab.
 */
export function withLock(browser: Pick<BrowserApis, 'navigator' | 'setTimeout'>, use: () => void): void {
  try {
    browser.navigator
      .locks!.request('orderbeacon', { ifAvailable: true }, (lock) => {
        if (!lock) return browser.setTimeout(use, 2 * holdMs);
        use();
        // A lock that is held longer keeps the page out of the back/forward cache.
        return new Promise<void>((resolve) => browser.setTimeout(resolve, holdMs));
      })
      .catch(use);
  } catch {
    use();
  }
}
