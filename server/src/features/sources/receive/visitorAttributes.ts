import { type Payload, readObjects, readText } from './payload.js';

/** An id that the script made: eight letters and digits of the time, then a random number. */
const scriptsId = /^[0-9a-z]{8}\d[\d.e-]{1,24}$/;

/** Reads a visitor id. Null for any other text, because shops have attributes such as `Visitor: Yes` of their own. */
export function readVisitorId(value: unknown): string | null {
  const text = readText(value);
  return text !== null && scriptsId.test(text) ? text : null;
}

/**
 * Reads the visitor, and how it came to the shop, from the attributes that the shop's pages put on an order. A field is
 * null where there is no such attribute.
 * @param key the field with an attribute's name; its value is in `value`
 */
export function readVisitorAttributes(attributes: unknown, key: 'name' | 'key'): Payload {
  const read = (name: string) => readObjects(attributes).find((each) => each[key] === name)?.value;
  return {
    visitorId: readVisitorId(read('_orderbeacon_visitor')),
    landings: readText(read('_orderbeacon_landings')),
  };
}
