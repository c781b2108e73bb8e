import type { SourceKind } from './source.js';

/** Some are 64 characters; nobody signs with more than these. */
const lengthAtMost = 255;

/**
 * Reads a signing secret as it was pasted, without spaces and line breaks around it. Returns a hint for a text that cannot
 * be one.
 */
export function parseSecret(kind: SourceKind, text: string): { secret: string } | { hint: string } {
  const secret = text.trim();
  if (secret === '') return { hint: 'the secret is empty' };
  if (secret.length > lengthAtMost || !/^[\x20-\x7e]+$/.test(secret))
    return { hint: `a secret is one line of at most ${lengthAtMost} printable characters` };
  if (kind === 'stripe' && !secret.startsWith('whsec_'))
    return {
      hint: 'the signing secret of a Stripe webhook begins with whsec_; Stripe shows it on the page of the destination',
    };
  return { secret };
}

/** Reads the text that stands before a source's order ids. Null for one that cannot. */
export function parseOrderIdPrefix(text: string): string | null {
  return /^[\x21-\x7e]{0,20}$/.test(text) ? text : null;
}
