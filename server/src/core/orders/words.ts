import { withDefaults } from './defaults.js';
import { fieldNames } from './fields.js';
import { isProviderId } from './payment.js';
import type { StoredOrder, Words } from './storedOrder.js';

/** Words of an order's speakers. */
export interface WordsBySpeaker {
  /** Null while no page has spoken. */
  page: Words | null;
  /** Null while no key has spoken. */
  key: Words | null;
  /** Touches of an earlier order of the visitor; they count until a page speaks. */
  earlier: Words | null;
}

/** Reads what was said of a stored order. Where only one has spoken, all fields are its words. */
export function wordsBySpeaker(order: StoredOrder): WordsBySpeaker {
  const { said, reportedBy } = order;
  if (reportedBy === 'browser') return { page: wordsOf(order), key: null, earlier: null };
  if (reportedBy === 'key')
    return {
      page: null,
      key: without(wordsOf(order), Object.keys(said?.page ?? {})),
      earlier: said?.page ?? null,
    };
  const key = said?.key ? without(said.key, said.unsaid) : wordsOf(order);
  return { page: said?.page ?? {}, key, earlier: null };
}

/**
 * Gives an order its fields, as `key ?? page`, and the words of both where both have spoken.
 * @param isByKey true when an API key has reported it
 */
export function toFields(
  before: StoredOrder,
  { page, key, earlier }: WordsBySpeaker,
  isByKey: boolean,
): StoredOrder {
  const order = { ...before };
  for (const name of fieldNames)
    Object.assign(order, { [name]: key?.[name] ?? page?.[name] ?? earlier?.[name] ?? null });
  order.orderId = strongest(key?.orderId, page?.orderId);
  order.personId = key?.personId ?? page?.personId ?? before.personId;
  order.reportedBy = key === null ? 'browser' : page === null ? 'key' : 'both';
  order.said = null;
  if (key !== null && page !== null && !isEmpty(page)) order.said = { page, key };
  if (key !== null && page === null && earlier) order.said = { page: earlier };
  return withDefaults(order, isByKey);
}

/** Adds later words of the same speaker: the first word on a field counts, and later ones fill blanks. */
export function addWords(first: Words | null, later: Words | null): Words | null {
  if (first === null || later === null) return first ?? later;
  const orderId = strongest(first.orderId, later.orderId);
  // The database writes the touches of an earlier order with null for the one that is missing.
  const said = Object.fromEntries(Object.entries(first).filter(([, value]) => value !== null));
  return { ...later, ...said, ...(orderId !== null && { orderId }) };
}

/** The shop's own id comes before one of a payment provider, and the first one before a later one. */
export function strongest(...ids: (string | null | undefined)[]): string | null {
  const named = ids.filter((id) => id !== null && id !== undefined);
  return named.find((id) => !isProviderId(id)) ?? named[0] ?? null;
}

/** The fields of an order that somebody said, as words. */
function wordsOf(order: StoredOrder): Words {
  const words: Words = order.hasNoEmail ? {} : { personId: order.personId };
  for (const name of fieldNames) if (order[name] !== null) Object.assign(words, { [name]: order[name] });
  return without(words, order.said?.unsaid);
}

/** Words on other fields than these. */
export function without(words: Words, names: readonly string[] = []): Words {
  return Object.fromEntries(Object.entries(words).filter(([name]) => !names.includes(name)));
}

function isEmpty(words: Words): boolean {
  return Object.keys(words).length === 0;
}
