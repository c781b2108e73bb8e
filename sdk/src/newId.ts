import type { BrowserApis } from './browser';

/**
 * Makes an id of at most 28 characters: the time in base 36 (eight characters until the year 2059), then 64 random bits.
 * Ids sort by age, so that the server's unique index grows at its end and the outbox lists the oldest report first.
 *
 * The bits come from `crypto`. Tools for A/B tests and for screenshots seed `Math.random`, so that it gives each visitor the
 * same numbers. It is used only if the page has replaced `crypto`.
 */
export function newId(browser: Pick<BrowserApis, 'Date' | 'Math' | 'crypto'>): string {
  const time = (+browser.Date.now()).toString(36);
  try {
    return time + browser.crypto!.getRandomValues!(new Uint32Array(2)).join('');
  } catch {
    return time + browser.Math.random();
  }
}
