import { limits } from '../../../values/limits.js';
import { isStorable } from '../../../values/text.js';

/** Quotes around an id, or the apostrophe before one, by which a spreadsheet keeps it as text. */
const quotes = /^(["'])(.*)\1$|^'/s;
/** A whole number that a tool has written with decimals. */
const float = /^(\d+)[.,]0+$/;
const grouped = /^\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+$/;
/** Digits of an id at most that may have lost leading zeros. */
const paddedAtMost = 12;

/** Reads an order id as it was before a spreadsheet changed it: without quotes, apostrophe and invisible characters. */
export function readId(cell: string): string {
  return cell
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(quotes, '$2');
}

/** @returns true if all numeric ids of a file end with `.0`, because a tool read the column as decimals */
export function areFloats(ids: readonly string[]): boolean {
  const numbers = ids.filter((id) => /^\d+(?:[.,]\d+)?$/.test(id));
  return numbers.length > 0 && numbers.every((id) => float.test(id));
}

/** Removes the decimals that a tool has added to an id. */
export function withoutDecimals(id: string): string {
  return id.replace(float, '$1');
}

/** Lists the ids from which a tool may have made this id. They differ by `.0`, separators of thousands, `#` or leading zeros. */
export function formsOf(id: string): string[] {
  const bare = id.replace(/^#/, '');
  const whole = grouped.test(bare) ? bare.replace(/\D/g, '') : withoutDecimals(bare);
  const digits = /^\d+$/.test(whole) ? whole.replace(/^0+(?=\d)/, '') : null;
  const padded = Array.from({ length: paddedAtMost }, (_, at) => digits?.padStart(at + 1, '0') ?? whole);
  const forms = new Set([whole, ...padded].flatMap((form) => [form, `#${form}`]));
  forms.delete(id);
  return [...forms];
}

/** Describes why a text cannot be an order id; null if it can. */
export function problemOfId(orderId: string): string | null {
  if (orderId === '') return 'has no order id';
  if (orderId.length > limits.id) return `order id is longer than ${limits.id} characters`;
  if (!isStorable(orderId)) return 'order id holds a character that cannot be stored';
  if (/^\d([.,]\d+)?E\+\d+$/i.test(orderId))
    return 'order id was rounded by a spreadsheet: take the file as the shop exported it';
  return null;
}
