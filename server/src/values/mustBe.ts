import { isAmbiguousDecimal, isInexactNumber } from './decimal.js';

/** The advice for a number that reading would change, and that was read as a text. */
const inexact =
  'a number needs at most 15 significant digits, and a size from 2.3e-308 to 1.7e308, or reading changes it';

/** Builds the message for a value of the wrong type: missing, null, a number that would change, or another type. */
export function mustBe(what: string) {
  return ({ input }: { input?: unknown }): string => {
    if (input === undefined) return 'is required';
    if (input === null) return `must be ${what}, not null; an optional field can be left out`;
    return isInexact(input) ? `must be ${what}; ${inexact}` : `must be ${what}`;
  };
}

/** Builds the message for an amount that is not a number. Texts are refused because some can be read in two ways. */
export function mustBeAmount({ input }: { input?: unknown }): string {
  if (typeof input !== 'string' || isInexact(input)) return mustBe('a number such as 49.9')({ input });
  if (isAmbiguousDecimal(input.trim()))
    return 'must be a number such as 1000 or 1.5, because the point in a text such as "1.000" can separate thousands';
  if (/^\s*\d+,\d+\s*$/.test(input)) return 'must be a number with a decimal point: send 49.9 for "49,90"';
  return 'must be a number such as 49.9, without quotes, currency sign and thousands separators';
}

function isInexact(input: unknown): boolean {
  return typeof input === 'string' && isInexactNumber(input);
}
