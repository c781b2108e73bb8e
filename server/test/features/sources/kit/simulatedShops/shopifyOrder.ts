import { cents, type Moment } from './simulatedShop.js';

/** An order as Shopify has it. Amounts are in the buyer's currency. */
export interface ShopifyOrder {
  id: number;
  /** Price of all goods that ever were in the order, and `current` of those that are in it now. */
  total: number;
  current: number;
  /** Money that was paid. */
  paid: number;
  state: 'pending' | 'authorized' | 'deposit' | 'paid';
  email: string | null;
  isErased: boolean;
  createdMs: number;
  updatedMs: number;
  cancelledMs: number | null;
  refunds: ShopifyRefund[];
  disputes: { id: number; amount: number; status: string }[];
  /** The buyer in the last webhook that reported the order as paid. */
  sentBuyer: string | null;
  page: { amount: number; email: string } | null;
  pageMs: number;
  backend: { amount: number; email: string } | null;
  /** Buyers whom webhooks have named. */
  sentBuyers: Set<string>;
}

export interface ShopifyRefund {
  id: number;
  amount: number;
  status: 'success' | 'pending' | 'failure';
  /** False for money that was given back without goods. */
  isOfGoods: boolean;
  atMs: number;
}

/** Places an order. */
export function placeOrder(at: number, { nowMs, random }: Moment): ShopifyOrder {
  const total = cents(5 + random.below(30_000) / 100);
  const state = random.pick('paid', 'paid', 'paid', 'authorized', 'pending');
  return {
    id: 5_001 + at,
    total,
    current: total,
    paid: state === 'paid' ? total : 0,
    state,
    email: random.pick('ann@buyer.example', 'bob@buyer.example', 'ann@buyer.example', null),
    isErased: false,
    createdMs: nowMs,
    updatedMs: nowMs,
    cancelledMs: null,
    refunds: [],
    disputes: [],
    sentBuyer: null,
    page: null,
    pageMs: 0,
    backend: null,
    sentBuyers: new Set(),
  };
}

const sumOf = (refunds: { amount: number }[]) => cents(refunds.reduce((sum, { amount }) => sum + amount, 0));
/** Sums of money: returned, pending, given back without goods, and lost in disputes. */
export const returnedOf = ({ refunds }: ShopifyOrder) =>
  sumOf(refunds.filter(({ status }) => status === 'success'));
export const pendingOf = ({ refunds }: ShopifyOrder) =>
  sumOf(refunds.filter(({ status }) => status === 'pending'));
export const giftsOf = ({ refunds }: ShopifyOrder) => sumOf(refunds.filter(({ isOfGoods }) => !isOfGoods));
export const lostOf = ({ disputes }: ShopifyOrder) =>
  sumOf(disputes.filter(({ status }) => status !== 'won'));

/** Computes what the buyer still has to pay. Negative if the shop owes money. */
export function outstandingOf(order: ShopifyOrder): number {
  const { current, paid } = order;
  return cents(current - paid + returnedOf(order) + pendingOf(order) - giftsOf(order));
}

/** Returns the financial status that Shopify gives an order. */
export function statusOf(order: ShopifyOrder): string {
  const { state, cancelledMs, paid } = order;
  const back = returnedOf(order);
  if (state === 'authorized' && cancelledMs !== null) return 'voided';
  if (paid > 0 && back >= paid) return 'refunded';
  if (state === 'deposit') return 'partially_paid';
  if (state !== 'paid') return state;
  return back > 0 ? 'partially_refunded' : 'paid';
}
