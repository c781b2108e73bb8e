import { hasDefaultOfKey } from './defaults.js';
import { fieldsWith } from './fields.js';
import type { BuyerOfShop, JudgedReport } from './report.js';
import type { StoredOrder, Words } from './storedOrder.js';
import { toFields, wordsBySpeaker } from './words.js';

/** An order and a report of it, without the words that its shop system has forgotten. */
interface Forgotten {
  before: StoredOrder;
  reported: StoredOrder;
  /** The person without an email who has the order from now on; null where nothing was forgotten. */
  nobody: BuyerOfShop['nobody'] | null;
  /** True for a page's report of an order whose buyer the shop system has forgotten. */
  isRefused: boolean;
  /** Keys to keep with the order, which say to later reports what has come before them. */
  markers: string[];
}

/** Beginnings of these keys: the buyer was forgotten; or was named by a backend, though the shop has no email; or by the shop later. */
const forgotten = 'forgotten:';
const namedByBackend = 'named-by-backend:';
const namedByShop = 'named-by-shop:';

/** Finds these keys, for PostgreSQL: nobody is shown them. */
export const markerPattern = `^(${forgotten}|${namedByBackend}|${namedByShop})`;

/** Makes the key of an order whose buyer its shop system has erased. */
export const forgottenKey = (key: string) => `${forgotten}${key}`;

/**
 * Takes out of an order and a report what a shop system has forgotten of the buyer. It has when it erased the buyer, or when
 * one of its changes named one and a later one does not, in whatever order they come. All words about the person go, whoever said
 * them, and only a later change of the shop system names a buyer again. An order of which it never had an email, as of a till,
 * keeps the buyer whom another report has named. Pure.
 */
export function forgetBuyer(before: StoredOrder, reported: StoredOrder, report: JudgedReport): Forgotten {
  const kept: Forgotten = { before, reported, nobody: null, isRefused: false, markers: [] };
  const { key } = wordsBySpeaker(before);
  if (before.isErased) return kept;
  const has = (marker: string) =>
    before.keys.some((each) => each.amount === null && each.key.startsWith(marker));
  const isNamed = Boolean(key?.personId);
  const isForgotten = has(forgotten) && !isNamed;
  // Other reports of a shop system have a time of change.
  const isFirstName =
    key !== null &&
    !isNamed &&
    before.changedAt !== null &&
    reported.changedAt === null &&
    !reported.hasNoEmail;
  if (report.buyerOfShop === undefined) {
    const isByPage = reported.reportedBy !== 'key';
    if (isForgotten)
      return { ...kept, reported: withoutBuyer(reported, before.personId), isRefused: isByPage };
    return isFirstName && !isByPage ? { ...kept, markers: [namedByBackend + before.id] } : kept;
  }
  const { state, nobody } = report.buyerOfShop;
  const isLater =
    before.changedAt === null || reported.changedAt === null || reported.changedAt > before.changedAt;
  if (state === 'named' && isLater)
    return has(namedByBackend) ? { ...kept, markers: [namedByShop + before.id] } : kept;
  const isNamedByShop = isNamed && before.changedAt !== null && (!has(namedByBackend) || has(namedByShop));
  const forgets =
    isForgotten ||
    (state === 'named' && key !== null && !isNamed) ||
    (state === 'erased' && (isLater || !isNamed)) ||
    (state === 'none' && isLater && isNamedByShop);
  if (forgets)
    return {
      ...kept,
      before: withoutBuyer(before, nobody.personId),
      reported: withoutBuyer(reported, nobody.personId),
      nobody,
      markers: [forgottenKey(before.id)],
    };
  const isBackends = state === 'none' && isNamed && before.changedAt === null;
  return isBackends ? { ...kept, markers: [namedByBackend + before.id] } : kept;
}

const personal: ReadonlySet<string> = new Set([...fieldsWith('isPersonal'), 'personId']);

/** Takes all words about the person out of an order. The further fields of keys stay: a shop system's are taxes and the like. */
function withoutBuyer(order: StoredOrder, personId: StoredOrder['personId']): StoredOrder {
  const { page, key } = wordsBySpeaker(order);
  const impersonal = (words: Words | null, kept?: string) =>
    words &&
    Object.fromEntries(Object.entries(words).filter(([name]) => name === kept || !personal.has(name)));
  const spoken = { page: impersonal(page), key: impersonal(key, 'extra'), earlier: null };
  return toFields({ ...order, personId, hasNoEmail: true }, spoken, hasDefaultOfKey(order));
}
