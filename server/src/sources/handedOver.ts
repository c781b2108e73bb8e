import { type Payload, readObjects, readText } from './payload.js';

/** Names of the notes, with or without `orderbeacon` before them. */
const names = {
  visitorId: /^_?(?:orderbeacon_?)?visitor(?:_?id)?$/i,
  landings: /^_?orderbeacon_?landings$/i,
};

/**
 * Reads the visitor, and how it came to the shop, from the notes that the shop's pages put on an order. A field is null
 * where there is no such note.
 * @param key the field with a note's name; its value is in `value`
 */
export function readHandedOver(notes: unknown, key: 'name' | 'key'): Payload {
  const noteOf = (name: RegExp) =>
    readText(readObjects(notes).find((note) => name.test(readText(note[key]) ?? ''))?.value);
  return { visitorId: noteOf(names.visitorId), landings: noteOf(names.landings) };
}
