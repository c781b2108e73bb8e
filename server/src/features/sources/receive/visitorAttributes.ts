import { type Payload, readObjects, readText } from './payload.js';

/** A visitor id of the script: eight letters and digits of the time, then a random number. */
const scriptsId = /^[0-9a-z]{8}\d[\d.e-]{1,24}$/;

/** Reads a visitor id. Null for any other text, because shops use attributes such as `Visitor: Yes`. */
export function readVisitorId(value: unknown): string | null {
  const text = readText(value);
  return text !== null && scriptsId.test(text) ? text : null;
}

/**
 * Reads the visitor and its landings from the attributes that the shop's pages put on an order. A field is null if its
 * attribute is missing.
 * @param key the field with an attribute's name; its value is in `value`
 */
export function readVisitorAttributes(attributes: unknown, key: 'name' | 'key'): Payload {
  const read = (name: string) => readObjects(attributes).find((each) => each[key] === name)?.value;
  return {
    visitorId: readVisitorId(read('_orderbeacon_visitor')),
    landings: readText(read('_orderbeacon_landings')),
  };
}
