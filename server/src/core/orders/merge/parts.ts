import type { OrderFields } from '../fields.js';
import { statedFields } from './joinVersions.js';
import { type StatedObject, valuesOf } from './statement.js';

/**
 * Leaves out shop orders that are a part of another shop order of the same group: the whole one states all that they state.
 * Marketplace plugins of WooCommerce (Dokan, MultiVendorX) make such parts. They leave a paid order as it is and copy some of its
 * lines into one order for each seller, with the paid order as its parent.
 */
export function withoutParts(objects: readonly StatedObject[]): readonly StatedObject[] {
  const orders = objects.filter(({ kind }) => kind === 'shopOrder');
  if (orders.length < 2) return objects;
  return objects.filter((object) => !orders.some((order) => isPartOf(object, order)));
}

/**
 * @returns true if a shop order names a paid one as its parent, and the parent lists all of its lines. If an order was divided by
 *   hand, the parent has lost these lines, so both count.
 */
function isPartOf(part: StatedObject, parent: StatedObject): boolean {
  if (part === parent || !parent.wasPaid) return false;
  const [parentId] = valuesOf(part, 'parent');
  if (parentId === undefined || !idsOf(parent).includes(parentId)) return false;
  const lines = linesOf(part);
  const listed = new Set(linesOf(parent));
  return lines.length > 0 && lines.every((line) => listed.has(line));
}

/**
 * Finds the shop order that an order is a part of, also over several parents.
 * @returns the order itself if it is no part, or if two orders name each other as parents
 */
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

/** The shop's own ids of an order. If there are none, its number is also its id. */
function idsOf(order: StatedObject): string[] {
  const ids = valuesOf(order, 'shopOrder');
  return ids.length > 0 ? ids : valuesOf(order, 'number');
}

/** Lists the lines of an order as texts. A copied line has the product, name and price of the original. */
const linesOf = (order: StatedObject): string[] =>
  ((statedFields(order).items ?? []) as NonNullable<OrderFields['items']>).map((item) => {
    const { productId, sku, name, price, quantity } = item as Record<string, unknown>;
    return JSON.stringify([productId, sku, name, price, quantity].map((value) => value ?? null));
  });
