import type { BrowserApis } from './browser';

/**
 * Makes an id of at most 28 characters: the time in base 36 (eight characters until the year 2059), then 64 random bits.
 * Ids sort by age, so that the server's unique index grows at its end and the outbox lists the oldest report first.
 *
 * The bits come from `crypto`, because tools for A/B tests and for screenshots seed `Math.random`, and give each visitor the
 * same numbers. A page that has something of its own under the name `crypto` gets those of `Math.random`.
 */
export const newId = (browser: Pick<BrowserApis, 'Date' | 'Math' | 'crypto'>): string =>
  (+browser.Date.now()).toString(36) +
  (browser.crypto?.getRandomValues?.(new Uint32Array(2)).join('') ?? browser.Math.random());
