import type { StoreRefund } from '../../../core/refunds/storeRefund.js';
import type { Sql } from '../../../database/connection/connect.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import type { Refunded } from '../read/readRefunded.js';

/** An order that was stored from a file, with what the file says of its refunds. */
interface RefundedOrder {
  id: Uuid;
  isTest: boolean;
  refunded: Refunded;
  /** The time of the order: a file has none of its refunds. */
  createdAt: string;
}

/** Stores the refund that a file says of an order, once. A part of which the file does not say how much is not stored. */
export async function storeFileRefund(
  storeRefund: StoreRefund,
  teamId: Uuid,
  { id, isTest, refunded, createdAt }: RefundedOrder,
): Promise<void> {
  if (refunded === 'some') return;
  await storeRefund(teamId, {
    refundId: refundIdOf(id),
    orderId: encodeId('ord', id),
    paymentId: null,
    amount: refunded === 'all' ? null : refunded,
    reason: null,
    isTest,
    createdAt,
    isExact: false,
  });
}

/**
 * Removes the refunds that a file said of some orders, inside the transaction that takes these orders back. The refund of an
 * order that was changed since stays with it.
 */
export async function removeFileRefunds(
  tx: Sql,
  teamId: Uuid,
  { ids, isTest }: { ids: readonly Uuid[]; isTest: boolean },
): Promise<void> {
  const wanted = JSON.stringify(ids.map((id) => ({ id, refundId: refundIdOf(id) })));
  const named = tx`json_to_recordset(${wanted}::text::json) as r (id uuid, "refundId" text)`;
  // A statement before the look at refunds: a report that adds one holds the order's row until it is done.
  await tx`/* lockRefunded */
    select from placed_order where team_id = ${teamId} and id in (select id from ${named}) order by id for update`;
  await tx`/* removeFileRefunds */
    delete from refund using ${named}, placed_order o
    where refund.team_id = ${teamId} and refund.is_test = ${isTest} and refund.refund_id = r."refundId"
      and o.team_id = ${teamId} and o.id = r.id and refund.placed_order_id = o.id
      and o.merged_at is null and o.changed_at is null
      and not exists (
        select from refund other
        where other.team_id = ${teamId} and other.placed_order_id = o.id and other.refund_id <> refund.refund_id
      )
      and not exists (
        select from order_key
        where order_key.team_id = ${teamId} and order_key.placed_order_id = o.id and order_key.amount is not null
      )`;
}

const refundIdOf = (id: Uuid) => `file-${encodeId('ord', id)}`;
