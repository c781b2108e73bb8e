import { toObject } from '../../../core/orders/merge/joinVersions.js';
import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import { sayRefund } from '../../../core/refunds/sayRefund.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import type { Refunded } from '../read/readRefunded.js';

/** An order that was stored from a file, with what the file says of its refunds. */
interface RefundedOrder {
  id: Uuid;
  isTest: boolean;
  refunded: Refunded;
  /** The time of the order: a file has none of its refunds. */
  createdAt: string;
  /** The press of the button that stores it, with which it is taken back. */
  press: Uuid;
}

/** Stores the refund that a file says of an order, once. A part of which the file does not say how much is not stored. */
export async function storeFileRefund(
  place: PlaceStatements,
  teamId: Uuid,
  { id, isTest, refunded, createdAt, press }: RefundedOrder,
): Promise<void> {
  if (refunded === 'some') return;
  const refundId = `file-${encodeId('ord', id)}`;
  const amount = refunded === 'all' ? null : refunded;
  const stated = sayRefund(
    { speaker: 'file', object: `file:${press}:${refundId}`, names: [] },
    { refundId, amount, reason: null, createdAt },
  );
  await place(teamId, isTest, { stated: [toObject(stated)], refundOf: id, orderIds: [id] });
}
