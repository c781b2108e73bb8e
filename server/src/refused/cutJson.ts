import { readJsonText } from '../values/readJsonText.js';

/**
 * Reads the complete fields of a JSON object whose text was cut off. Leaves out `items`, because some may be missing.
 * Undefined when the text does not begin an object.
 */
export function parseCutJson(text: string): unknown {
  const root: { value?: { items?: unknown } } = {};
  try {
    readJsonText(text, root);
  } catch {
    // The text was cut: `root` has the fields before that place.
  }
  const { value } = root;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  delete value.items;
  return value;
}
