/** Bounds of the work that a JSON text makes. A field of the top object that exceeds them is read as `tooManyValues`. */
export interface JsonBounds {
  /** Values, lists and objects among them. A number of more than 15 characters counts as six. */
  values: number;
  /** Levels of lists and objects. A list or an object that lies deeper is read as null. */
  depth: number;
  /** Different names of fields below the top object. */
  names: number;
  /** Names of fields of the top object. Only the first ones are read. */
  topNames: number;
  /** Entries of a list at the top; further ones are left unread. Default: all. */
  entries?: number;
  /** Fields of the top object that are read wherever they stand, besides those; default: none. */
  fields?: ReadonlySet<string>;
}

const shortestValue = '1,'.length;
const shortestField = '"a":1,'.length;

/** True for a text that is too short to exceed the bounds, except in depth. */
export function isWithin({ values, names, topNames }: JsonBounds, text: string): boolean {
  return text.length <= Math.min(shortestValue * values, shortestField * Math.min(names, topNames));
}
