import type { PageElement } from './readElements.js';

/** Types with which browsers run a script (WHATWG HTML, 4.12.1.1), or with which Cloudflare's Rocket Loader does. */
const runnable =
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript)|[\da-f]{8,}-(?:text\/javascript|module)?)$/;

/** Returns the type of a script that neither browsers nor Rocket Loader run; null if the script runs. */
export function deadType({ attributes }: PageElement): string | null {
  if (attributes.has('nomodule')) return 'nomodule';
  const type = attributes.get('type')?.toLowerCase() ?? '';
  return runnable.test(type) ? null : type;
}

/** @returns true for a script that runs after the ordinary ones: a module, or one of Rocket Loader */
export const runsLate = ({ attributes }: PageElement): boolean =>
  /module$|^[\da-f]{8,}-/i.test(attributes.get('type') ?? '');

/** Strings and comments, also without an end, so that no part is searched twice. */
const parts =
  /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'?|`[^`\\]*(?:\\[\s\S][^`\\]*)*`?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g;

/** Removes the comments from JavaScript, but not from its strings. */
export const withoutComments = (code: string): string =>
  code.replace(parts, (part) => (part.startsWith('/') ? ' ' : part));

/** Replaces the strings of JavaScript by blanks of the same length. The code must have no comments. */
export const withoutTexts = (code: string): string => code.replace(parts, (part) => ' '.repeat(part.length));

/** Escapes a name of JavaScript for a regular expression. */
export const escapeName = (name: string): string => name.replace(/\W/g, '\\$&');
