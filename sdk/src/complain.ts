import type { BrowserApis } from './browser';

/** Tells the merchant, in one line of the console, what cannot work or did not. */
export function complain(browser: Pick<BrowserApis, 'console'>, text: string): void {
  browser.console.error(`orderbeacon: ${text}`);
}
