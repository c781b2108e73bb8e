import { parseExactJson } from '../values/exactJson.js';

/** A whole string, number or word of JSON, from a given place on. */
const scalar = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null)/y;
const key = /\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:/y;
const separator = /\s*([,}])/y;
/** Matches brackets, which change the depth of a value, and whole strings. */
const bracket = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}"]/g;

/**
 * Reads the complete fields of a JSON object whose text was cut off somewhere. `items` are left out: those that are
 * there are not all. Undefined where the text is no object or its part is no JSON.
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
    // A number without anything behind it may go on.
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
