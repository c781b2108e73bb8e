import { haveSameBuyer } from './contradicts.js';
import { type StatedObject, valuesOf } from './statement.js';

/**
 * Lists the objects of an order whose fields about a person count: those that name the order's buyer, or no buyer. All buyers that
 * one object ever named are the same buyer, and so are the buyers of shop objects that share an id.
 * @param named the object that names the order's buyer
 */
export function ofSameBuyer(objects: readonly StatedObject[], named: StatedObject): Set<StatedObject> {
  const same = new Set([named, ...objects.filter(({ buyers }) => buyers.length === 0)]);
  const isLinked = (one: StatedObject, other: StatedObject) =>
    haveSameBuyer(one, other) ||
    (one.speaker === 'shop' && other.speaker === 'shop' && haveSameId(one, other));
  for (const member of same) for (const object of objects) if (isLinked(member, object)) same.add(object);
  return same;
}

function haveSameId(one: StatedObject, other: StatedObject): boolean {
  const ids = valuesOf(other, 'provider');
  return valuesOf(one, 'provider').some((id) => ids.includes(id));
}
