import { type FieldIssue, issuesAtMost, mustBe, type Warn } from '../../../values/issues.js';
import { parseJson } from '../../../values/json.js';
import { jsonBounds, limits } from '../../../values/limits.js';
import { decodeEntities, type Repair, repairNumber, repairText } from './repair.js';
import { lineItemSchema } from './reportSchema.js';
import { complaints, repairUnstorable, replaceFields, replaceUnstorable } from './unstorable.js';

const looseId = repairText(limits.id, { takesNumbers: true });
const text = repairText(limits.text);

/** Repairs of the fields of `lineItemSchema`. A map, because a page may send a field named `constructor`. */
const repairs = new Map<string, Repair>([
  ['productId', looseId],
  ['sku', looseId],
  ['name', text],
  ['variant', looseId],
  ['category', text],
  ['quantity', repairNumber(0)],
  ['price', repairNumber(Number.NEGATIVE_INFINITY)],
]);

/**
 * Makes the `items` of a page's report valid, in place. Valid fields stay unchanged. Others are changed as little as possible or
 * left out, each with a warning.
 * @returns undefined if `items` is no array
 */
export function repairItems(sent: unknown, warn: Warn): object[] | undefined {
  const items = typeof sent === 'string' ? readText(sent) : sent;
  if (!Array.isArray(items)) {
    const orMore = typeof sent === 'string' ? ', or has too many values' : '';
    warn(['items'], sent === null ? 'is null; left out' : `is not an array of objects${orMore}; left out`);
    return undefined;
  }
  if (items.length > limits.items)
    warn(['items'], `has more than ${limits.items} entries; the first ${limits.items} are kept`);
  const replace = repairUnstorable(warn);
  return items.slice(0, limits.items).filter((item, at) => {
    const path = ['items', at];
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      warn(path, item === null ? 'is null; left out' : 'is not an object; left out');
      return false;
    }
    const repairField = (name: string, value: unknown) => {
      const repair = repairs.get(name);
      if (!repair) return replaceUnstorable(value, path, replace);
      return repair(typeof value === 'string' ? decodeEntities(value, path, warn) : value, path, warn);
    };
    replaceFields(item, path, repairField, replace);
    return true;
  });
}

/**
 * Lists reasons why the `items` of a report with an API key cannot be stored. Stops after the item with the 20th reason: describing
 * all of a body of 64 KiB took 0.1 s.
 */
export function checkItems(items: unknown): FieldIssue[] {
  if (!Array.isArray(items))
    return [{ path: ['items'], message: mustBe('an array of objects')({ input: items }) }];
  if (items.length > limits.items)
    return [{ path: ['items'], message: `must have at most ${limits.items} entries` }];
  const issues: FieldIssue[] = [];
  for (const [at, item] of items.entries()) {
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

/**
 * Reads items that a template, or the `toJSON` of an old library, has turned into a text.
 * @returns undefined if the text is no JSON, or has too many values
 */
function readText(text: string): unknown {
  try {
    return parseJson(text, jsonBounds);
  } catch {
    return undefined;
  }
}
