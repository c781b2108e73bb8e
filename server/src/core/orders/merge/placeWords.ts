import { isShopKey } from '../payment.js';
import { type Candidate, ordersNaming, ownersOf } from './candidates.js';
import { contradicts, haveSameAmount, haveSameBuyer, isNear } from './contradicts.js';
import { isLegacy, isOfPage, type StatedObject, valuesOf } from './statement.js';

/**
 * Adds the report of a page, a file or a backend to its order. If there is no such order, the report becomes a new order, which may
 * share its number with another. A page is set aside if the order with its number has another buyer and both are at most three days
 * apart, or if the order with its `reportId` has another buyer: a `reportId` is of one call.
 * @returns false if the page is set aside
 */
export function placeWord(word: StatedObject, orders: Candidate[]): boolean {
  const ofPayment = ordersNaming(orders, word, 'provider');
  // An old order belongs to the payment whose id it has, even if that payment names another buyer now.
  const isFree = (order: Candidate) =>
    (isLegacy(word) && ofPayment.includes(order)) ||
    !(contradicts([word], order.objects) || isOfOtherShopOrder(word, order));
  // Of several orders with the number, one with the same buyer comes first: an order without a buyer contradicts nothing.
  const isOfBuyer = ({ objects }: Candidate) => objects.some((object) => haveSameBuyer(word, object));
  const owners = ownersOf(orders, word).sort((a, b) => Number(isOfBuyer(b)) - Number(isOfBuyer(a)));
  const named = [...ofPayment, ...owners];
  const target =
    named.find(isFree) ??
    orders.find((order) => isFormer(word, order) && !isOfOtherShopOrder(word, order)) ??
    ordersNaming(orders, word, 'idempotency', 'report').find(isFree);
  const isOfCall = () => ordersNaming(orders, word, 'report').length > 0;
  if (target) target.objects.push(word);
  else if (isOfPage(word) && (named.some(({ head }) => isNear(head.created, word.created)) || isOfCall()))
    return false;
  else orders.push({ objects: [word], clusters: [], head: word });
  return true;
}

/**
 * @returns true if both a report and an order have keys of shop orders, but none in common. Only servers before 0.5.0 stored such
 *   keys in reports.
 */
function isOfOtherShopOrder(word: StatedObject, { objects }: Candidate): boolean {
  const keys = valuesOf(word, 'provider').filter(isShopKey);
  const known = objects.flatMap((object) => valuesOf(object, 'provider')).filter(isShopKey);
  return keys.length > 0 && known.length > 0 && !keys.some((key) => known.includes(key));
}

/**
 * @returns true if the report's number is the order's shop id, or the other way round: a plugin may number orders later. Buyer and
 *   amount must be the same, because the number of one order can be the shop id of another.
 */
function isFormer(word: StatedObject, { objects }: Candidate): boolean {
  const values = (kind: 'number' | 'shopOrder') => objects.flatMap((object) => valuesOf(object, kind));
  const isCalled =
    valuesOf(word, 'number').some((value) => values('shopOrder').includes(value)) ||
    valuesOf(word, 'shopOrder').some((value) => values('number').includes(value));
  return isCalled && objects.some((each) => haveSameBuyer(word, each) && haveSameAmount(word, each));
}
