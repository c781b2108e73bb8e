import type { Issue } from '@orderbeacon/sdk/contract';
import { isStorable } from '../values/text.js';

/**
 * Issues that PostgreSQL can store. Their paths hold the names of an item's own fields, with NUL or half of a surrogate
 * pair perhaps, or a pair that shortening has cut; U+FFFD stands for these.
 */
export function storableIssues(issues: readonly Issue[]): Issue[] {
  return issues.map(({ path, message }) => ({ path: storable(path), message }));
}

function storable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '\ufffd').toWellFormed();
}
