import type { BrowserApis } from './browser';

/**
 * Makes an id of at most 48 characters: the time in base 36 (eight characters until the year 2059), then 128 random
 * bits. Ids sort by age, so that the server's unique index grows at its end and the outbox lists the oldest report
 * first. `crypto.randomUUID` is missing on insecure origins, `getRandomValues` is not. On a page that has replaced
 * `crypto` there are 53 random bits.
 */
export function newId(browser: Pick<BrowserApis, 'Date' | 'Math' | 'crypto'>): string {
  return (
    browser.Date.now().toString(36) +
    (browser.crypto.getRandomValues?.(new Uint32Array(4)).join('') ?? 2 ** 53 * browser.Math.random())
  );
}
