import type { LineItem, Source } from './contract';

/** What `track('order', …)` takes. Empty texts, null and undefined count as left out. */
export interface OrderInput {
  /** The buyer. */
  email: string;
  /** Order total in major units (49.9 is 49 dollars 90). A text must be a plain number such as `"49.90"`. */
  amount: number | string;
  /** The shop's own order or payment identifier: reported again, it is still one order. Always give it. */
  orderId?: string | number | null | undefined;
  /** 3 to 5 letters in any case. Default `USD`. */
  currency?: string | null | undefined;
  /** In any case. Default `OTHER`. */
  source?: Source | Lowercase<Source> | null | undefined;
  /** The buyer's name. */
  name?: string | null | undefined;
  items?: LineItem[] | null | undefined;
}

/**
 * Checks and normalises what a page gave. Throws an error whose message says what to change; finer checks
 * (lengths, currency, items) are the server's.
 */
export function normaliseOrder(input: Record<string, unknown>): Record<string, unknown> {
  const order: Record<string, unknown> = {};
  for (const key in input) {
    const value = (input[key] as string)?.trim?.() ?? input[key];
    // Source and currency; other fields that it fits (surname) are none that the server knows.
    if ((value ?? '') !== '') order[key] = /^[cs]o?ur/.test(key) ? `${value}`.toUpperCase() : value;
  }
  const { amount, orderId } = order;
  // Letters but `e` are out, so neither 0x10 nor Infinity passes; NaN and what is below 0 are not at least 0.
  if (!(/^[\d.e-]+$/.test(amount as string) && (amount as number) >= 0)) {
    throw Error(`amount must be like 49.90: ${amount}`);
  }
  order.amount = +(amount as number);
  // A number that has lost digits (1234567890123456789 is already …800) goes as it is: the server refuses it.
  if (Number.isSafeInteger(orderId)) order.orderId = `${orderId}`;
  return order;
}
