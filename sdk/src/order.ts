import type { FieldsOfYourOwn, LineItemInput, OrderReport, Source } from './contract';
import { withFields, writeJson } from './json';

/** The order that `track('order', …)` takes. Empty texts, null and undefined count as missing. */
export interface OrderInput extends FieldsOfYourOwn {
  /** The buyer. */
  email: string;
  /**
   * Order total in major units (49.9 is 49 dollars 90). A plain decimal text such as `"49.90"` becomes a number. Any
   * other text is sent unchanged. The server refuses it, keeps it and shows it to the merchant.
   */
  amount: number | string;
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

/** Matches text that means one number only. Three decimals (`1.000`) may be thousands, so the server refuses them. */
const plainDecimal = /^\d+(\.\d{1,2}|\.\d{4,})?$/;

/** The server refuses more than 65,536 bytes. A character takes one at least. */
const bodyCharactersAtMost = 66_000;

/** Leaves the items and other long fields out of a report that is too large, because the amount matters more. */
export const withoutLongFields = (body: string): string =>
  withFields(body, ([, value]) => writeJson(value).length <= 1000);

/**
 * Cleans up an order that a page gave and writes it as JSON. It refuses nothing, because the server keeps the reports
 * that it refuses. A field that cannot be written, such as circular items, is left out. So are long ones of a report that
 * is too large, because a page that is left has no time to be told so.
 * @param stamp fields that the SDK adds; they override those of the page
 */
export function writeOrder(input: Record<string, unknown>, stamp: Partial<OrderReport>): string {
  const order: Record<string, unknown> = {};
  for (const name in input) {
    try {
      const given = input[name];
      // Blockchain libraries give ids and amounts as BigInts, which JSON does not have.
      // So do numbers of ids, and one that has lost digits (1234567890123456789 is …800 already) is left to the server to refuse.
      const isText =
        /bigint|string/.test(typeof given) || (name === 'orderId' && Number.isSafeInteger(given));
      let value = isText ? `${given}`.trim() : given;
      if (name === 'amount' && plainDecimal.test(value as string)) value = +(value as string);
      if ((writeJson(value ?? '') ?? '""') !== '""') order[name] = value;
    } catch {
      // Circular, or its getter throws, or an amount has no text.
    }
  }
  // The stamp comes first, because the server reads only the start of a body that is too large.
  const body = writeJson({ ...stamp, ...order, ...stamp });
  return body.length < bodyCharactersAtMost ? body : withoutLongFields(body);
}
