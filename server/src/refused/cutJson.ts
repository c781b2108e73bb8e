import { parseExactJson } from '../values/exactJson.js';

/** Complete string, number or word of JSON at a place. */
const scalar = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null)/y;
const key = /\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:/y;
const separator = /\s*([,}])/y;
/** Matches brackets, which change the depth of a value, and whole strings. */
const bracket = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}"]/g;

/**
 * Reads the complete fields of a JSON object whose text was cut off. Leaves out `items`, because some may be missing.
 * Undefined when the text is not an object or not JSON.
 */
export function parseCutJson(text: string): unknown {
  const start = /^\s*\{/.exec(text);
  if (!start) return undefined;
  const fields: string[] = [];
  for (let at = start[0].length; ; ) {
    const name = match(key, text, at);
    if (!name) break;
    const from = at + name[0].length;
    const end = endOfValue(text, from);
    const next = end === null ? null : match(separator, text, end);
    // A number at the end may be incomplete.
    if (end === null || !next) break;
    if (name[1] !== '"items"') fields.push(`${name[1]}:${text.slice(from, end)}`);
    at = end + next[0].length;
    if (next[1] === '}') break;
  }
  try {
    return parseExactJson(`{${fields.join(',')}}`);
  } catch {
    return undefined;
  }
}

function endOfValue(text: string, from: number): number | null {
  const found = match(scalar, text, from);
  if (found) return from + found[0].length;
  let depth = 0;
  bracket.lastIndex = from;
  for (let part = bracket.exec(text); part; part = bracket.exec(text)) {
    if (part[0] === '{' || part[0] === '[') depth++;
    else if (part[0] === '}' || part[0] === ']') depth--;
    // A quote alone opens a string that was cut.
    else if (part[0] === '"') return null;
    if (depth <= 0) return depth === 0 && !part[0].startsWith('"') ? bracket.lastIndex : null;
  }
  return null;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
