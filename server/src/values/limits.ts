import type { Limits } from '@orderbeacon/sdk/contract';
import type { JsonBounds } from './json.js';

/** Limits of every request: bytes of a body, characters of a text, entries of a list. */
export const limits = {
  bodyBytes: 65_536,
  email: 254,
  id: 255,
  reportId: 255,
  text: 255,
  items: 500,
  extraBytes: 8_192,
  refunds: 500,
  waitingRefunds: 10_000,
} as const satisfies Limits;

/**
 * Limits of the JSON of a request. They allow 500 items of 8 fields with 300 extra fields, and all names of eight letters that fit
 * into the extra fields. Without them some bodies of 64 KiB took 20 ms.
 */
export const jsonBounds = { values: 5_900, names: 700 } as const satisfies JsonBounds;

/** The highest amount of an order. Without it, a single report of 1e308 would make a sum worthless. */
export const amountAtMost = 1_000_000_000_000;
