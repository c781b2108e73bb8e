import { reportBounds } from '../orders/reportSchema.js';
import { parseCompleteFields } from '../values/exactJson.js';

/**
 * Reads the complete fields of a JSON object whose text was cut off. Leaves out `items`, because some may be missing.
 * Undefined when the text does not begin an object.
 */
export function parseCutJson(text: string): unknown {
  try {
    const { items, ...fields } = parseCompleteFields(text, reportBounds);
    return fields;
  } catch {
    return undefined;
  }
}
