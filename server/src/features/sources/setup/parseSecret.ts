import type { SourceKind } from '../source.js';

/** Some are 64 characters; nobody signs with more than these. */
const lengthAtMost = 255;

/**
 * Texts that WordPress stores without their marks, or signs with another text: tags and octets such as `%41`, which
 * `sanitize_text_field` removes, two spaces, which it makes one, and entities, which WooCommerce decodes before it signs.
 */
const changedByWordPress = /<(?!\s)[^<>]*>|%[\da-f]{2}| {2}|&(?:amp|lt|gt|quot|apos|#0*3[49]|#x0*2[27]);/i;

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
  const [changed] = (kind === 'woocommerce' && changedByWordPress.exec(secret)) || [];
  if (changed)
    return {
      hint: `WordPress does not keep “${changed}” in a secret as it is, so that each event would be refused; enter one of letters and digits on both sides`,
    };
  return { secret };
}

/** Reads the text that stands before a source's order ids. Null for one that cannot. */
export function parseOrderIdPrefix(text: string): string | null {
  return /^[\x21-\x7e]{0,20}$/.test(text) ? text : null;
}
