import type { Uuid } from '../../../values/ids.js';
import { fieldsWith } from '../fields.js';
import { isLegacy, type Part, type StatedObject, type StatedRefund } from './statement.js';

/** Words about a person. `extra` is none by itself: that of a shop tells of taxes and the like. */
export const personalFields: ReadonlySet<string> = new Set([
  'personId',
  'email',
  ...fieldsWith('isPersonal').filter((name) => name !== 'extra'),
  'earlier',
]);

/** Takes the words about a person out of an object. The further fields of a shop stay: taxes and the like. */
export function withoutPerson(object: StatedObject): StatedObject {
  const parts = Object.entries(object.parts).flatMap(([name, part]): [string, Part][] => {
    // A shop's words about its buyer are one part.
    if (personalFields.has(name) || name === 'buyer' || (name === 'extra' && !isOldErasure(object)))
      return [];
    return [
      [name, name === 'refunds' ? { ...part, value: withoutReasons(part.value as StatedRefund[]) } : part],
    ];
  });
  return { ...object, parts: Object.fromEntries(parts) };
}

/** True for an order whose buyer a server of 0.4.0 forgot: what it kept tells nothing of them. */
export const isOldErasure = (object: StatedObject): boolean => isLegacy(object) && object.erasedAt !== null;

const withoutReasons = (refunds: readonly StatedRefund[]) =>
  refunds.map((refund) => ({ ...refund, reason: null }));

/** Marks an object of an order whose buyer an operator erases, and takes out what it remembers of any person. */
export const eraseBuyer = (object: StatedObject): StatedObject => ({
  ...withoutPerson(object),
  buyers: [],
  isMarked: true,
});

/** The name of an erased object: that of a page's report holds the person. */
export const erasedName = ({ object, buyers }: StatedObject, orderId: Uuid): string =>
  buyers.reduce((name, id) => name.replace(id, orderId), object);
