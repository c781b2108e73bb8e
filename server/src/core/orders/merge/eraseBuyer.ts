import type { Uuid } from '../../../values/ids.js';
import { fieldsWith } from '../fields.js';
import { isLegacy, type Part, type StatedObject, type StatedRefund } from './statement.js';

/** Names of stated fields about a person. `extra` is not among them: a shop's `extra` holds taxes and the like. */
export const personalFields: ReadonlySet<string> = new Set([
  'personId',
  'email',
  ...fieldsWith('isPersonal').filter((name) => name !== 'extra'),
  'earlier',
]);

/** Removes the fields about a person from an object. A shop's `extra` stays, because it holds taxes and the like. */
export function withoutPerson(object: StatedObject): StatedObject {
  const parts = Object.entries(object.parts).flatMap(([name, part]): [string, Part][] => {
    // All fields about a shop's buyer are in the one part `buyer`.
    if (personalFields.has(name) || name === 'buyer' || (name === 'extra' && !isOldErasure(object)))
      return [];
    return [
      [name, name === 'refunds' ? { ...part, value: withoutReasons(part.value as StatedRefund[]) } : part],
    ];
  });
  return { ...object, parts: Object.fromEntries(parts) };
}

/** @returns true for the object of an order whose buyer a server of 0.4.0 erased. Nothing in it is about the person */
export const isOldErasure = (object: StatedObject): boolean => isLegacy(object) && object.erasedAt !== null;

const withoutReasons = (refunds: readonly StatedRefund[]) =>
  refunds.map((refund) => ({ ...refund, reason: null }));

/** Removes all data about any person from an object, and marks it: an operator erases the buyer of its order. */
export const eraseBuyer = (object: StatedObject): StatedObject => ({
  ...withoutPerson(object),
  buyers: [],
  isMarked: true,
});

/**
 * Returns the new `object` of an object whose buyer is erased. A page's `object` contains the person's id, which the order's id
 * replaces.
 */
export const erasedName = ({ object, buyers }: StatedObject, orderId: Uuid): string =>
  buyers.reduce((name, id) => name.replace(id, orderId), object);
