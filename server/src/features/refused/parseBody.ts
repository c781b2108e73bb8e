import { parseJson } from '../../values/json.js';
import { jsonBounds } from '../../values/limits.js';

/** Parses the body of a kept report. Undefined if it is not a JSON object, or was cut. */
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
