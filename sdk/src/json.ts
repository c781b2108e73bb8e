/**
 * Writes JSON without the `toJSON` methods of old libraries. Prototype.js 1.6 adds one to arrays, which turns them into
 * texts. Other libraries add one to every object.
 * @throws TypeError for circular values and BigInts
 */
export const writeJson = (value: unknown): string => {
  const plain: { toJSON?: unknown } = {};
  return JSON.stringify(value, function (this: Record<string, unknown>, key, converted) {
    const given = this[key] as typeof plain | null | undefined;
    return Array.isArray(given) || given?.toJSON === plain.toJSON ? given : converted;
  });
};

/** Reads JSON that other code may have written. Returns an empty object for null, and for anything but JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the caller checks the shape.
export function readJson(text: string | null | undefined): any {
  try {
    return Object(JSON.parse(text!));
  } catch {
    return {};
  }
}
