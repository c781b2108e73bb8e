import type { BrowserApis } from './browser';

/** Tells the merchant, in one line of the console, what cannot work or did not. */
export function complain(browser: Pick<BrowserApis, 'console'>, text: string): void {
  try {
    browser.console.error(`orderbeacon: ${text}`);
  } catch {
    // Shops that want a silent console put an object without `error` in its place.
  }
}
