import { isSameAmount } from '../../../values/currency.js';
import { dayMs } from '../../../values/time.js';
import type { StatedObject } from './statement.js';

/** Two statements within this time can be about the same purchase. */
const nearMs = 3 * dayMs;

/** @returns true if two times are at most three days apart */
export function isNear(one: string, other: string): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) <= nearMs;
}

/**
 * @returns true if statements cannot be about an order, because they name another buyer. All buyers that the statements ever named
 *   count as one buyer, and so do those of the order. There are three exceptions. A statement without a buyer contradicts nothing.
 *   A backend or shop that states the same amount within three days names the same buyer by another email. Backends never
 *   contradict each other, because the number is theirs
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

/** @returns true if two objects ever stated the same amount. A missing currency matches any currency. */
export function haveSameAmount(one: StatedObject, other: StatedObject): boolean {
  return one.amounts.some((a) =>
    other.amounts.some(
      (b) =>
        (a.currency === null || b.currency === null || a.currency === b.currency) &&
        isSameAmount(Number(a.amount), Number(b.amount), a.currency ?? b.currency ?? 'USD'),
    ),
  );
}

/** @returns true if two objects ever named the same buyer */
export const haveSameBuyer = (one: StatedObject, other: StatedObject): boolean =>
  one.buyers.some((id) => other.buyers.includes(id));
