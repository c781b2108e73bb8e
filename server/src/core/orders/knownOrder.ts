import { isSameAmount } from '../../values/currency.js';
import { isProviderId, kindOf } from './payment.js';
import type { JudgedReport } from './report.js';
import type { OrderKey, StoredOrder } from './storedOrder.js';
import { wordsBySpeaker } from './words.js';

/** Fields that have to be the same in each request with an `Idempotency-Key`. */
const keyedFields = ['orderId', 'email', 'amount', 'currency'] as const;

/** One of `keyedFields`. */
export type KeyedField = (typeof keyedFields)[number];

/** The stored order that a report means, with others of the same payment. */
export interface FoundOrder {
  order: StoredOrder;
  /** Other orders of the same payment. */
  absorbed: StoredOrder[];
  /** The order of another payment that has the report's `orderId`. */
  owner: StoredOrder | undefined;
  /** True where an id of a payment provider found it. */
  isOfPayment: boolean;
}

/** Why a report means no stored order. */
export type NotFound =
  | { kind: 'unknown' }
  /** The `Idempotency-Key` was used with another order; `fields` are the ones that differ. */
  | { kind: 'reused'; fields: KeyedField[] }
  /** Another payment with the `orderId` of a known order is an order of its own. */
  | { kind: 'another'; of: StoredOrder };

/**
 * Finds the stored order that a report means. Live and test never meet. A provider's ids decide, then the `orderId`.
 * Without them it is the `reportId` of a page, or the `Idempotency-Key` of a backend. Orders without an id of the shop's own
 * that a provider's ids name, too, are the same order.
 */
export function findKnown(stored: StoredOrder[], report: JudgedReport): FoundOrder | NotFound {
  const ofMode = stored
    .filter(({ isTest }) => isTest === report.isTest)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const { orderId, reportId, idempotencyKey } = report;
  const byKey = idempotencyKey === null ? undefined : ofMode.find((each) => hasKey(each, idempotencyKey));
  const key = byKey?.keys.find((each) => each.key === idempotencyKey);
  const fields = byKey && key ? differences(byKey, key, report) : [];
  if (fields.length > 0) return { kind: 'reused', fields };

  const named = ofMode.filter((each) => report.keys.some((id) => hasKey(each, id)));
  const byOrderId =
    orderId === null
      ? undefined
      : ofMode.find((each) => each.orderId === orderId && each.sharesIdWith === null);
  const isAnother =
    byOrderId !== undefined && !named.includes(byOrderId) && isOtherPayment(byOrderId, report);
  if (isAnother && named.length === 0) return { kind: 'another', of: byOrderId };
  const owner = isAnother ? byOrderId : undefined;
  const byOwnId = isAnother ? undefined : byOrderId;
  const byReportId = reportId === null ? undefined : ofMode.find((each) => each.reportId === reportId);
  const ofPayment = named.find((each) => each.orderId === orderId && isOwn(each)) ?? named.find(isOwn);
  const order = ofPayment ?? byOwnId ?? named[0] ?? byKey ?? byReportId;
  if (!order) return { kind: 'unknown' };
  const absorbed = named.filter((each) => each !== order && !isOwn(each));
  return { order, absorbed, owner, isOfPayment: named.length > 0 };
}

/** True for an order with an id of the shop's own. */
function isOwn({ orderId }: StoredOrder): boolean {
  return orderId !== null && !isProviderId(orderId);
}

/** True for an order that is known by a key. */
export function hasKey({ keys }: StoredOrder, name: string): boolean {
  return keys.some(({ key }) => key === name);
}

/** True when order and report have ids of the same kind, such as two `pi_…`, that differ. */
function isOtherPayment({ keys }: StoredOrder, report: JudgedReport): boolean {
  const kinds = new Set(keys.filter(({ amount }) => amount === null).map(({ key }) => kindOf(key)));
  kinds.delete(undefined);
  return report.keys.some((key) => kinds.has(kindOf(key)));
}

/**
 * Lists the fields in which a report differs from the one that brought its `Idempotency-Key`. An `orderId` or a currency that
 * one of the two lacks is no difference. Neither is the email of an erased buyer, because nobody knows it any more.
 */
function differences(order: StoredOrder, key: OrderKey, report: JudgedReport): KeyedField[] {
  if (key.amount === null) return [];
  const { orderId, currency } = report;
  // The key's own currency may be a default. Then it is what keys have said of the order since.
  const said = wordsBySpeaker(order).key?.currency;
  const differs: Record<KeyedField, boolean> = {
    orderId:
      order.orderId !== null && orderId !== null && order.orderId !== orderId && !hasKey(order, orderId),
    email: !order.isErased && !order.hasNoEmail && order.personId !== report.personId,
    amount: !isSameAmount(Number(key.amount), report.amount, key.currency!),
    currency: Boolean(currency && said) && currency !== key.currency && currency !== said,
  };
  return keyedFields.filter((field) => differs[field]);
}
