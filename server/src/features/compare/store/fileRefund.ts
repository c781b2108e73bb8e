import { toObject } from '../../../core/orders/merge/joinVersions.js';
import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import { sayRefund } from '../../../core/refunds/sayRefund.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import type { Refunded } from '../read/readRefunded.js';

/** An order that was stored from a file, and its refund in the file. */
interface RefundedOrder {
  id: Uuid;
  isTest: boolean;
  refunded: Refunded;
  /** Time of the order. It is used for the refund, whose time the file does not state. */
  createdAt: string;
  /** The press of the button that stores it, by which it can be removed again. */
  press: Uuid;
}

/** Stores the refund that a file states for an order, once. A partial refund of unknown amount is not stored. */
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
