import { z } from 'zod';
import { mustBe } from './issues.js';

const nul = String.fromCharCode(0);
/** Separate the cells and rows of a text (ISO 646); the second separates the cells in which reports travel to PostgreSQL. */
const separators = ['\x1e', '\x1f'] as const;

/** Byte order mark, which marks a text as UTF-8. Without it Excel shows "Zoë" garbled. */
export const byteOrderMark = '\uFEFF';

/** Removes the byte order mark that some programs put before a text. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** Characters that nobody sees, such as U+200E, a soft hyphen or a byte order mark: copied from a page or an office file. */
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const plainText = /^[!-~]*$/;

/** Removes from an id what nobody sees: invisible characters, and spaces around it. */
export function visibleId(id: string): string {
  return plainText.test(id) ? id : id.replace(invisible, '').trim();
}

/** Checks that PostgreSQL takes the text, and that every reader can decode it: no NUL, no lone surrogate. */
export function isPostgresText(text: string): boolean {
  return !text.includes(nul) && text.isWellFormed();
}

/** Checks that the text can be stored as a value of a report: it also has no U+001E and no U+001F. */
export function isStorable(text: string): boolean {
  return isPostgresText(text) && !text.includes(separators[0]) && !text.includes(separators[1]);
}

/** Matches all characters that are not storable. */
export const unstorableCharacters = new RegExp(`[${nul}${separators.join('')}\\p{Surrogate}]`, 'gu');

/** The sentence for text that is not storable. */
export const unstorable = 'must hold no NUL character, no U+001E, no U+001F and no lone surrogate';

/** The storable characters, as far as a pattern can say it in every language. */
export const storablePattern = '[^\\x00\\x1e\\x1f]';

/** Builds the sentence for a text of more than `max` UTF-16 code units. */
export function tooLong(max: number): string {
  return `must be at most ${max} characters`;
}

/** Makes the schema of a storable text of 1 to `max` UTF-16 code units. One check, because every id and name of an order passes it. */
export function text(max: number) {
  return (
    z
      .string({ error: mustBe('a string') })
      .refine((value) => complaintOf(value, max) === undefined, {
        error: ({ input }) => complaintOf(input as string, max),
      })
      // JSON Schema counts a pair of surrogates as one character, the contract counts two. Of what cannot be stored it can say
      // only this in a way that every language reads.
      .meta({ minLength: 1, maxLength: max, pattern: `^${storablePattern}*$` })
  );
}

function complaintOf(value: string, max: number): string | undefined {
  if (value === '') return 'must not be empty; an optional field can be left out';
  if (value.length > max) return tooLong(max);
  return isStorable(value) ? undefined : unstorable;
}

/** Reads the first part of a UTF-8 text. A character that was cut in the middle is left out. */
export function decodePart(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
