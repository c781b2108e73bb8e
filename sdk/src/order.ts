import type { FieldsOfYourOwn, LineItemInput, OrderReport, Source } from './contract';
import { writeJson } from './json';

/** The order that `track('order', …)` takes. Empty texts, null and undefined count as missing. */
export interface OrderInput extends FieldsOfYourOwn {
  /** The buyer. */
  email: string;
  /**
   * Order total in major units (49.9 is 49 dollars 90). The server reads a plain decimal text such as `"49.90"`. It refuses any
   * other text, keeps it and shows it to the merchant.
   */
  amount: number | `${number}`;
  /** The shop's own order or payment id. Reports with the same `orderId` are one order. Always give it. */
  orderId?: string | number | null | undefined;
  /** 3 to 5 letters in any case. Default `USD`. */
  currency?: string | null | undefined;
  /** In any case. Default `OTHER`. */
  source?: Source | Lowercase<Source> | null | undefined;
  /** The buyer's name. */
  name?: string | null | undefined;
  items?: readonly LineItemInput[] | null | undefined;
  /** Made by the shop's server with a signing key, in hex. See the recipe "Signed pages". */
  signature?: string | null | undefined;
}

/** The server refuses more than 65,536 bytes. A character takes one at least. */
const bodyCharactersAtMost = 66_000;

/** Leaves long fields out of a report that is too large, also those of its items, because the amount matters more. */
export const withoutLongFields = (body: string): string =>
  writeJson(JSON.parse(body, (name, value) => (name && writeJson(value).length > 1000 ? undefined : value)));

/**
 * Cleans up an order that a page gave and writes it as JSON. It refuses nothing, because the server keeps the reports
 * that it refuses. A field that cannot be written, such as circular items, is left out. So are long ones of a report that
 * is too large, because a page that is left has no time to be told so.
 * @param stamp fields that the SDK adds; they override those of the page
 */
export function writeOrder(input: Record<string, unknown>, added: Partial<OrderReport>): string {
  const order: Record<string, unknown> = {};
  for (const name in input) {
    try {
      const given = input[name];
      // Of the types `string` and `bigint` have a g. Blockchain libraries give ids and amounts as BigInts, which JSON does not have.
      const value = /g/.test(typeof given) ? `${given}`.trim() : given;
      if ((writeJson(value ?? '') ?? '""') !== '""') order[name] = value;
    } catch {
      // Circular, or its getter throws.
    }
  }
  // The stamp comes first, because the server reads only the start of a body that is too large.
  const body = writeJson({ ...added, ...order, ...added });
  return body.length < bodyCharactersAtMost ? body : withoutLongFields(body);
}
