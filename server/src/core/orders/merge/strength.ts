import { byAge, byKind, compareTexts } from './clusters.js';
import { isLaterWord, statedFields } from './joinVersions.js';
import { isLegacy, type Part, type StatedFields, type StatedObject, speakers } from './statement.js';

export type StatedName = keyof StatedFields;

/** Compares speakers, the strongest first. A statement of an old server is weaker than any other backend's. */
const bySpeaker = (one: StatedObject, other: StatedObject): number =>
  speakers.indexOf(other.speaker) - speakers.indexOf(one.speaker) ||
  Number(isLegacy(one)) - Number(isLegacy(other));

/** Compares statements: the strongest speaker first, then a shop's object of the highest kind, or else the first arrival. */
export function byStrength(one: StatedObject, other: StatedObject): number {
  if (one.speaker === 'shop' && other.speaker === 'shop') return byKind(one, other);
  return bySpeaker(one, other) || compareTexts(one.arrived, other.arrived) || byAge(one, other);
}

/**
 * Lists the objects that state a field, the strongest speaker first. Those of one speaker are sorted: the newest time of change
 * first, then a person's correction, then the first arrival.
 */
export function sayersOf(name: StatedName, objects: readonly StatedObject[]): StatedObject[] {
  const compare = (one: StatedObject, other: StatedObject) => {
    const [a, b] = [one.parts[name], other.parts[name]];
    if (!a || !b || one.speaker === 'shop' || bySpeaker(one, other) !== 0) return byStrength(one, other);
    return compareParts(a, b) || byStrength(one, other);
  };
  return objects.filter((object) => statedFields(object)[name] != null).sort(compare);
}

function compareParts(one: Part, other: Part): number {
  if (isLaterWord(one, other)) return -1;
  return isLaterWord(other, one) ? 1 : compareTexts(one.arrived, other.arrived);
}
