import { cents, type Moment } from './simulatedShop.js';

/** An order as Shopify has it. Amounts are in the buyer's currency. */
export interface ShopifyOrder {
  id: number;
  /** What all goods cost that ever were in it, and those that are in it now. */
  total: number;
  current: number;
  /** Money that came in. */
  paid: number;
  state: 'pending' | 'authorized' | 'deposit' | 'paid';
  email: string | null;
  isErased: boolean;
  createdMs: number;
  updatedMs: number;
  cancelledMs: number | null;
  refunds: ShopifyRefund[];
  disputes: { id: number; amount: number; status: string }[];
  /** The buyer whom the last webhook named that brought it as paid. */
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
  /** False for money that was given back beside the goods. */
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
/** Money that went back, that is on its way, that was given beside the goods, and that disputes have taken. */
export const returnedOf = ({ refunds }: ShopifyOrder) =>
  sumOf(refunds.filter(({ status }) => status === 'success'));
export const pendingOf = ({ refunds }: ShopifyOrder) =>
  sumOf(refunds.filter(({ status }) => status === 'pending'));
export const giftsOf = ({ refunds }: ShopifyOrder) => sumOf(refunds.filter(({ isOfGoods }) => !isOfGoods));
export const lostOf = ({ disputes }: ShopifyOrder) =>
  sumOf(disputes.filter(({ status }) => status !== 'won'));

/** What the buyer has to pay; less than nothing for what the shop owes. */
export function outstandingOf(order: ShopifyOrder): number {
  const { current, paid } = order;
  return cents(current - paid + returnedOf(order) + pendingOf(order) - giftsOf(order));
}

/** The state that Shopify says of an order's money. */
export function statusOf(order: ShopifyOrder): string {
  const { state, cancelledMs, paid } = order;
  const back = returnedOf(order);
  if (state === 'authorized' && cancelledMs !== null) return 'voided';
  if (paid > 0 && back >= paid) return 'refunded';
  if (state === 'deposit') return 'partially_paid';
  if (state !== 'paid') return state;
  return back > 0 ? 'partially_refunded' : 'paid';
}
