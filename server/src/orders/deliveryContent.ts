import { toListedOrder } from './listedOrder.js';
import type { ListedOrderRow } from './sql/listOrders.js';

/**
 * Writes the content of a webhook's body from what its delivery stores. `order.created` stores the order's row, because it
 * is enqueued by the statement that stores the order; every other event stores the content itself.
 */
export function deliveryContent(type: string, data: unknown): unknown {
  if (type !== 'order.created') return data;
  const row = data as ListedOrderRow;
  return { ...toListedOrder({ ...row, createdAt: new Date(row.createdAt) }), refunds: [] };
}
