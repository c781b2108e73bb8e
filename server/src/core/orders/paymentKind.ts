/** The kinds of ids that payment providers and shop systems give, before the id itself. A source may put a prefix before its own. */
const kinds = ['^(?:pi|ch|py|in|cs)_', '^.*(?:shopify|woocommerce)_(?=[0-9])'];

/** Matches the kind of an id, as JavaScript and PostgreSQL read it. One payment has one id of each kind. */
export const paymentKind = kinds.join('|');

const pattern = new RegExp(paymentKind);

/** Reads the kind of an id that a provider or shop system gave; undefined for any other key. */
export function kindOf(key: string): string | undefined {
  return pattern.exec(key)?.[0];
}

/** True for an id that a payment provider gave: of a payment, a charge, an invoice or a Checkout session. */
export function isProviderId(id: string): boolean {
  return /^(?:pi|ch|py|in|cs)_/.test(id);
}
