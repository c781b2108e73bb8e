import { parseJson } from '../../values/json.js';
import { jsonBounds } from '../../values/limits.js';

/** Reads the fields of a kept report's body. Undefined for a body that is no JSON object, and for a part of one. */
export function parseBody(body: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(body, jsonBounds);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
