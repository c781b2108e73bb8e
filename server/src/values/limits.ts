import type { Limits } from '@orderbeacon/sdk/contract';

/** The bounds of every request, those of the contract's types. */
export const limits = {
  bodyBytes: 65_536,
  email: 254,
  id: 128,
  reportId: 64,
  text: 255,
  items: 500,
} as const satisfies Limits;
