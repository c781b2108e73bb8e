import type { LineItem, OrderReport, Source } from './contract';
import { readJson, writeJson } from './json';

/** What `track('order', …)` takes. Empty texts, null and undefined count as left out. */
export interface OrderInput {
  /** The buyer. */
  email: string;
  /**
   * Order total in major units (49.9 is 49 dollars 90). A plain decimal text such as `"49.90"` becomes a number;
   * any other text goes as it is, and the server refuses it, keeps it and shows it to the merchant.
   */
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

/** A text that can only mean one number. Three decimals (`1.000`) may be thousands: the server refuses those. */
const plainDecimal = /^\d+(\.\d{1,2}|\.\d{4,})?$/;

/**
 * Tidies what a page gave and writes it as JSON. It refuses nothing: the server judges, and keeps what it refuses.
 * A field that cannot be written, such as circular items, is left out: the money before the lines.
 * @param stamp what the SDK says of the report; it overrides what the page gave
 */
export function writeOrder(input: Record<string, unknown>, stamp: Partial<OrderReport>): string {
  const order: Record<string, unknown> = {};
  for (const name in input) {
    try {
      const given = input[name] as string | null | undefined;
      // Ids and amounts of blockchains are BigInts, which JSON has not.
      const value = typeof given === 'bigint' ? `${given}` : (given?.trim?.() ?? given);
      if (writeJson(value ?? '') !== '""') order[name] = value;
    } catch {
      // Circular, or its getter throws.
    }
  }
  const { amount, orderId, items } = order;
  if (plainDecimal.test(amount as string)) order.amount = Number(amount);
  // A number that has lost digits (1234567890123456789 is already …800) goes as it is: the server refuses it.
  if (Number.isSafeInteger(orderId)) order.orderId = `${orderId}`;
  // A template, or an old library's `toJSON` on arrays, has made them a text.
  if (typeof items === 'string') order.items = readJson(items);
  return writeJson({ ...order, ...stamp });
}
