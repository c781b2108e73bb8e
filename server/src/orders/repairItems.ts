import { isInexactNumber, textOfInexact } from '../values/exactJson.js';
import { limits } from '../values/limits.js';
import { isStorable } from '../values/text.js';
import type { Warn } from '../values/warnings.js';
import { itemDepthAtMost } from './itemTree.js';
import { dropUnstorable, type Repair, repairNumber, repairText } from './repairFields.js';

const looseId = repairText(limits.id, { takesNumbers: true });
const text = repairText(limits.text);

/** The repair of each field of `lineItemSchema`. A map, because a page may send a field named `constructor`. */
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
 * Turns the `items` of a page's report into valid ones, whatever they are. Valid fields stay unchanged; others are
 * changed as little as possible or left out, each with a warning. Undefined when `items` is no array.
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

/** Repairs a field that the schema does not name. Such fields are kept as sent, except what cannot be stored. */
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

/** Repairs each field of an object. `Object.fromEntries` keeps a field named `__proto__`. */
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
