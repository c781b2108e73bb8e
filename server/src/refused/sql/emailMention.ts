/** Pattern of JSON escapes of characters that no email contains: `\n` and the like, or an escaped `<` or `,`. */
const separatorEscape = '\\\\[bfnrt]|\\\\u00(?:[01][0-9a-f]|2[0267-9cf]|3[a-f])';

/**
 * Builds a regular expression of PostgreSQL that finds a lower-case email in the lower-case text of a JSON body, but not
 * inside a longer email. Encoders differ: Python and PHP write `zo\u00eb`, Go `\u003cann@buyer.example\u003e`, .NET `ann\u002b1`.
 */
export function emailMention(email: string): string {
  const letters = [...email].map(anyForm).join('');
  return `(?:^|[^a-z0-9._%+-]|${separatorEscape})${letters}(?:$|[^a-z0-9.-]|\\.(?:$|[^a-z0-9]))`;
}

/** Pattern for a character, plain or escaped. Beyond ASCII also for its upper case, which not every database lowers. */
function anyForm(character: string): string {
  if (/[a-z0-9]/.test(character)) return character;
  const cases = new Set([character, character.toUpperCase()]);
  const forms = [...cases].flatMap((text) => [/[!-~]/.test(text) ? `\\${text}` : text, escaped(text)]);
  return `(?:${forms.join('|')})`;
}

/** Its escapes in JSON, in lower case; each backslash is doubled for the regular expression. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => `\\\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
