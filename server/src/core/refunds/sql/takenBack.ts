import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { namedOrder } from '../../orders/sql/namedOrder.js';
import type { RefundReport } from '../refundReport.js';
import { countRefunds } from './refund.js';

/** Lists the ids of the refunds that a source reported of an order, made or taken back before a time. All times are the source's. */
export async function listRefundsOfSource(
  sql: Sql,
  teamId: Uuid,
  {
    sourceId,
    before,
    ...order
  }: Pick<RefundReport, 'orderId' | 'paymentId' | 'isTest'> & { sourceId: Uuid; before: string },
): Promise<string[]> {
  const rows = await sql<{ refundId: string }[]>`/* listRefundsOfSource */
    select refund_id as "refundId" from refund
    where team_id = ${teamId} and source_id = ${sourceId} and created_at < ${before} and (
      placed_order_id = ${namedOrder(sql, teamId, { id: null, orderNumber: null, ...order })}
      or placed_order_id is null and order_id = ${order.orderId} and is_test = ${order.isTest}
        and payment_id is not distinct from ${order.paymentId}
    )`;
  return rows.map(({ refundId }) => refundId);
}

/**
 * True where the shop system has changed an order after a list of its refunds, both by its own clock: a later list is the truth
 * then. A statement after the lock of the order.
 */
export async function isListOutdated(
  tx: Sql,
  teamId: Uuid,
  orderId: Uuid,
  listedAt: string,
): Promise<boolean> {
  const rows = await tx`/* isListOutdated */
    select from placed_order where team_id = ${teamId} and id = ${orderId} and changed_at > ${listedAt}::timestamptz(3)`;
  return rows.length > 0;
}

/**
 * Marks a refund as taken back, also one that has not come yet. It counts nothing from then on. Resolves with its order, null
 * for one that waits, or with undefined where it was taken back before.
 * @param options.listedAt time of the list that it has left, which is its time from then on: only a list of then or later brings
 * it back
 * @param options.orderId its order where it has not come yet
 */
export async function markTakenBack(
  tx: Sql,
  teamId: Uuid,
  { refundId, isTest }: Pick<RefundReport, 'refundId' | 'isTest'>,
  { listedAt = null, orderId = null }: { listedAt?: string | null | undefined; orderId?: Uuid | null } = {},
): Promise<Uuid | null | undefined> {
  const [row] = await tx<{ placedOrderId: Uuid | null }[]>`/* markTakenBack */
    insert into refund (team_id, is_test, refund_id, placed_order_id, amount, is_taken_back, created_at)
    values (${teamId}, ${isTest}, ${refundId}, ${orderId}, 0, true, coalesce(${listedAt}::timestamptz, now()))
    on conflict (team_id, is_test, refund_id) do update set amount = 0, reason = null, is_taken_back = true,
      created_at = coalesce(${listedAt}::timestamptz, refund.created_at)
    where not refund.is_taken_back
    returning placed_order_id as "placedOrderId"`;
  if (row?.placedOrderId) await countRefunds(tx, teamId, row.placedOrderId);
  if (!row && listedAt)
    await tx`/* markLeftAgain */
      update refund set created_at = ${listedAt}
      where team_id = ${teamId} and is_test = ${isTest} and refund_id = ${refundId} and created_at < ${listedAt}`;
  return row?.placedOrderId;
}

/** Removes a refund that left a list, where this list has it and is of then or later, so that it is stored anew. */
export async function removeTakenBack(
  tx: Sql,
  teamId: Uuid,
  { refundId, isTest }: Pick<RefundReport, 'refundId' | 'isTest'>,
  listedAt: string,
): Promise<void> {
  await tx`/* removeTakenBack */
    delete from refund
    where team_id = ${teamId} and is_test = ${isTest} and refund_id = ${refundId} and is_taken_back
      and created_at <= ${listedAt}::timestamptz(3)`;
}
