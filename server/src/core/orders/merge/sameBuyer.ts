import { haveSameBuyer } from './contradicts.js';
import { type StatedObject, valuesOf } from './statement.js';

/**
 * Lists the objects of an order that name its buyer, or nobody. Whomever an object ever named is the same buyer, and so is whomever
 * the shop's objects that links join named. The words of the others about a person do not count.
 * @param named the object that names the buyer
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
