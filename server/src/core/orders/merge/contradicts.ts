import { isSameAmount } from '../../../values/currency.js';
import { dayMs } from '../../../values/time.js';
import type { StatedObject } from './statement.js';

/** Two sayings within this time may be of one purchase. */
const nearMs = 3 * dayMs;

/** True if two times lie within three days. */
export function isNear(one: string, other: string): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) <= nearMs;
}

/**
 * True if words cannot be of an order, because they name another buyer. Whomever the objects of both ever named is the same
 * buyer, and who names nobody contradicts nobody. A backend or a payment that says the same amount within three days names the same
 * buyer by another email. Between backends nothing contradicts: the number is theirs.
 */
export function contradicts(words: readonly StatedObject[], order: readonly StatedObject[]): boolean {
  const named = new Set(words.flatMap(({ buyers }) => buyers));
  if (named.size === 0 || order.some(({ buyers }) => buyers.some((id) => named.has(id)))) return false;
  const isOfBackend = words.every(({ speaker }) => speaker === 'backend');
  const naming = order.filter(({ buyers }) => buyers.length > 0);
  if (naming.every(({ speaker }) => isOfBackend && speaker === 'backend')) return false;
  return !words.some(
    (word) =>
      (word.speaker === 'backend' || word.speaker === 'shop') &&
      order.some((each) => isNear(word.created, each.created) && haveSameAmount(word, each)),
  );
}

/** True if two objects ever said one amount. A currency that nobody said is that of the other. */
export function haveSameAmount(one: StatedObject, other: StatedObject): boolean {
  return one.amounts.some((a) =>
    other.amounts.some(
      (b) =>
        (a.currency === null || b.currency === null || a.currency === b.currency) &&
        isSameAmount(Number(a.amount), Number(b.amount), a.currency ?? b.currency ?? 'USD'),
    ),
  );
}

/** True if two objects ever named one buyer. */
export const haveSameBuyer = (one: StatedObject, other: StatedObject): boolean =>
  one.buyers.some((id) => other.buyers.includes(id));
