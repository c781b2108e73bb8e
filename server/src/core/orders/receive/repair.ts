import { decodeHTMLStrict } from 'entities/decode';
import { isAmbiguousDecimal, readDecimal } from '../../../values/decimal.js';
import type { Path, Warn } from '../../../values/issues.js';
import { limits } from '../../../values/limits.js';
import { isStorable, unstorableCharacters } from '../../../values/text.js';

/** Makes a value valid, with a warning for each change; undefined leaves the field out. */
export type Repair = (value: unknown, path: Path, warn: Warn) => unknown;

/** Repairs a text of at most `max` UTF-16 code units. Numbers become texts, unless `takesNumbers` is set. */
export function repairText(max: number, { takesNumbers = false } = {}): Repair {
  return (value, path, warn) => {
    if (typeof value === 'number') {
      if (takesNumbers) return value;
      warn(path, 'is a number; kept as a text');
      return String(value);
    }
    if (typeof value !== 'string') return leaveOut(value, 'a text', path, warn);
    const storable = isStorable(value) ? value : dropUnstorable(value, path, warn);
    const text = cut(storable, max, path, warn);
    if (text !== '') return text;
    warn(path, 'is empty; left out');
    return undefined;
  };
}

/** Repairs a number of at least `min`. A text becomes a number if it can only mean one number. */
export function repairNumber(min: number): Repair {
  return (value, path, warn) => {
    if (typeof value === 'number') {
      if (value >= min) return value;
      warn(path, `is less than ${min}; left out`);
      return undefined;
    }
    if (typeof value !== 'string') return leaveOut(value, 'a number', path, warn);
    const text = value.trim();
    const number = isAmbiguousDecimal(text) ? null : readDecimal(text);
    if (number !== null && number >= min) {
      warn(path, `is a text; kept as the number ${number}`);
      return number;
    }
    warn(path, 'is a text, not a number such as 24.95; left out');
    return undefined;
  };
}

/** @returns true for a text that may contain HTML entities */
export function hasEntities(value: unknown): boolean {
  return typeof value === 'string' && value.includes('&');
}

/** Decodes HTML entities that a template has written, once: `O&#039;Brien` becomes O'Brien. */
export function decodeEntities(text: string, path: Path, warn: Warn): string {
  if (!hasEntities(text)) return text;
  const decoded = decodeHTMLStrict(text);
  if (decoded !== text) warn(path, 'holds entities of HTML; decoded');
  return decoded;
}

/** Removes NUL, U+001E, U+001F and lone surrogates from a text that has some, because they cannot be stored. */
export function dropUnstorable(text: string, path: Path, warn: Warn): string {
  warn(path, 'holds NUL, U+001E, U+001F or half of a surrogate pair; left out of the text');
  return text.replace(unstorableCharacters, '');
}

function cut(text: string, max: number, path: Path, warn: Warn): string {
  if (text.length <= max) return text;
  warn(path, `is over ${max} characters; cut`);
  const start = text.slice(0, max);
  return start.isWellFormed() ? start : start.slice(0, -1);
}

function leaveOut(value: unknown, wanted: string, path: Path, warn: Warn): undefined {
  warn(path, value === null ? 'is null; left out' : `is not ${wanted}; left out`);
  return undefined;
}

/** Fields of a page's report that distinguish orders, visitors and buyers, each with the words that describe it. */
const meant = {
  orderId: 'the id of one order',
  reportId: 'the id of one report',
  visitorId: 'the id of one visitor',
  name: "a buyer's name",
} as const;

/** Names of the fields in `meant`. */
export const placeholderFields = Object.keys(meant) as (keyof typeof meant)[];

/**
 * Matches a template that a shop did not render: `{{ order.id }}`, `ORD-${id}`, `<%= id %>`, `[order_id]`, `%ORDER_ID%`,
 * `*|ORDER|*`, `__ORDER_ID__`. Ids in brackets do not match, because they have a digit. Escapes such as `%C3` do not match, because
 * they have only two characters.
 */
const template =
  /\{\{|%7b%7b|[{<]%|\{\D*\}|\{[a-z_.]{2,}\d\}|^[[<]\D*[\]>]$|%[a-z_][a-z_.: -]{2,}\d?%|%%\D*%%|\*\|\D*\|\*|^__\D*__$/i;
/** Matches a text that is a template as a whole: `#ORDER_ID#`, `@Model.OrderId`, `@@order@@`, `$order->id`, `:order`, `{0}`, `%s`, `YOUR_ID`. */
const wholeTemplate =
  /^(?:#[a-z_]+#|@[a-z_]+\.[a-z_.]+|@@[a-z_]+@@|\$[a-z_]{2,}(?:->.*|\[.*\])?|:[a-z_]{2,}|\{\d\}|%[sd]|your[_-]\w+)$/i;
/** Texts that JavaScript prints for missing values. `Null` and `None` are not among them, because they are names of people. */
const noValue: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN']);

/**
 * @returns true if a page's text can be the id of one order. An unrendered template or a text such as `undefined` cannot: all
 *   orders of the shop would have the same id.
 */
export function isOrderId(text: string): boolean {
  // The schema refuses longer texts.
  if (text.length > limits.id) return true;
  const id = text.trim();
  return /[\p{L}\p{N}]/u.test(id) && id !== '0' && !noValue.has(id) && !isTemplate(id);
}

const isTemplate = (text: string): boolean => template.test(text) || wholeTemplate.test(text);

/** @returns true if a page's text can be a buyer's name */
export function isName(text: string): boolean {
  // Longer texts are cut.
  if (text.length > limits.text) return true;
  const name = text.trim();
  return !name.split(/\s+/).every((word) => noValue.has(word)) && !isTemplate(name);
}

/** Describes the meaning of a page's field if its value is a placeholder; undefined for all other values and fields. */
export function placeholderFor(field: string, value: unknown): string | undefined {
  if (!Object.hasOwn(meant, field)) return undefined;
  const isPlaceholder =
    field === 'name'
      ? typeof value === 'string' && !isName(value)
      : typeof value === 'boolean' || (typeof value === 'string' && !isOrderId(value));
  return isPlaceholder ? meant[field as keyof typeof meant] : undefined;
}
