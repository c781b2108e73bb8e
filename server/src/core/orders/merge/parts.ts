import type { OrderFields } from '../fields.js';
import { statedFields } from './joinVersions.js';
import { type StatedObject, valuesOf } from './statement.js';

/**
 * Leaves out the shop orders that are a part of another one of the same order: what they say is said by that one, too. A marketplace
 * plugin of WooCommerce (Dokan, MultiVendorX) divides a paid order among its sellers so: the order stays as it is, and each seller has
 * a copy of some lines, an order of its own with the first one as its parent.
 */
export function withoutParts(objects: readonly StatedObject[]): readonly StatedObject[] {
  const orders = objects.filter(({ kind }) => kind === 'shopOrder');
  if (orders.length < 2) return objects;
  return objects.filter((object) => !orders.some((order) => isPartOf(object, order)));
}

/**
 * True for a shop order that names another one as its parent, where that was paid and lists all of its lines. An order that was
 * divided by hand has lost the lines, so both count.
 */
function isPartOf(part: StatedObject, parent: StatedObject): boolean {
  if (part === parent || !parent.wasPaid) return false;
  const [parentId] = valuesOf(part, 'parent');
  if (parentId === undefined || !idsOf(parent).includes(parentId)) return false;
  const lines = linesOf(part);
  const listed = new Set(linesOf(parent));
  return lines.length > 0 && lines.every((line) => listed.has(line));
}

/** The shop order that one is a part of, through others if need be; itself if it is no part, or if two name each other. */
export function wholeOf(order: StatedObject, orders: readonly StatedObject[]): StatedObject {
  const above = [order];
  for (;;) {
    const whole = above.at(-1)!;
    const parent = orders.find((each) => isPartOf(whole, each));
    if (!parent) return whole;
    if (above.includes(parent)) return order;
    above.push(parent);
  }
}

/** The shop's own ids of an order. Its number is one where both are the same. */
function idsOf(order: StatedObject): string[] {
  const ids = valuesOf(order, 'shopOrder');
  return ids.length > 0 ? ids : valuesOf(order, 'number');
}

/** Each line as a text: a copy has product, name and price of the first one. */
const linesOf = (order: StatedObject): string[] =>
  ((statedFields(order).items ?? []) as NonNullable<OrderFields['items']>).map((item) => {
    const { productId, sku, name, price, quantity } = item as Record<string, unknown>;
    return JSON.stringify([productId, sku, name, price, quantity].map((value) => value ?? null));
  });
