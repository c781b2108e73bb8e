import type { SourceKind } from '../source.js';

/** Characters of a secret at most. Some providers use 64, none more than 255. */
const lengthAtMost = 255;

/**
 * Parts of a secret that WordPress would change, so that signatures differ. `sanitize_text_field` removes tags and
 * octets such as `%41`, and merges two spaces. WooCommerce decodes entities before it signs.
 */
const changedByWordPress = /<(?!\s)[^<>]*>|%[\da-f]{2}| {2}|&(?:amp|lt|gt|quot|apos|#0*3[49]|#x0*2[27]);/i;

/** Reads a signing secret as a person pasted it, without surrounding white space. Returns a hint if it is invalid. */
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

/** Reads the prefix of a source's order ids. Null if it is invalid. */
export function parseOrderIdPrefix(text: string): string | null {
  return /^[\x21-\x7e]{0,20}$/.test(text) ? text : null;
}
