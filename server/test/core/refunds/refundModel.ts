/**
 * Reference model of the rules in the guide "Refunds", for one team. It follows the guide and not the server's code. It
 * holds everything in lists, and takes one event after the other.
 */

/** An order of the model. */
export interface RefundedOrder {
  id: string;
  orderId: string;
  isTest: boolean;
  amount: number;
  isByKey: boolean;
}

/** A refund of the model, as it was sent. */
export interface ModelRefund {
  refundId: string;
  isTest: boolean;
  /** The shop's id of the order, or its `ord_…`. */
  named: string;
  amount: number | null;
}

/** A refund that is stored, or will be. Until its transaction is committed, no other one sees it. */
type KeptRefund = ModelRefund & { order: string | null; number?: string; isCommitted: boolean };

/** All that is stored of a team. It is plain data, so that it can be copied and compared. */
export interface RefundState {
  orders: RefundedOrder[];
  refunds: KeptRefund[];
}

/** An order with its refunds, as it is read. */
export interface ReadOrder {
  id: string;
  amount: number;
  refundedAmount: number;
  paymentStatus: string;
  refunds: string[];
}

/** The answer to an event. */
export type RefundAnswer = { status: number; isNew?: boolean; order?: string | null; read?: ReadOrder };

const namedBy = (state: RefundState, { named, isTest }: Pick<ModelRefund, 'named' | 'isTest'>) =>
  state.orders.find((order) => order.isTest === isTest && (order.id === named || order.orderId === named));

/** Gives waiting refunds their orders. */
function settle(state: RefundState): void {
  for (const refund of state.refunds)
    if (refund.isCommitted)
      refund.order ??= namedBy(state, { ...refund, named: refund.number ?? refund.named })?.id ?? null;
}

/** Applies a report. `id` is that of the answered order. A key's amount counts more than a page's. */
export function applyReport(
  state: RefundState,
  { orderId, isTest, isByKey, amount }: Omit<RefundedOrder, 'id'>,
  id: string,
): RefundAnswer {
  const order = namedBy(state, { named: orderId, isTest });
  if (order && isByKey && !order.isByKey) Object.assign(order, { amount, isByKey });
  if (!order) state.orders.push({ id, orderId, isTest, isByKey, amount });
  settle(state);
  return { status: 200, isNew: !order, order: order?.id ?? id };
}

/**
 * Applies a refund. If it found no order, it is not committed yet: a concurrent report, and refunds of that order, may come
 * before `commitRefund`.
 */
export function applyRefund(state: RefundState, stated: ModelRefund): RefundAnswer {
  const { refundId, isTest, named, amount } = stated;
  const order = namedBy(state, stated);
  const known = state.refunds.find((one) => one.refundId === refundId && one.isTest === isTest);
  if (known) {
    const isSame =
      known.order && order ? known.order === order.id : [known.named, known.number].includes(named);
    return isSame && known.amount === amount
      ? { status: 200, isNew: false, order: known.order }
      : { status: 422 };
  }
  if (!order && named.startsWith('ord_')) return { status: 404 };
  if (order) {
    const rest = order.amount - readModel(state, order).refundedAmount;
    if (rest === 0 || (amount ?? 0) > rest) return { status: 400 };
  }
  state.refunds.push({ ...stated, order: order?.id ?? null, isCommitted: order !== undefined });
  return { status: 200, isNew: true, order: order?.id ?? null };
}

/** Commits a refund that found no order. */
export function commitRefund(state: RefundState, { refundId, isTest }: ModelRefund): void {
  for (const refund of state.refunds)
    if (refund.refundId === refundId && refund.isTest === isTest) refund.isCommitted = true;
  settle(state);
}

/** Discards an order that no backend has reported live. Its refunds wait again, for the shop's id of the order. */
export function applyDiscard(state: RefundState, id: string): RefundAnswer {
  const order = state.orders.find((one) => one.id === id);
  if (!order || (order.isByKey && !order.isTest)) return { status: 400 };
  state.orders = state.orders.filter((one) => one !== order);
  for (const refund of state.refunds)
    if (refund.order === id) Object.assign(refund, { order: null, number: order.orderId });
  return { status: 200 };
}

/** Reads an order. */
export function applyRead(state: RefundState, named: string, isTest: boolean): RefundAnswer {
  const order = namedBy(state, { named, isTest });
  return order ? { status: 200, read: readModel(state, order) } : { status: 404 };
}

/** Reads an order with its refunds, which count up to its amount. */
export function readModel({ refunds }: RefundState, { id, amount }: RefundedOrder): ReadOrder {
  const own = refunds.filter(({ order }) => order === id);
  const sum = own.reduce((total, refund) => total + (refund.amount ?? Number.POSITIVE_INFINITY), 0);
  const paymentStatus = sum === 0 ? 'PAID' : sum < amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  const refundIds = own.map(({ refundId }) => refundId).sort();
  return { id, amount, refundedAmount: Math.min(sum, amount), paymentStatus, refunds: refundIds };
}
