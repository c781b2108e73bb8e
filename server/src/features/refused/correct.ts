import { defaults } from '../../core/orders/defaults.js';
import { fieldMeantBy } from '../../core/orders/receive/extraFields.js';
import { readReport } from '../../core/orders/receive/readReport.js';
import { isInAnotherCurrency } from '../../values/currencySigns.js';
import { isAmbiguousDecimal, isDecimal, plainDecimal } from '../../values/decimal.js';

/** Corrected fields, which replace the sent ones. */
export interface RefusedChanges {
  email?: string;
  amount?: number;
  currency?: string;
  orderId?: string;
}

/** Makes the corrections of a report from the fields that were sent. */
export type MakeChanges = (sent: Record<string, unknown>) => RefusedChanges;

/** Fields that a person can correct. An order needs no others. */
const correctable: readonly unknown[] = ['teamId', 'email', 'amount', 'currency', 'orderId'];

/**
 * Corrects a body in place: takes fields of similar names, puts the corrections in, and removes invalid fields that an
 * order does not need. Nobody can correct such a field, for example a visitor. If a field is corrected, also removes
 * the signature, because it covers what was sent.
 */
export function correct(
  sent: unknown,
  changes: RefusedChanges | MakeChanges,
  { teamId, isFromPage }: { teamId: string; isFromPage: boolean },
): unknown {
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  const body = (isObject ? sent : {}) as Record<string, unknown>;
  takeNearNames(body);
  const corrected = typeof changes === 'function' ? changes(body) : changes;
  if (Object.keys(corrected).length > 0) delete body.signature;
  Object.assign(body, corrected, { teamId });
  const { issues } = readReport(body, isFromPage);
  for (const { path } of issues ?? []) {
    if (!correctable.includes(path[0])) delete body[path[0] as string];
  }
  return body;
}

/** @returns true for an amount in brackets, or with any kind of minus before or after its digits. `49,– €` has no minus. */
function isNegative(amount: string): boolean {
  return /^\D*[\p{Pd}\u2212(]|\d\s*[\p{Pd}\u2212]/u.test(amount);
}

/** Amount and currency of a report as they were sent. */
interface SentMoney {
  amount?: unknown;
  currency?: unknown;
}

/**
 * Fills in missing fields of a body from similar names, such as `total` or `order_id`, in place. If two such names have
 * different values, the field stays missing.
 */
export function takeNearNames(body: Record<string, unknown>): Record<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    const field = fieldMeantBy(name);
    if (field === undefined || !correctable.includes(field) || !isMissing(body[field]) || isMissing(value))
      continue;
    found.set(field, found.has(field) && found.get(field) !== value ? undefined : value);
  }
  for (const [field, value] of found) if (value !== undefined) body[field] = value;
  return body;
}

/** @returns true for a value that counts as missing */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Converts an amount with a decimal comma, separators of thousands or its currency's code into a decimal.
 *
 * For example, `49,90 €` becomes `49.90`, and so do `1.239,90` and `49.90 EUR`. Returns null for any other value, also
 * for `1,000`, which has two readings, and for an amount with the sign or code of another currency than the report's. A report
 * without a currency is in USD, so `49,90 €` is another one there.
 */
export function withoutComma({ amount, currency }: SentMoney): string | null {
  if (typeof amount !== 'string' || isNegative(amount)) return null;
  const stated = currency ?? defaults.currency;
  if (typeof stated === 'string' && isInAnotherCurrency(amount, stated)) return null;
  const bare = withoutCode(amount.trim(), stated);
  const [, whole, fraction] = /^\W*(\d{1,13}),(\d{1,2})\W*$/.exec(bare) ?? [];
  if (whole !== undefined) return `${whole}.${fraction}`;
  const [, grouped, , point, part] =
    /^\W*(\d{1,3}(?:([.,'’\s])\d{3})(?:\2\d{3}){0,3})([.,])(\d{1,2})\W*$/.exec(bare) ?? [];
  if (grouped !== undefined && !grouped.includes(point!)) return `${grouped.replace(/\D/g, '')}.${part}`;
  return bare !== amount.trim() && isPlain(bare) ? bare : null;
}

function withoutCode(amount: string, currency: unknown): string {
  if (typeof currency !== 'string' || currency === '') return amount;
  const [text, code] = [amount.toUpperCase(), currency.toUpperCase()];
  if (text.endsWith(code)) return amount.slice(0, -code.length).trim();
  return text.startsWith(code) ? amount.slice(code.length).trim() : amount;
}

const isPlain = (amount: string) => isDecimal(amount) && !isAmbiguousDecimal(amount);

/** Writes an amount that was sent as a number or a text as a decimal. Null if it has no reading, or two, as `1.000` has. */
export function readDecimalText(sent: SentMoney): string | null {
  if (typeof sent.amount === 'number') return sent.amount < 0 ? null : plainDecimal(sent.amount);
  return typeof sent.amount === 'string' && isPlain(sent.amount) ? sent.amount : withoutComma(sent);
}
