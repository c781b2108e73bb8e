import { type Candidate, orderOf, ownersOf, valuesOf } from './candidates.js';
import { haveSameAmount, haveSameBuyer } from './contradicts.js';
import { isOfPage } from './placeWords.js';
import type { SaidObject } from './statement.js';

/**
 * Puts the end of a shop order that was never paid into the order of pages that it takes back.
 * @returns false if there is none: the end waits
 */
export function placeEnd(end: SaidObject, orders: readonly Candidate[]): boolean {
  const target = orders.find((order) => takesBack(end, order));
  target?.objects.push(end);
  return target !== undefined;
}

/**
 * True if an end is that of an order of pages: name, buyer and amount are the same, no page is later than the end, and the shop was
 * there when they came.
 */
function takesBack(end: SaidObject, { objects }: Candidate): boolean {
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

const namesOf = (object: SaidObject) => [...valuesOf(object, 'number'), ...valuesOf(object, 'shopOrder')];

/**
 * Puts a return of money into the order of its payment, else of the object that it was accepted for, else of the owner of its
 * number.
 * @returns false if there is none: it waits
 */
export function placeRefund(refund: SaidObject, orders: readonly Candidate[]): boolean {
  const ids = new Set(valuesOf(refund, 'provider'));
  const ofPayment = orders.find(({ objects }) =>
    objects.some(
      (object) => ids.has(object.object) || valuesOf(object, 'provider').some((id) => ids.has(id)),
    ),
  );
  const target = ofPayment ?? orderOf(orders, refund.of) ?? ownersOf(orders, refund)[0];
  target?.objects.push(refund);
  return target !== undefined;
}
