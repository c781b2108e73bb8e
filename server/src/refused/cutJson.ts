import { parseJson } from '../values/json.js';
import { jsonBounds } from '../values/limits.js';

/**
 * Reads the texts, numbers and words that stand directly in a JSON object, whose text may have been cut off. Leaves out lists
 * and objects, because some of their content may be missing, and a last field that does not end. Undefined when the text does
 * not begin an object.
 */
export function parseCutJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(`{${listPlainFields(text).join(',')}}`, jsonBounds);
  } catch {
    return undefined;
  }
}

/** Lists the first fields of an object without lists and objects, as they stand in its text. Looks at each character once. */
function listPlainFields(text: string): string[] {
  const fields: string[] = [];
  let from = 0;
  let depth = 0;
  let isPlain = true;
  for (let at = 0; at < text.length && fields.length < jsonBounds.names; at++) {
    const sign = text[at]!;
    if (sign === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (sign === '{' || sign === '[') {
      depth++;
      if (depth === 1) from = at + 1;
      else isPlain = false;
    } else if (sign === '}' || sign === ']' || (sign === ',' && depth === 1)) {
      if (depth === 1) {
        const field = text.slice(from, at);
        if (isPlain && field.trim() !== '') fields.push(field);
        from = at + 1;
        isPlain = true;
      }
      if (sign !== ',') depth--;
      if (depth === 0) break;
    }
  }
  return fields;
}
