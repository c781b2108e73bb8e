import type { OrderFields } from './fields.js';
import type { Said, StoredOrder } from './storedOrder.js';

/** The values that are stored and answered where nobody said one. They are nobody's words. */
export const defaults = {
  currency: 'USD',
  source: { withoutKey: 'OTHER', withKey: 'MANUAL' },
} as const;

/** A field that every order has, whether anybody said it or not. */
export type DefaultedField = keyof typeof defaults;

/** Names of these fields. */
export const defaultedFields = Object.keys(defaults) as DefaultedField[];

/** These fields as they were said: null where nobody said them. */
export type SaidMoney = { [Name in DefaultedField]: OrderFields[Name] | null };

/**
 * Returns currency and source of an order, with the defaults where nobody said them, and its words, which then say so. All orders
 * pass it before they are stored, so it copies nothing else of them.
 * @param isByKey true when an API key has reported the order
 */
export function filledMoney(
  { currency, source, said = null }: SaidMoney & { said?: Said | null },
  isByKey: boolean,
): Pick<OrderFields, DefaultedField> & { said: Said | null } {
  if (currency !== null && source !== null) return { currency, source, said };
  const filled = {
    currency: currency ?? defaults.currency,
    source: source ?? defaults.source[isByKey ? 'withKey' : 'withoutKey'],
  };
  const unsaid: DefaultedField[] = currency === null ? ['currency'] : [];
  if (source === null) unsaid.push('source');
  if (said === null) return { ...filled, said: { unsaid } };
  // A server of 0.3.0 beside this one knows nothing of `unsaid`, and needs both fields in the words of one of them.
  const key = said.key && { ...Object.fromEntries(unsaid.map((name) => [name, filled[name]])), ...said.key };
  return { ...filled, said: { ...said, ...(key && { key }), unsaid } };
}

/** Puts what `filledMoney` returns into a copy of the order. */
export function withDefaults<Order extends SaidMoney & { said?: Said | null }>(
  order: Order,
  isByKey: boolean,
): Omit<Order, DefaultedField | 'said'> & ReturnType<typeof filledMoney> {
  return { ...order, ...filledMoney(order, isByKey) };
}

/** True when an API key has reported an order whose source may be a default. */
export function hasDefaultOfKey({ reportedBy, source }: Pick<StoredOrder, 'reportedBy' | 'source'>): boolean {
  return reportedBy === 'key' || source === defaults.source.withKey;
}
