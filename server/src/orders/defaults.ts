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
 * Puts the defaults in where nobody said a value, and says so in `said`. All orders pass it before they are stored.
 * @param isByKey true when an API key has reported the order
 */
export function withDefaults<Order extends SaidMoney & { said?: Said | null }>(
  order: Order,
  isByKey: boolean,
): Omit<Order, DefaultedField | 'said'> & Pick<OrderFields, DefaultedField> & { said: Said | null } {
  const { currency, source, said = null } = order;
  if (currency !== null && source !== null) return { ...order, currency, source, said };
  const filled = {
    currency: currency ?? defaults.currency,
    source: source ?? defaults.source[isByKey ? 'withKey' : 'withoutKey'],
  };
  const unsaid = defaultedFields.filter((name) => order[name] === null);
  // A server of 0.3.0 beside this one knows nothing of `unsaid`, and needs both fields in the words of one of them.
  const key = said?.key && { ...Object.fromEntries(unsaid.map((name) => [name, filled[name]])), ...said.key };
  return { ...order, ...filled, said: { ...said, ...(key && { key }), unsaid } };
}

/** True when an API key has reported an order whose source may be a default. */
export function hasDefaultOfKey({ reportedBy, source }: Pick<StoredOrder, 'reportedBy' | 'source'>): boolean {
  return reportedBy === 'key' || source === defaults.source.withKey;
}
