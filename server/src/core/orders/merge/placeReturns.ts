import { type Candidate, orderOf, ordersNaming, ownersOf } from './candidates.js';
import { haveSameAmount, haveSameBuyer } from './contradicts.js';
import { isOfPage, type StatedObject, valuesOf } from './statement.js';

/**
 * Adds the end of a shop order that was never paid to the order of pages that it cancels. Joins several such orders into one: pages
 * may have used different numbers for it.
 * @returns false if there is no such order, so that the end waits
 */
export function placeEnd(end: StatedObject, orders: Candidate[]): boolean {
  const [target, ...others] = orders.filter((order) => takesBack(end, order));
  for (const other of others) {
    target!.objects.push(...other.objects);
    orders.splice(orders.indexOf(other), 1);
  }
  target?.objects.push(end);
  return target !== undefined;
}

/**
 * @returns true if the end of an unpaid shop order cancels an order of pages. They have an identifier, the buyer and the amount in
 *   common. No page is later than the end, and the shop was connected before the pages reported
 */
function takesBack(end: StatedObject, { objects }: Candidate): boolean {
  if (end.parts.state?.value !== 'ended' || !objects.every(isOfPage)) return false;
  const names = namesOf(end);
  const endedAt = end.parts.state.version ?? end.created;
  return (
    objects.every(({ created }) => created <= endedAt && created >= (end.since ?? '')) &&
    objects.some(
      (page) =>
        namesOf(page).some((name) => names.includes(name)) &&
        haveSameBuyer(page, end) &&
        haveSameAmount(page, end),
    )
  );
}

const namesOf = (object: StatedObject) => [...valuesOf(object, 'number'), ...valuesOf(object, 'shopOrder')];

/**
 * Finds the order of a refund. It is that of its payment, otherwise that of the object for which it was accepted, otherwise the
 * owner of its number. Otherwise it is the order whose shop id is the refund's number, because a plugin may number orders.
 */
export function refundedOrder(refund: StatedObject, orders: readonly Candidate[]): Candidate | undefined {
  const asShopIds = valuesOf(refund, 'number').map((value) => ({ kind: 'shopOrder', value }) as const);
  return (
    ordersNaming(orders, refund, 'provider')[0] ??
    orderOf(orders, refund.of) ??
    ownersOf(orders, refund)[0] ??
    ownersOf(orders, { names: asShopIds })[0]
  );
}
