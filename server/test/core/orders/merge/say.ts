import type {
  Identifier,
  ObjectKind,
  StatedFields,
  StatedRefund,
  Statement,
} from '../../../../src/core/orders/merge/statement.js';
import { isProviderId } from '../../../../src/core/orders/payment.js';
import type { Uuid } from '../../../../src/values/ids.js';

/** The time of most statements. Other times differ from it by hours. */
export const at = (hours = 0) => new Date(Date.UTC(2026, 4, 1, 10) + hours * 3_600_000).toISOString();

type GivenFields = Omit<StatedFields, 'personId' | 'email'> & { buyer?: string };

const wordsOf = ({ buyer, ...said }: GivenFields): StatedFields => ({
  ...said,
  ...(buyer !== undefined && { personId: buyer as Uuid, email: `${buyer}@example.com` }),
});

const named = (kind: Identifier['kind'], values: readonly (string | undefined | null)[]): Identifier[] =>
  values.flatMap((value) => (value == null ? [] : [{ kind, value }]));

/** Parts of a report other than its fields. */
export interface ReportExtras {
  /** Hours since `at()`. */
  created?: number;
  shopOrderId?: string;
  /** A provider's id that the report states. */
  payment?: string;
  idempotencyKey?: string;
  reportId?: string;
  /** Time of the change in hours; only in a backend's report. */
  changedAt?: number;
  isCorrected?: true;
}

const report =
  (speaker: 'page' | 'file' | 'signed' | 'backend') =>
  (given: GivenFields = {}, extras: ReportExtras = {}): Statement => {
    const { orderId, buyer } = given;
    const isOfPage = speaker === 'page' || speaker === 'signed';
    const identity = isOfPage ? `${orderId ?? extras.reportId}:${buyer}` : (orderId ?? extras.idempotencyKey);
    return {
      speaker,
      kind: 'report',
      object: `${speaker}:${identity}`,
      names: [
        ...named('number', [orderId]),
        ...named('provider', [extras.payment, orderId && isProviderId(orderId) ? orderId : null]),
        ...named('shopOrder', [extras.shopOrderId]),
        ...named('idempotency', [extras.idempotencyKey]),
        ...named('report', [extras.reportId]),
      ],
      arrived: '',
      created: at(extras.created),
      isDated: isOfPage || extras.created !== undefined,
      version: extras.changedAt === undefined ? null : at(extras.changedAt),
      ...(extras.isCorrected && { isCorrected: true }),
      says: wordsOf(given),
    };
  };

export const page = report('page');
export const signedPage = report('signed');
export const file = report('file');
export const backend = report('backend');

/** Parts of a shop's object other than its fields. */
export interface ObjectExtras {
  /** Hours since `at()`. */
  created?: number;
  /** Time of the change, in hours. */
  version?: number;
  /** Time at which the shop was asked for it, in hours. */
  askedAt?: number;
  stage?: number;
  shopOrderId?: string;
  links?: readonly string[];
  state?: Statement['state'];
  /** Default: `named` with a buyer, otherwise `none`. */
  buyerIs?: Statement['buyer'];
  refunds?: readonly StatedRefund[];
  since?: number;
  isCorrected?: true;
}

const shopObject = (
  kind: ObjectKind,
  object: string,
  given: GivenFields = {},
  extras: ObjectExtras = {},
): Statement => ({
  speaker: 'shop',
  kind,
  object,
  names: [
    ...named('number', [given.orderId]),
    ...named('shopOrder', [extras.shopOrderId]),
    ...named('provider', extras.links ?? []),
  ],
  arrived: '',
  created: at(extras.created),
  isDated: true,
  version: at(extras.version ?? extras.created),
  askedAt: extras.askedAt === undefined ? null : at(extras.askedAt),
  ...(extras.stage !== undefined && { stage: extras.stage }),
  ...(extras.isCorrected && { isCorrected: true }),
  state: extras.state ?? 'paid',
  buyer: extras.buyerIs ?? (given.buyer === undefined ? 'none' : 'named'),
  says: wordsOf(given),
  ...(extras.refunds && { refunds: extras.refunds }),
  ...(extras.since !== undefined && { since: at(extras.since) }),
});

/** Makes an order of WooCommerce or Shopify, by the shop's id. */
export const shopOrder = (id: string, given: GivenFields = {}, extras: ObjectExtras = {}): Statement => ({
  ...shopObject('shopOrder', `shop_${id}`, given, { shopOrderId: id, ...extras }),
  ...(extras.refunds && { isWholeList: true }),
});

const stripe =
  (kind: ObjectKind) =>
  (id: string, given: GivenFields = {}, extras: ObjectExtras = {}): Statement =>
    shopObject(kind, id, given, extras);

export const session = stripe('session');
export const invoice = stripe('invoice');
export const payment = stripe('payment');
export const charge = stripe('charge');
export const invoicePayment = stripe('invoicePayment');

/** Makes a refund of a list. */
export const refundOf = (
  refundId: string,
  amount: string | null,
  more: Partial<StatedRefund> = {},
): StatedRefund => ({
  refundId,
  amount,
  currency: null,
  reason: null,
  createdAt: at(1),
  ...more,
});

/** Makes a refund that is a separate object. */
export const refund = (
  id: string,
  amount: string,
  { currency = null, ...extras }: ObjectExtras & { currency?: string | null } = {},
  more: Partial<StatedRefund> = {},
): Statement => {
  const refunds = [refundOf(id, amount, { createdAt: at(extras.created ?? 1), currency, ...more })];
  return shopObject('refund', id, {}, { ...extras, refunds });
};

/** Makes a dispute: `paid` is lost, `ended` is won. */
export const dispute = (id: string, amount: string, extras: ObjectExtras & { currency?: string } = {}) =>
  refund(id, amount, extras, { reason: 'dispute', isDispute: true });

/** Makes a refund by a backend, which was accepted for the order of an object. */
export const backendRefund = (
  refundId: string,
  amount: string | null,
  { orderId, of }: { orderId: string; of?: string },
): Statement => ({
  speaker: 'backend',
  kind: 'refund',
  object: `backend refund:${refundId}`,
  names: named('number', [orderId]),
  arrived: '',
  created: at(1),
  isDated: false,
  version: null,
  says: {},
  refunds: [refundOf(refundId, amount)],
  ...(of !== undefined && { of }),
});
