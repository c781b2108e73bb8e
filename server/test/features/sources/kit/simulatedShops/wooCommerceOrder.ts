import type { Random } from '../../../../kit/random.js';
import { meta, wooOrder } from '../wooCommerceSamples.js';
import { cents, type Moment } from './simulatedShop.js';

/** An order as WooCommerce has it. */
export interface WooOrder {
  id: number;
  key: string;
  number: string;
  status: string;
  /** Status before the order was moved to the trash. */
  trashedFrom: string;
  method: string;
  total: number;
  /** Empty for a guest whom the till did not ask. */
  email: string;
  isErased: boolean;
  createdMs: number;
  paidMs: number | null;
  modifiedMs: number;
  refunds: { id: number; amount: number }[];
  refundsMade: number;
  /** Set if it was placed and paid years before the source was added. */
  isOld: boolean;
  /** Numbers under which paid reports of the order reached the server. `sentByShop` has those of webhooks. */
  sent: Set<string>;
  sentByShop: Set<string>;
  /** Set if a webhook has sent the order with its buyer. */
  isSentNamed: boolean;
  page: { number: string; amount: number; email: string } | null;
  pageMs: number;
  backend: { amount: number; email: string; number: string; calledMs: number } | null;
  /** Buyers whom webhooks have named. */
  sentBuyers: Set<string>;
  /** Reports of the order by pages and the backend. */
  words: { amount: number; email: string }[];
  /** Set if only those reports have its former number, so that buyer and amount must identify it and may not change. */
  isFrozen: boolean;
}

/** Statuses of a paid order; `heldStates` are those in which a paid order counts with the money that refunds left. */
export const paidStates = new Set(['processing', 'completed']);
export const heldStates = new Set([...paidStates, 'cancelled', 'refunded']);

/** The way in which a plugin numbers orders: from the first, the same number twice, or when an invoice is written. */
export type Numbering = 'none' | 'sequential' | 'again' | 'later';

/** Places an order. @param isOld it was placed and paid years ago */
export function placeOrder(
  at: number,
  numbering: Numbering,
  { nowMs, random }: Moment,
  isOld: boolean,
): WooOrder {
  const id = 230 + 2 * at;
  const method = random.pick('stripe', 'stripe', 'bacs', 'cod');
  const numbers: Record<string, string> = { sequential: `${228 + at}`, again: `RE-${at % 2}` };
  const states: Record<string, string> = { bacs: 'on-hold', cod: 'processing' };
  const createdMs = isOld ? Date.UTC(2023, 4, 5 + at) : nowMs;
  return {
    id,
    key: `wc_order_${id}_${random.below(1_000_000)}`,
    number: numbers[numbering] ?? `${id}`,
    status: isOld ? 'completed' : (states[method] ?? 'pending'),
    trashedFrom: '',
    method,
    total: cents(5 + random.below(30_000) / 100),
    email: buyerOf(random),
    isErased: false,
    createdMs,
    paidMs: isOld ? createdMs : null,
    modifiedMs: createdMs,
    refunds: [],
    refundsMade: 0,
    isOld,
    sent: new Set(),
    sentByShop: new Set(),
    isSentNamed: false,
    page: null,
    pageMs: 0,
    backend: null,
    sentBuyers: new Set(),
    words: [],
    isFrozen: false,
  };
}

/** Writes an order as the REST API does. */
export function payloadOf(order: WooOrder, currency: string): Record<string, unknown> {
  const name = order.isErased ? '[deleted]' : 'Ann';
  const email = order.isErased ? 'deleted@site.invalid' : order.email;
  return wooOrder(order.id, {
    number: order.number,
    order_key: order.key,
    status: order.status,
    currency,
    total: order.total.toFixed(2),
    payment_method: order.method,
    transaction_id: '',
    billing: { first_name: name, last_name: name, email },
    shipping: { first_name: name, last_name: name },
    date_created_gmt: gmt(order.createdMs),
    date_modified_gmt: gmt(order.modifiedMs),
    date_paid: order.paidMs === null ? null : gmt(order.paidMs),
    date_paid_gmt: order.paidMs === null ? null : gmt(order.paidMs),
    meta_data: order.isErased ? [meta('_anonymized', 'yes')] : [],
    refunds: order.refunds.map(({ id, amount }) => ({ id, reason: '', total: `-${amount.toFixed(2)}` })),
  });
}

/** Sums up what an order's refunds returned. */
export const returnedOf = ({ refunds }: WooOrder) =>
  cents(refunds.reduce((sum, { amount }) => sum + amount, 0));

const gmt = (ms: number) => new Date(ms).toISOString().slice(0, 19);

const buyerOf = (random: Random) =>
  random.pick('ann@buyer.example', 'bob@buyer.example', 'cid@buyer.example', 'ann@buyer.example', '');
