import type { BrowserApis } from './browser';

/** Long enough for what one tab has written to be seen by the others. */
const holdMs = 50;

/**
 * Runs `use` while no other tab of the site runs its own, by Web Locks where the browser has them and lets this
 * frame use them. When another tab, or other code, holds the lock, `use` runs without it 100 ms later: by then it
 * sees what the other tab has written, and nobody waits for a tab that is frozen.
 */
export function runAlone(browser: Pick<BrowserApis, 'navigator' | 'setTimeout'>, use: () => void): void {
  try {
    browser.navigator
      .locks!.request('orderbeacon', { ifAvailable: true }, (lock) => {
        if (!lock) return browser.setTimeout(use, 2 * holdMs);
        use();
        // Held longer, it would keep the page out of the back/forward cache.
        return new Promise<void>((resolve) => browser.setTimeout(resolve, holdMs));
      })
      .catch(use);
  } catch {
    use();
  }
}
