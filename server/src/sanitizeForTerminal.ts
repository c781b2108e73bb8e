/**
 * What must not reach a terminal out of a text that anybody may have sent: control characters (an escape
 * sequence can rewrite the screen) and those that turn the direction of writing.
 */
const unprintable = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** The text with a replacement character for each one that could play tricks on a terminal. */
export function sanitizeForTerminal(text: string): string {
  return text.replace(unprintable, '\uFFFD');
}
