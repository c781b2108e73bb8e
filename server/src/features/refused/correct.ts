import { defaults } from '../../core/orders/defaults.js';
import { fieldMeantBy } from '../../core/orders/receive/extraFields.js';
import { readReport } from '../../core/orders/receive/readReport.js';
import { isAmbiguousDecimal, isDecimal, plainDecimal } from '../../values/decimal.js';

/** Corrected fields, which replace the sent ones. */
export interface RefusedChanges {
  email?: string;
  amount?: number;
  currency?: string;
  orderId?: string;
}

/** Makes the corrections of each report from the fields that were sent. */
export type MakeChanges = (sent: Record<string, unknown>) => RefusedChanges;

/** Fields that a person can correct. An order does not need any other. */
const correctable: readonly unknown[] = ['teamId', 'email', 'amount', 'currency', 'orderId'];

/**
 * Puts corrections into a body, in place, takes fields of near names, and leaves out invalid fields that an order does not need. The person who
 * corrects a report cannot correct such a field, for example a visitor. Leaves out the signature, too, where a field is
 * corrected, because it is about what was sent.
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

/** True for an amount with any kind of minus before or after its digits, or in brackets. `49,– €` has none. */
function isNegative(amount: string): boolean {
  return /^\D*[\p{Pd}\u2212(]|\d\s*[\p{Pd}\u2212]/u.test(amount);
}

/** The amount and the currency of a report, as they were sent. */
interface SentMoney {
  amount?: unknown;
  currency?: unknown;
}

/**
 * Takes what a body has under a near name, such as `total` or `order_id`, for a field that it lacks, in place. A field that two
 * names mean, with different values, stays missing.
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

/** True for a value that stands for none. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Writes an amount with a decimal comma, with separators of thousands, or with the code of its currency beside it, such as
 * `49,90 €`, `1.239,90` or `49.90 EUR`, as a decimal that can be stored, `49.90`. Null for any other value, also for `1,000`, which
 * can be read in two ways, and the code of another currency.
 */
export function withoutComma({ amount, currency }: SentMoney): string | null {
  if (typeof amount !== 'string' || isNegative(amount)) return null;
  const bare = withoutCode(amount.trim(), currency ?? defaults.currency);
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

/** Writes an amount that was sent as a number or as a text as a decimal. Null where it can be read in no way, or in two, as `1.000` can. */
export function readDecimalText(sent: SentMoney): string | null {
  if (typeof sent.amount === 'number') return sent.amount < 0 ? null : plainDecimal(sent.amount);
  return typeof sent.amount === 'string' && isPlain(sent.amount) ? sent.amount : withoutComma(sent);
}
