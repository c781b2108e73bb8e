import type { PageElement } from './readElements.js';

/** A type with which browsers run a script (WHATWG HTML, 4.12.1.1), or with which Cloudflare's Rocket Loader does. */
const runnable =
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript)|[\da-f]{8,}-(?:text\/javascript|module)?)$/;

/** The type of a script that neither browsers nor Rocket Loader run; null for one that runs. */
export function deadType({ attributes }: PageElement): string | null {
  if (attributes.has('nomodule')) return 'nomodule';
  const type = attributes.get('type')?.toLowerCase() ?? '';
  return runnable.test(type) ? null : type;
}

/** True for a script that runs after those that are written as they stand. */
export const runsLate = ({ attributes }: PageElement): boolean =>
  /module$|^[\da-f]{8,}-/i.test(attributes.get('type') ?? '');

/** Texts and comments, also those without an end: so that no part is looked at twice. */
const parts =
  /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'?|`[^`\\]*(?:\\[\s\S][^`\\]*)*`?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g;

/** Takes the comments out of JavaScript, and leaves texts as they are. */
export const withoutComments = (code: string): string =>
  code.replace(parts, (part) => (part.startsWith('/') ? ' ' : part));

/** Blanks the texts of JavaScript without comments. Its length stays. */
export const withoutTexts = (code: string): string => code.replace(parts, (part) => ' '.repeat(part.length));

/** Writes a name of JavaScript for a regular expression. */
export const escapeName = (name: string): string => name.replace(/\W/g, '\\$&');
