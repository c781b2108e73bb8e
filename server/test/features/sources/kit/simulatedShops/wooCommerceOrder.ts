import type { Random } from '../../../../kit/random.js';
import { meta, wooOrder } from '../wooCommerceSamples.js';
import { cents, type Moment } from './simulatedShop.js';

/** An order as WooCommerce has it. */
export interface WooOrder {
  id: number;
  key: string;
  number: string;
  status: string;
  /** Status before it went into the trash. */
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
  /** Placed and paid years before the source was added. */
  isOld: boolean;
  /** Numbers that reached the server with money, and those of them that webhooks brought. */
  sent: Set<string>;
  sentByShop: Set<string>;
  /** Set if a webhook has brought it while it named its buyer. */
  isSentNamed: boolean;
  page: { number: string; amount: number; email: string } | null;
  pageMs: number;
  backend: { amount: number; email: string } | null;
  /** Buyers whom webhooks have named. */
  sentBuyers: Set<string>;
  /** What pages and the backend have said of it. */
  words: { amount: number; email: string }[];
  /** Only these have told its number before it got another one: buyer and amount tell that it is the same. */
  isFrozen: boolean;
}

/** States in which money is there, and those in which an order that was paid holds what its refunds left. */
export const paidStates = new Set(['processing', 'completed']);
export const heldStates = new Set([...paidStates, 'cancelled', 'refunded']);

/** How a plugin numbers orders: from the first on, the same number twice, or when an invoice is written. */
export type Numbering = 'none' | 'sequential' | 'again' | 'later';

/** Places an order. @param isOld years ago, and paid then */
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
