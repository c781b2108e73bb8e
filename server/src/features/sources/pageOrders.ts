import { findListed } from '../../core/orders/read/addRefunds.js';
import type { ListedOrderRow } from '../../core/orders/read/sql/listOrders.js';
import type { StampedReport } from '../../core/orders/report.js';
import { findNamedOrder } from '../../core/orders/sql/namedOrder.js';
import { findRefund } from '../../core/refunds/sql/refund.js';
import type { StoreRefund, TakeBackRefund } from '../../core/refunds/storeRefund.js';
import type { Sql } from '../../database/connection/connect.js';
import type { InTurn } from '../../database/turns.js';
import type { Uuid } from '../../values/ids.js';
import { isStorable } from '../../values/text.js';
import { isTestOf, keyOfSource } from './eventReport.js';
import type { ShopSource } from './source.js';
import type { UnpaidOrder } from './sourceEvent.js';
import { findNumberedLater } from './sql/numberedLater.js';
import type { StoredEvent } from './storedEvent.js';

/** An order of a shop system, by its own names with the source's prefix. */
interface NamedByShop {
  teamId: Uuid;
  isTest: boolean;
  /** Its number, which pages report. */
  orderId: string;
  /** Its id, which was its number before a plugin numbered it; null for none. */
  id: string | null;
  /** Its key. */
  key: string;
}

/** Dependencies of `createPageOrders`. */
export interface PageOrdersDeps {
  inTurn: InTurn;
  storeRefund: StoreRefund;
  takeBackRefund: TakeBackRefund;
}

/** Makes what a shop system changes in orders that only pages have reported. */
export function createPageOrders({ inTurn, storeRefund, takeBackRefund }: PageOrdersDeps) {
  return { findFormerId, takeUnpaid, keepPaid };

  /**
   * Finds the `orderId` by which a page has reported an order before it was numbered, or numbered anew; null for none. Its buyer
   * and amount are the same, because the number of another order can be this one's id.
   */
  async function findFormerId(
    { teamId, isTest, orderId, id, key }: NamedByShop,
    { personId, amount }: Pick<StampedReport, 'personId' | 'amount'>,
  ): Promise<string | null> {
    if (id === null || id === orderId) return null;
    return inTurn(teamId, async (sql) => {
      for (const name of [key, orderId]) if (await find(sql, teamId, name, isTest)) return null;
      const order = await find(sql, teamId, id, isTest);
      const isSame = order?.personId === personId && Number(order.amount) === amount;
      if (isSame && order?.reportedBy === 'browser') return id;
      return isStorable(id) ? findNumberedLater(sql, teamId, { personId, amount, isTest, id }) : null;
    });
  }

  /** Takes an order back that a page has reported, and that ended without a payment: all of it counts as refunded. */
  async function takeUnpaid(
    { teamId, isTest, orderId, key }: NamedByShop,
    createdAt: string,
  ): Promise<StoredEvent> {
    const order = await inTurn(teamId, (sql) => find(sql, teamId, orderId, isTest));
    if (order?.reportedBy !== 'browser') return { outcome: 'ignored', order: null };
    const refund = { refundId: unpaid(key), amount: null, reason: 'cancelled unpaid', isTest, createdAt };
    const { isNew } = await storeRefund(teamId, { ...refund, orderId, paymentId: null, isExact: false });
    return { outcome: isNew ? 'refund' : 'known', order: { id: order.id, isTest } };
  }

  /** Lets an order count that ended without a payment, and was paid after all. */
  async function keepPaid({
    teamId,
    isTest,
    key,
  }: Pick<NamedByShop, 'teamId' | 'isTest' | 'key'>): Promise<void> {
    const refundId = unpaid(key);
    const refund = await inTurn(teamId, (sql) => findRefund(sql, teamId, { refundId, isTest }));
    if (refund && !refund.isTakenBack) await takeBackRefund(teamId, refundId, isTest);
  }
}

/** Gives an event's names of its order the source's prefix. */
export function namedByShop(
  source: ShopSource,
  { orderId, key, isTest }: Pick<UnpaidOrder, 'orderId' | 'key' | 'isTest'>,
): NamedByShop {
  const { teamId, orderIdPrefix } = source;
  const id = key.split('_')[1];
  return {
    teamId,
    isTest: isTestOf(source, { isTest }),
    orderId: orderIdPrefix + orderId,
    id: id ? orderIdPrefix + id : null,
    key: keyOfSource(source, key),
  };
}

const unpaid = (key: string) => `unpaid_${key}`;

async function find(
  sql: Sql,
  teamId: Uuid,
  name: string,
  isTest: boolean,
): Promise<ListedOrderRow | undefined> {
  if (!isStorable(name)) return undefined;
  const found = await findNamedOrder(sql, teamId, { id: null, orderNumber: null, orderId: name, isTest });
  return found === null ? undefined : findListed(sql, teamId, found);
}
