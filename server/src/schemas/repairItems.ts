import { isInexactNumber, textOfInexact } from './exactJson.js';
import { itemDepthAtMost } from './itemTree.js';
import { limits } from './limits.js';
import { dropUnstorable, type Repair, repairNumber, repairText } from './repairFields.js';
import { isStorable } from './text.js';
import type { Warn } from './warnings.js';

const looseId = repairText(limits.id, { takesNumbers: true });
const text = repairText(limits.text);

/** By the fields that `lineItemSchema` knows. A map, because a page may call a field `constructor`. */
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
 * Makes items that the schema takes of whatever a page sent as such, or undefined when there are none to keep.
 * What fits stays as it is; the rest is changed as little as may be, or left out, and told.
 */
export function repairItems(items: unknown, warn: Warn): unknown[] | undefined {
  if (!Array.isArray(items)) {
    warn('items', 'is not an array of objects; left out');
    return undefined;
  }
  if (items.length > limits.items)
    warn('items', `has ${items.length} entries; the first ${limits.items} are kept`);
  return items.slice(0, limits.items).flatMap((item, at) => {
    const path = `items.${at}`;
    if (isRecord(item)) return [mapFields(item, path, warn, repairField)];
    warn(path, item === null ? 'is null; left out' : 'is not an object; left out');
    return [];
  });
}

function repairField(name: string, value: unknown, path: string, warn: Warn): unknown {
  const repair = repairs.get(name);
  return repair ? repair(value, path, warn) : repairOther(value, path, warn, 2);
}

/** Repairs a value of a field that the schema does not know; such fields are kept as they are where possible. */
function repairOther(value: unknown, path: string, warn: Warn, depth: number): unknown {
  if (typeof value === 'string') return dropUnstorable(value, path, warn);
  if (isInexactNumber(value)) {
    warn(path, 'is a number of too many digits; kept as a text');
    return textOfInexact(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > itemDepthAtMost) {
    warn(path, `nests deeper than ${itemDepthAtMost} levels; left out`);
    return undefined;
  }
  const repairChild = (_name: string, child: unknown, childPath: string) =>
    repairOther(child, childPath, warn, depth + 1);
  if (!Array.isArray(value)) return mapFields(value, path, warn, repairChild);
  return value.flatMap((child, at) => {
    const kept = repairChild('', child, `${path}.${at}`);
    return kept === undefined ? [] : [kept];
  });
}

/** The object with each field repaired, under its own name: `Object.fromEntries` keeps a `__proto__` as a field. */
function mapFields(value: object, path: string, warn: Warn, repair: typeof repairField): object {
  const fields = Object.entries(value).flatMap(([name, child]) => {
    const childPath = `${path}.${name}`;
    if (!isStorable(name)) {
      warn(childPath, 'has NUL or half of a surrogate pair in its name; left out');
      return [];
    }
    const kept = repair(name, child, childPath, warn);
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(fields);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
