import type { FieldsOfYourOwn, LineItemInput, OrderReport, Source } from './contract';
import { writeJson } from './json';

/** The order that `track('order', …)` takes. Empty texts, null and undefined count as missing. */
export interface OrderInput extends FieldsOfYourOwn {
  /** The buyer. */
  email: string;
  /**
   * Order total in major units (49.9 is 49 dollars 90). The server reads a plain decimal text such as `"49.90"`. An order with
   * any other text is refused, stored and shown to the merchant.
   */
  amount: number | `${number}`;
  /** The shop's own order or payment id. Reports with the same `orderId` are one order. Always give it. */
  orderId?: string | number | null | undefined;
  /** 3 to 5 letters in any case. Default `USD`. */
  currency?: string | null | undefined;
  /** The way the buyer paid. Default `OTHER`. */
  source?: Source | Lowercase<Source> | null | undefined;
  /** The buyer's name. */
  name?: string | null | undefined;
  items?: readonly LineItemInput[] | null | undefined;
  /** Signature in hex, which the shop's server makes with a signing key. See the recipe "Signed pages". */
  signature?: string | null | undefined;
}

/** The server refuses more than 65,536 bytes. A character takes at least one. */
const bodyCharactersAtMost = 66_000;

/** Removes long fields from the order and its items. Used if a report is too large, because the amount matters more. */
export const withoutLongFields = (body: string): string =>
  writeJson(JSON.parse(body, (name, value) => (name && writeJson(value).length > 1000 ? undefined : value)));

/**
 * Cleans up an order that a page gave and writes it as JSON. It refuses nothing, because the server stores the reports that
 * it refuses. A field that cannot be written, such as circular items, is left out. If the report is too large, so are its
 * long fields: a page that is being left has no time to read a refusal.
 * @param added fields that the SDK adds; they replace those of the page
 */
export function writeOrder(input: Record<string, unknown>, added: Partial<OrderReport>): string {
  const order: Record<string, unknown> = {};
  for (const name in input) {
    try {
      const given = input[name];
      // Only `string` and `bigint` have a g. Blockchain libraries give ids and amounts as BigInts, which JSON does not have.
      const value = /g/.test(typeof given) ? `${given}`.trim() : given;
      if ((writeJson(value ?? '') ?? '""') !== '""') order[name] = value;
    } catch {
      // The value is circular, or its getter throws.
    }
  }
  // The added fields come first, because the server reads only the start of a body that is too large.
  const body = writeJson({ ...added, ...order, ...added });
  return body.length < bodyCharactersAtMost ? body : withoutLongFields(body);
}
