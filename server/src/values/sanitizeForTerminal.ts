/**
 * Matches characters that could manipulate a terminal: control characters (an escape sequence can rewrite the screen) and those
 * that change the direction of writing.
 */
const unprintable = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Replaces the characters with which a stored text could manipulate a terminal. */
export function sanitizeForTerminal(text: string): string {
  return text.replace(unprintable, '\uFFFD');
}
