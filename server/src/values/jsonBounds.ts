/** Bounds of the work that a JSON text makes. A field of the top object that exceeds them is read as `tooManyValues`. */
export interface JsonBounds {
  /** Values, lists and objects among them. An object with fields counts as three, and a number of more than 15 characters as six. */
  values: number;
  /** Levels of lists and objects. A list or an object that lies deeper is read as null. */
  depth: number;
  /** Different names of fields below the top object. */
  names: number;
  /** Names of fields of the top object. Of a long text only the first ones are read; see `isWithin`. */
  topNames: number;
  /** Entries of a list at the top; further ones are left unread. Default: all. */
  entries?: number;
  /** Fields of the top object that are read wherever they stand, besides those; default: none. */
  fields?: ReadonlySet<string>;
}

/** Values that a number of more than 15 characters counts as, because such numbers take the most time to read. */
export const valuesOfLongNumber = 6;
/** Values that an object with fields counts as, below the top: to read one with new names takes V8 that long. */
export const valuesOfObject = 3;

/** In a list `1,` is a value; objects within objects take fewer characters for each value that they count as. */
const shortestValue = '{"":}'.length / valuesOfObject;
const shortestField = '"a":1,'.length;

/**
 * True for a text that is too short to exceed the bounds, except in depth, and in names of the top object: to read those that so
 * short a text has takes less time than to look for them first.
 */
export function isWithin({ values, names }: JsonBounds, text: string): boolean {
  return text.length <= Math.min(shortestValue * values, shortestField * names);
}
