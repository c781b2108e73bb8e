import type { Limits } from '@orderbeacon/sdk/contract';

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

/** The highest amount of an order. Without it a single report of 1e308 would make a sum worthless. */
export const amountAtMost = 1_000_000_000_000;
