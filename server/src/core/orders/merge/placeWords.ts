import { isShopKey } from '../payment.js';
import { type Candidate, ordersNaming, ownersOf } from './candidates.js';
import { contradicts, haveSameAmount, haveSameBuyer, isNear } from './contradicts.js';
import { isLegacy, type StatedObject, valuesOf } from './statement.js';

/** True for what a page says. */
export const isOfPage = ({ speaker }: StatedObject): boolean => speaker === 'page' || speaker === 'signed';

/**
 * Puts the words of a page, a file or a backend into the order that they are of. If there is none they are an order of their own,
 * which may share its number; save a page whose number is that of another buyer's order of these days.
 * @returns false for a page that is set aside
 */
export function placeWord(word: StatedObject, orders: Candidate[]): boolean {
  const ofPayment = ordersNaming(orders, word, 'provider');
  // An old order is the payment whose id it has, whatever buyer that names now.
  const isFree = (order: Candidate) =>
    (isLegacy(word) && ofPayment.includes(order)) ||
    !(contradicts([word], order.objects) || isOfOtherShopOrder(word, order));
  // Of orders that share the number first the one of the same buyer: an order of nobody contradicts nobody.
  const isOfBuyer = ({ objects }: Candidate) => objects.some((object) => haveSameBuyer(word, object));
  const owners = ownersOf(orders, word).sort((a, b) => Number(isOfBuyer(b)) - Number(isOfBuyer(a)));
  const named = [...ofPayment, ...owners];
  const target =
    named.find(isFree) ??
    orders.find((order) => isFormer(word, order) && !isOfOtherShopOrder(word, order)) ??
    ordersNaming(orders, word, 'idempotency', 'report').find(isFree);
  if (target) target.objects.push(word);
  else if (isOfPage(word) && named.some(({ head }) => isNear(head.created, word.created))) return false;
  else orders.push({ objects: [word], clusters: [], head: word });
  return true;
}

/** True if a shop system gave the order of words, as a server before 0.5.0 stored it, and an order, two keys of its own. */
function isOfOtherShopOrder(word: StatedObject, { objects }: Candidate): boolean {
  const keys = valuesOf(word, 'provider').filter(isShopKey);
  const known = objects.flatMap((object) => valuesOf(object, 'provider')).filter(isShopKey);
  return keys.length > 0 && known.length > 0 && !keys.some((key) => known.includes(key));
}

/**
 * True for words that call an order by the shop's own id where the order has it as its number, or the other way round: a plugin
 * numbers orders later. The number of one order can be the id of another one, so buyer and amount are the same.
 */
function isFormer(word: StatedObject, { objects }: Candidate): boolean {
  const values = (kind: 'number' | 'shopOrder') => objects.flatMap((object) => valuesOf(object, kind));
  const isCalled =
    valuesOf(word, 'number').some((value) => values('shopOrder').includes(value)) ||
    valuesOf(word, 'shopOrder').some((value) => values('number').includes(value));
  return isCalled && objects.some((each) => haveSameBuyer(word, each) && haveSameAmount(word, each));
}
