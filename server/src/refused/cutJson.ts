import { jsonTokens, parseJson } from '../values/json.js';
import { jsonBounds } from '../values/limits.js';

/**
 * Reads the texts, numbers and words that stand directly in a JSON object, whose text may have been cut off. Leaves out lists
 * and objects, because some of their content may be missing. Undefined when the text does not begin an object.
 */
export function parseCutJson(text: string): unknown {
  const fields: string[] = [];
  let name = '';
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    else if (depth > 1) continue;
    else if (token.endsWith(':')) name = token;
    // The last one may have been cut off itself.
    else if (name !== '' && index + token.length < text.length) fields.push(name + token);
    if (token !== name) name = '';
    if (depth === 0 || fields.length === jsonBounds.names) break;
  }
  try {
    return /^\s*\{/.test(text) ? parseJson(`{${fields.join(',')}}`, jsonBounds) : undefined;
  } catch {
    return undefined;
  }
}
