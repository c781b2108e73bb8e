import type { Issue } from '@orderbeacon/sdk/contract';
import { isStorable } from '../values/text.js';

/**
 * Makes issues storable in PostgreSQL. Their paths have names of an item's own fields, which can contain NUL or half of a
 * surrogate pair. U+FFFD replaces these.
 */
export function storableIssues(issues: readonly Issue[]): Issue[] {
  return issues.map(({ path, message }) => ({ path: storable(path), message }));
}

function storable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '\ufffd').toWellFormed();
}
