import { isInexactNumber } from '../values/exactJson.js';
import { inexact } from '../values/mustBe.js';
import { isStorable, unstorable } from '../values/text.js';

/** Levels below the list of items. Nothing a shop sells nests deeper; PostgreSQL and JSON.stringify give up at some thousands. */
export const itemDepthAtMost = 16;

/** True when PostgreSQL can store the items and every number and text in them stays the same. Runs for every report. */
export function isTreeStorable(items: unknown[]): boolean {
  // Level by level instead of recursion: JSON.parse takes 20,000 levels, the call stack does not.
  let level: unknown[] = [items];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (!isStorable(value)) return false;
      } else if (typeof value === 'object' && value !== null) {
        if (depth > itemDepthAtMost) return false;
        for (const [key, child] of Object.entries(value)) {
          if (!isStorable(key)) return false;
          next.push(child);
        }
      } else if (isInexactNumber(value)) return false;
    }
    level = next;
  }
  return true;
}

/** Finds the values for which `isTreeStorable` returns false, each with its path below the items. */
export function* findUnstorable(
  value: unknown,
  path: string[] = [],
): Generator<{ path: string[]; message: string }> {
  if (typeof value === 'string') {
    if (!isStorable(value)) yield { path, message: unstorable };
  } else if (isInexactNumber(value)) {
    yield { path, message: `must be another number or a text; ${inexact}` };
  } else if (typeof value === 'object' && value !== null) {
    if (path.length > itemDepthAtMost) {
      yield { path, message: `must nest at most ${itemDepthAtMost} levels` };
      return;
    }
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key)) yield { path: [...path, key], message: unstorable };
      yield* findUnstorable(child, [...path, key]);
    }
  }
}
