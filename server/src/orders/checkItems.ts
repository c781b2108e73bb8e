import { type FieldIssue, issuesAtMost } from '../values/issues.js';
import { limits } from '../values/limits.js';
import { mustBe } from '../values/mustBe.js';
import { replaceUnstorable } from './itemTree.js';
import { isRightItem } from './repairItems.js';
import { complaints, lineItemSchema } from './reportSchema.js';

/**
 * Lists why the `items` of a report with a key cannot be stored. It stops behind the item with the 20th reason: to describe
 * all of a body of 64 KiB took 0.1 s.
 */
export function checkItems(items: unknown): FieldIssue[] {
  if (!Array.isArray(items))
    return [{ path: ['items'], message: mustBe('an array of objects')({ input: items }) }];
  if (items.length > limits.items)
    return [{ path: ['items'], message: `must have at most ${limits.items} entries` }];
  const issues: FieldIssue[] = [];
  for (const [at, item] of items.entries()) {
    if (isRightItem(item)) continue;
    const { error } = lineItemSchema.safeParse(item);
    for (const { path, message } of error?.issues ?? [])
      issues.push({ path: ['items', at, ...path], message });
    if (!error)
      replaceUnstorable(item, ['items', at], (part, value, path) => {
        issues.push({ path: [...path], message: complaints[part] });
        return value;
      });
    if (issues.length >= issuesAtMost) break;
  }
  return issues;
}
