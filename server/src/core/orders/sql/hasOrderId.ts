import type { Fragment, Sql } from '../../../database/connection/connect.js';

/**
 * True for an order `o` that an `orderId` means, as a condition: the first of those that share it. The index of order ids has
 * no others.
 * @param orderId a value, or an expression such as `any(…)`
 */
export const hasOrderId = (sql: Sql, orderId: Fragment | string | null) =>
  sql`(o.order_id = ${orderId} and o.shares_id_with is null)`;
