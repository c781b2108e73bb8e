import { byAge, byKind, compareTexts } from './clusters.js';
import { isLaterWord, wordsOf } from './joinVersions.js';
import { isLegacy, type Part, type SaidObject, speakers, type Words } from './statement.js';

/** Name of a word: a field, or the buyer. */
export type WordName = keyof Words;

/** Compares speakers, the strongest first. What an old server stored is the weakest backend's. */
const bySpeaker = (one: SaidObject, other: SaidObject): number =>
  speakers.indexOf(other.speaker) - speakers.indexOf(one.speaker) ||
  Number(isLegacy(one)) - Number(isLegacy(other));

/** Compares statements: the strongest speaker first; of a shop the highest object, of others the first arrival. */
export function byStrength(one: SaidObject, other: SaidObject): number {
  if (one.speaker === 'shop' && other.speaker === 'shop') return byKind(one, other);
  return bySpeaker(one, other) || compareTexts(one.arrived, other.arrived) || byAge(one, other);
}

/**
 * Sorts the statements that say one field, the strongest first. Of one speaker's the newest timed word counts, then a person's
 * correction, then the first.
 */
export function sayersOf(name: WordName, objects: readonly SaidObject[]): SaidObject[] {
  const compare = (one: SaidObject, other: SaidObject) => {
    const [a, b] = [one.parts[name], other.parts[name]];
    if (!a || !b || one.speaker === 'shop' || bySpeaker(one, other) !== 0) return byStrength(one, other);
    return compareParts(a, b) || byStrength(one, other);
  };
  return objects.filter((object) => wordsOf(object)[name] != null).sort(compare);
}

function compareParts(one: Part, other: Part): number {
  if (isLaterWord(one, other)) return -1;
  return isLaterWord(other, one) ? 1 : compareTexts(one.arrived, other.arrived);
}
