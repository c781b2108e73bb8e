import type { BrowserApis } from './browser';

/** Reports a problem to the merchant, in one line of the console. */
export function warn(browser: Pick<BrowserApis, 'console'>, text: string): void {
  try {
    browser.console.error(`orderbeacon: ${text}`);
  } catch {
    // Shops that want a silent console replace it with an object that has no `error`.
  }
}
