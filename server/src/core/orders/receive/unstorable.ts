import type { Path, Warn } from '../../../values/issues.js';
import { isStorable, unstorable } from '../../../values/text.js';
import { dropUnstorable, type Repair } from './repair.js';

/** Most levels below the list of items. No product of a shop nests deeper. PostgreSQL and JSON.stringify fail at some thousands. */
export const itemDepthAtMost = 16;

/** A part that cannot be stored as it is: a text, the name of a field, or a container that nests too deep. */
type UnstorablePart = 'text' | 'name' | 'depth';

/**
 * Returns the replacement of a part that cannot be stored; undefined leaves the part out. For a name it returns the replacement of
 * the field's value.
 * @param path from the body down; it changes after the call
 */
export type Replace = (part: UnstorablePart, value: unknown, path: Path) => unknown;

/**
 * Replaces parts that cannot be stored, in place, in one pass. A body of 64 KiB has up to 30,000 values: a path or a copy for each
 * took 50 ms.
 * @param path of the value, from the body down
 */
export function replaceUnstorable(value: unknown, path: (string | number)[], replace: Replace): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : replace('text', value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > itemDepthAtMost + 1) return replace('depth', value, path);
  if (!Array.isArray(value)) {
    replaceFields(value, path, (_name, child) => replaceUnstorable(child, path, replace), replace);
    return value;
  }
  let kept = 0;
  for (let at = 0; at < value.length; at++) {
    path.push(at);
    const child = replaceUnstorable(value[at], path, replace);
    path.pop();
    if (child === undefined) continue;
    if (kept !== at || child !== value[at]) value[kept] = child;
    kept++;
  }
  if (kept < value.length) value.length = kept;
  return value;
}

/**
 * Replaces each field of an object by the result of `replaceField`, and each field whose name cannot be stored by that of
 * `replace`.
 */
export function replaceFields(
  object: object,
  path: (string | number)[],
  replaceField: (name: string, value: unknown) => unknown,
  replace: Replace,
): void {
  const fields = object as Record<string, unknown>;
  for (const name in fields) {
    const value = fields[name];
    path.push(name);
    const kept = isStorable(name) ? replaceField(name, value) : replace('name', value, path);
    path.pop();
    if (kept === value) continue;
    if (kept === undefined) delete fields[name];
    // This also sets the value of an own field named `__proto__`.
    else fields[name] = kept;
  }
}

/** Messages of the issues about parts that cannot be stored. A report with an API key is refused with them. */
export const complaints: Record<UnstorablePart, string> = {
  text: unstorable,
  name: unstorable,
  depth: `must nest at most ${itemDepthAtMost} levels`,
};

/**
 * Makes the function that repairs the parts of a page's report that cannot be stored, with a warning for each. Everything else is
 * kept as sent.
 */
export function repairUnstorable(warn: Warn): Replace {
  return (part, value, path) => replacements[part](value, path, warn);
}

const replacements: Record<UnstorablePart, Repair> = {
  text: (value, path, warn) => dropUnstorable(value as string, path, warn),
  name(_value, path, warn) {
    warn(path, 'has NUL, U+001E, U+001F or half of a surrogate pair in its name; left out');
  },
  depth(_value, path, warn) {
    warn(path, `nests deeper than ${itemDepthAtMost} levels; left out`);
  },
};
