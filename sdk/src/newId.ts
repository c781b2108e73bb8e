import type { BrowserApis } from './browser';

/**
 * Makes an id of at most 28 characters: the time in base 36 (eight characters until the year 2059), then 52 random bits.
 * Ids sort by age, so that the server's unique index grows at its end and the outbox lists the oldest report first.
 */
export const newId = (browser: Pick<BrowserApis, 'Date' | 'Math'>): string =>
  (+browser.Date.now()).toString(36) + 2 ** 53 * browser.Math.random();
