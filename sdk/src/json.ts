/**
 * JSON as the language has it. Old libraries spoil it: Prototype.js 1.6 puts a `toJSON` on arrays that makes them
 * texts, others put one on every object.
 * @throws TypeError for circular values and BigInts
 */
export function writeJson(value: unknown): string {
  const plain: { toJSON?: unknown } = {};
  return JSON.stringify(value, function (this: Record<string, unknown>, key, converted) {
    const given = this[key] as typeof plain | null | undefined;
    return Array.isArray(given) || given?.toJSON === plain.toJSON ? given : converted;
  });
}

/**
 * Reads JSON that others may have written: what is no JSON reads as an empty object, and null does too.
 */
// biome-ignore lint/suspicious/noExplicitAny: the caller checks the shape.
export function readJson(text: string | null | undefined): any {
  try {
    return Object(JSON.parse(text!));
  } catch {
    return {};
  }
}

/** The same JSON object without that field. */
export function withoutField(json: string, field: string): string {
  return writeJson({ ...readJson(json), [field]: undefined });
}
