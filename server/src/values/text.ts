import { z } from 'zod';
import { canBeLeftOut, mustBe } from './issues.js';

const nul = String.fromCharCode(0);
/**
 * Characters that separate the rows and cells of a text (ISO 646). The second one separates the cells in which reports are sent to
 * PostgreSQL.
 */
const separators = ['\x1e', '\x1f'] as const;

/** Byte order mark, which marks a text as UTF-8. Without it Excel shows "Zoë" garbled. */
export const byteOrderMark = '\uFEFF';

/** Removes the byte order mark that some programs put before a text. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/**
 * Matches invisible characters, such as U+200E, a soft hyphen or a byte order mark. They are copied from a page or an office file.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const plainText = /^[!-~]*$/;

/** Removes from an id the invisible characters, and the spaces around it. */
export function visibleId(id: string): string {
  return plainText.test(id) ? id : id.replace(invisible, '').trim();
}

/** Checks that PostgreSQL accepts a text, and that every reader can decode it: no NUL, no lone surrogate. */
export function isPostgresText(text: string): boolean {
  return !text.includes(nul) && text.isWellFormed();
}

/** Checks that a text can be stored as a value of a report. It must also contain no U+001E and no U+001F. */
export function isStorable(text: string): boolean {
  return isPostgresText(text) && !text.includes(separators[0]) && !text.includes(separators[1]);
}

/** Matches all characters that cannot be stored. */
export const unstorableCharacters = new RegExp(`[${nul}${separators.join('')}\\p{Surrogate}]`, 'gu');

/** The message about a text that cannot be stored. */
export const unstorable = 'must hold no NUL character, no U+001E, no U+001F and no lone surrogate';

/** Matches one character that can be stored, as far as a pattern can express that in every language. */
export const storablePattern = '[^\\x00\\x1e\\x1f]';

/** Returns the message about a text of more than `max` UTF-16 code units. */
export function tooLong(max: number): string {
  return `must be at most ${max} characters`;
}

/**
 * Creates the schema of a storable text of 1 to `max` UTF-16 code units. It has only one check, because every id and name of an
 * order passes it.
 * @param isRequired set for a field that cannot be left out
 */
export function text(max: number, { isRequired = false } = {}) {
  return (
    z
      .string({ error: mustBe('a string', { isRequired }) })
      .refine((value) => complaintOf(value, max, isRequired) === undefined, {
        error: ({ input }) => complaintOf(input as string, max, isRequired),
      })
      // JSON Schema counts a surrogate pair as one character, the contract counts two. The pattern only excludes characters that it
      // can exclude in every language.
      .meta({ minLength: 1, maxLength: max, pattern: `^${storablePattern}*$` })
  );
}

function complaintOf(value: string, max: number, isRequired: boolean): string | undefined {
  if (value === '') return `must not be empty${isRequired ? '' : canBeLeftOut}`;
  if (value.length > max) return tooLong(max);
  return isStorable(value) ? undefined : unstorable;
}

/** Decodes the first part of a UTF-8 text. A character that was cut in the middle is left out. */
export function decodePart(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
