import type { PlacedOrder } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connection/connect.js';
import { rowsOf } from '../database/pairRows.js';
import type { Uuid } from '../values/ids.js';
import { toListedOrder } from './listedOrder.js';
import { toOrderRefund } from './refundAnswer.js';
import { settleOrder } from './settleRefunds.js';
import { type ListedOrderRow, listOrders } from './sql/listOrders.js';
import { listRefunds } from './sql/listRefunds.js';

/** Reads an order with all that is stored of it; undefined for none. */
export async function readOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<PlacedOrder | undefined> {
  await settleOrder(sql, teamId, id);
  const row = await findListed(sql, teamId, id);
  return row && addRefunds(sql, teamId, row);
}

/**
 * Reads an order as hooks are told of it; undefined when it was discarded or its buyer was erased. Refunds that wait for it
 * are told by themselves.
 */
export async function readToldOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<PlacedOrder | undefined> {
  const row = await findListed(sql, teamId, id);
  return row && row.email !== null ? addRefunds(sql, teamId, row) : undefined;
}

async function findListed(sql: Sql, teamId: Uuid, id: Uuid): Promise<ListedOrderRow | undefined> {
  return rowsOf(id, await listOrders(sql, teamId, { id, limit: 1 }), (row) => row.id)[0];
}

/**
 * Turns an order that was listed into one with its refunds. Its amounts are those of the moment at which its refunds are
 * read, so that they agree with a refund that was stored meanwhile. Undefined when it was discarded meanwhile, and its
 * refunds wait again.
 */
export async function addRefunds(
  sql: Sql,
  teamId: Uuid,
  row: ListedOrderRow,
): Promise<PlacedOrder | undefined> {
  const isRefunded = Number(row.refunded) > 0;
  // The refunds of an order without money count nothing.
  const mayHaveRefunds = isRefunded || Number(row.amount) <= 0;
  const refunds = mayHaveRefunds ? await listRefunds(sql, teamId, row.id) : [];
  if (isRefunded && refunds.length === 0) return undefined;
  const { orderAmount = row.amount, refunded = row.refunded } = refunds[0] ?? {};
  return {
    ...toListedOrder({ ...row, amount: orderAmount, refunded }),
    refunds: refunds.map(toOrderRefund),
  };
}
