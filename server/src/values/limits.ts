import type { Limits } from '@orderbeacon/sdk/contract';
import type { JsonBounds } from './jsonBounds.js';

/** Limits of every request: bytes of a body, characters of a text, entries of a list. */
export const limits = {
  bodyBytes: 65_536,
  email: 254,
  id: 128,
  reportId: 64,
  text: 255,
  items: 500,
  extraBytes: 8_192,
} as const satisfies Limits;

/**
 * Bounds of the JSON of a request: 500 items of 12 fields, twice the levels that an order may have, and all names that the
 * extra fields of an order have room for, of which 500 may stand at the top. Without them some bodies of 64 KiB took 20 ms.
 */
export const jsonBounds = {
  values: 8_000,
  depth: 32,
  names: 1_400,
  topNames: 600,
} as const satisfies JsonBounds;

/** The highest amount of an order. Without it a single report of 1e308 would make a sum worthless. */
export const amountAtMost = 1_000_000_000_000;
