import type { Issue } from '@orderbeacon/sdk/contract';
import { isAmbiguousDecimal, isInexactNumber } from './decimal.js';

/** Most issues of one answer. A body of 500 bad items must not make an answer of 500 issues. */
export const issuesAtMost = 20;

/** The reason why a field is refused, as zod describes it. */
export interface FieldIssue {
  path: readonly PropertyKey[];
  message: string;
}

/** Turns zod's issues into the contract's, and into one sentence that names the fields. */
export function describeIssues({ issues: found }: { issues: readonly FieldIssue[] }): {
  message: string;
  issues: Issue[];
} {
  const issues = found.slice(0, issuesAtMost).map(({ path, message }) => ({
    path: shorten(path.map(String).join('.')),
    message,
  }));
  const fields = [...new Set(issues.map((issue) => issue.path || 'the body'))].join(', ');
  return { message: `Invalid: ${fields}. ${sentence(issues[0]!)}`, issues };
}

function sentence({ path, message }: Issue): string {
  return `${path || 'The body'} ${message}.`;
}

/** Most warnings of one answer. 500 bad items must not make an answer of 3,000 warnings. */
const warningsAtMost = 20;
/** Longest path. A page chooses the names of its fields, so a path could have 60,000 characters. */
const pathLengthAtMost = 200;

/** Names of fields and positions in lists, from the body down. */
export type Path = readonly (string | number)[];

/** Notes a change of one field. */
export type Warn = (path: Path, message: string) => void;

/** Collects the changes to a report: the first 20, and one more entry that counts the rest. */
export function createWarnings(): { warn: Warn; list: () => Issue[] } {
  const first: Issue[] = [];
  let more = 0;
  return {
    warn(path, message) {
      if (first.length < warningsAtMost) first.push({ path: shorten(path.join('.')), message });
      else more++;
    },
    list: () =>
      more === 0 ? first : [...first, { path: '', message: `${more} more were changed or left out` }],
  };
}

/** Cuts a path to 200 characters. */
export function shorten(path: string): string {
  return path.length > pathLengthAtMost ? `${path.slice(0, pathLengthAtMost)}…` : path;
}

/** The part of an issue that explains a number that a float would change. Such a number is read as a text. */
const inexact =
  'a number needs at most 15 significant digits, and a size from 2.3e-308 to 1.7e308, or reading changes it';

/** The advice about an optional field that is null or empty. */
export const canBeLeftOut = '; an optional field can be left out';

/**
 * Builds the message for a value of the wrong type: missing, null, a number that would change, or another type.
 * @param isRequired set for a field that cannot be left out
 */
export function mustBe(what: string, { isRequired = false } = {}) {
  return ({ input }: { input?: unknown }): string => {
    if (input === undefined) return 'is required';
    if (input === null) return `must be ${what}, not null${isRequired ? '' : canBeLeftOut}`;
    return isInexact(input) ? `must be ${what}; ${inexact}` : `must be ${what}`;
  };
}

/**
 * Builds the message for an amount that is not a number. Texts are refused because some are ambiguous.
 * @param isRequired set for an amount that cannot be left out
 */
export function mustBeAmount({ isRequired = false } = {}) {
  const mustBeNumber = mustBe('a number such as 49.9', { isRequired });
  return ({ input }: { input?: unknown }): string => {
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return mustBeNoObject(input);
    if (typeof input !== 'string' || isInexact(input)) return mustBeNumber({ input });
    if (isAmbiguousDecimal(input.trim()))
      return 'must be a number such as 1000 or 1.5, because the point or comma in a text such as "1.000" can separate thousands';
    const [text, whole, part] = /^\s*(\d{1,12}),(\d{1,6})\s*$/.exec(input) ?? [];
    if (text !== undefined)
      return `must be a number with a decimal point: send ${Number(`${whole}.${part}`)} for "${text.trim()}"`;
    return 'must be a number such as 49.9, without quotes, currency sign and thousands separators';
  };
}

/** Builds the message for an amount that is an object, as Shopify, PayPal and others write money. */
function mustBeNoObject(money: object): string {
  const find = (names: string[]) => names.find((name) => Object.hasOwn(money, name));
  const amount = find(['amount', 'value']);
  const currency = find(['currencyCode', 'currency_code', 'currency']);
  const send = [
    amount === undefined ? '' : `: send amount.${amount} as a number`,
    currency === undefined
      ? ''
      : `${amount === undefined ? ': send' : ', and'} amount.${currency} as currency`,
  ].join('');
  return `must be a number such as 49.9, not an object${send}`;
}

const timeExample = 'a time such as 2026-11-26T09:30:00Z';
/** Matches day, clock, seconds and zone of a time, in the forms in which programs write them. */
const timeParts =
  /^\s*(\d{4}-\d\d-\d\d)(?:(?:T| +)(\d\d:\d\d)(:\d\d(?:\.\d+)?)? *(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?\s*$/i;

/** Builds the message for an invalid time: what is missing, or how to write it. */
export function mustBeTime({ input }: { input?: unknown }): string {
  const [text, day, clock, seconds, zone] = (typeof input === 'string' && timeParts.exec(input)) || [];
  if (text === undefined) return mustBe(timeExample)({ input });
  const missing = clock === undefined ? ['a time of day'] : seconds === undefined ? ['seconds'] : [];
  if (zone === undefined) missing.push('a zone');
  if (missing.length > 0)
    return `lacks ${missing.join(' and ')}; must be ${timeExample} or 2026-11-26T10:30:00+01:00`;
  const written = `${day}T${clock}${seconds}${writeZone(zone!)}`;
  if (written === text) return `is no time of the calendar; must be ${timeExample}`;
  return `must be ${timeExample}: send ${written} for "${text}"`;
}

function writeZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

function isInexact(input: unknown): boolean {
  return typeof input === 'string' && isInexactNumber(input);
}
