/**
 * The requests and answers that browsers, integrators and the server exchange. It holds types only, and adds no byte.
 * It lies in the SDK because old copies of the SDK stay in use longest. The server's zod schemas are checked against
 * it, so that a difference is a compile error.
 */

export type * from './product';

/** The way the buyer paid. Accepted in upper or lower case, stored in upper case. */
export type Source = 'STRIPE' | 'PAYPAL' | 'NOWPAYMENTS' | 'USDC_BASE' | 'MANUAL' | 'OTHER';

/** One line of an order. Known fields are checked. Others are kept as they were sent. */
export interface LineItem {
  productId?: string | number | undefined;
  sku?: string | number | undefined;
  name?: string | undefined;
  variant?: string | number | undefined;
  category?: string | undefined;
  /** Units, at least 0. */
  quantity?: number | undefined;
  /** Price of one unit in major units of the order's currency. */
  price?: number | undefined;
  [other: string]: unknown;
}

/** A line of an order as a program gives it: also of an interface of the shop's own, which has no `[other: string]`. */
export interface LineItemInput extends LineItem {
  // biome-ignore lint/suspicious/noExplicitAny: with `unknown` TypeScript wants that of the given type, too.
  [other: string]: any;
}

/**
 * Fields of an order that the server stores as they were sent, in `extra`. It stores fields of any other name, too. The
 * types name a few only, so that TypeScript finds a misspelt one; put others into `metadata`.
 */
export interface FieldsOfYourOwn {
  tax?: unknown;
  shipping?: unknown;
  discount?: unknown;
  coupon?: unknown;
  metadata?: unknown;
}

/** The body of `POST /svc-api/v1/orders`. */
export interface OrderReport {
  /** The merchant's team, `team_…`. The script tag fills it in. */
  teamId: string;
  /** The buyer. The server trims and lower-cases it, and creates the person if it is new. */
  email: string;
  /** Order total in major units (49.9 is 49 dollars 90), from 0 to 10^12. */
  amount: number;
  /** The shop's own order or payment id. Reports with the same `orderId` are one order. */
  orderId?: string | undefined;
  /** 3 to 5 letters. Default `USD`. */
  currency?: string | undefined;
  /** Default `OTHER` without an API key, `MANUAL` with one. */
  source?: Source | undefined;
  /** The buyer's name. */
  name?: string | undefined;
  items?: LineItem[] | undefined;
  /** The browser's visitor id, for attribution. The script tag fills it in. */
  visitorId?: string | undefined;
  /**
   * The visitor's first landing, and after a dot the last one that had campaign parameters, as the script tag writes
   * them: base64 of the time in milliseconds, the referrer's host, the campaign parameters and the path, separated by
   * spaces. Either may be empty.
   */
  landings?: string | undefined;
  /** Made once per `track()` call. Reports with the same id are one order, so a retry is never a second one. */
  reportId?: string | undefined;
  /**
   * Of a page's report: HMAC-SHA256, in hex, of `team_…`, orderId, email, amount and currency, joined by line feeds, with a
   * signing key of the team. The server believes a signed order as it believes one that was sent with an API key.
   */
  signature?: string | undefined;
  /** The version of the SDK that sent the report. Servers that do not know the field ignore it. */
  sdkVersion?: string | undefined;
}

/** One way in which a buyer came to the shop, as lists and exports of orders show it. Null where unknown. */
export interface Touch {
  /** ISO 8601, UTC, milliseconds. */
  at: string | null;
  /** The path of the page, decoded. */
  path: string | null;
  /** The referrer's host without its port, in lower case; null for the shop's own site. */
  referrer: string | null;
  /** `utm_source`, else `ref`, else the advertiser that marked the click. As it was sent, in any case. */
  source: string | null;
  /** `utm_medium`, else that of the advertiser. */
  medium: string | null;
  /** `utm_campaign` */
  campaign: string | null;
  /** `utm_term` */
  term: string | null;
  /** `utm_content` */
  content: string | null;
  /** The name of the parameter that marked the click, such as `gclid`. Its value is not stored. */
  clickId: string | null;
}

/** `PARTIALLY_REFUNDED` or `REFUNDED` once a refund was reported, of a part or of all of the order's amount. */
export type PaymentStatus = 'PAID' | 'PARTIALLY_REFUNDED' | 'REFUNDED';

/** The answer to an order report. */
export interface Order {
  /** `ord_…` */
  id: string;
  /** `ORD-` and 10 characters. */
  orderNumber: string;
  amount: number;
  currency: string;
  /** `PAID` for a new order. */
  paymentStatus: PaymentStatus;
  /** The money of the order that was refunded. Only if there is any. */
  refundedAmount?: number;
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** True if the report had a test key, or came from a domain that was added with `--test`. */
  isTest: boolean;
  /** True if this request created the order. */
  isNew: boolean;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Changes that were made to fields that could not be stored. Only in the answer to a page's report. */
  warnings?: Issue[];
}

/** The body of `POST /svc-api/v1/orders/refunds`. */
export interface RefundRequest {
  /** The key's team, as in an order report. May be left out. */
  teamId?: string | undefined;
  /** The shop's own id of the order, its `ord_…` or its `ORD-…`. */
  orderId: string;
  /** The shop's own id of the refund. Requests with the same `refundId` are one refund. */
  refundId: string;
  /** Major units in the order's currency, above 0. Default: all that is left of the order. */
  amount?: number | undefined;
  /** The reason, for people. */
  reason?: string | undefined;
}

/** The answer to a refund. */
export interface Refund {
  refundId: string;
  /** The id of the order, as the request named it. */
  orderId: string;
  /** The order, `ord_…`; null while the refund waits for it. */
  order: string | null;
  /** The money that was refunded. While the refund waits, the amount that was asked for, or null for all of the order. */
  amount: number | null;
  /** Of the order. Null while the refund waits. */
  currency: string | null;
  /** Of the order, with all its refunds. Null while the refund waits. */
  paymentStatus: PaymentStatus | null;
  /** The money of all refunds of the order. Null while the refund waits. */
  refundedAmount: number | null;
  reason: string | null;
  isTest: boolean;
  /** True if this request created the refund. */
  isNew: boolean;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

/** A refund of an order that was read. */
export interface OrderRefund {
  refundId: string;
  /** The money of it that counts. */
  amount: number;
  /** The amount that was reported, only if that was more than was left of the order. */
  cutFrom?: number;
  reason: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

/** A stored order, as `GET /svc-api/v1/orders/:id` answers it. */
export interface PlacedOrder {
  /** `ord_…` */
  id: string;
  /** `ORD-` and 10 characters. */
  orderNumber: string;
  /** The shop's own id. */
  orderId: string | null;
  /** Of the page's report, where that has no `orderId`. */
  reportId: string | null;
  /** The first one that the order was reported with. */
  idempotencyKey: string | null;
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** Null once the person was erased. */
  email: string | null;
  name: string | null;
  amount: number;
  currency: string;
  paymentStatus: PaymentStatus;
  /** The money of all refunds, at most `amount`. */
  refundedAmount: number;
  source: Source;
  items: LineItem[] | null;
  visitorId: string | null;
  firstTouch: Touch | null;
  lastTouch: Touch | null;
  /** Fields of the report that the contract does not name. */
  extra: Record<string, unknown> | null;
  isTest: boolean;
  /** Senders of the reports of this order so far. */
  reportedBy: 'browser' | 'key' | 'both';
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** The oldest first. */
  refunds: OrderRefund[];
}

/** The body of `POST /svc-api/v1/sequences/enroll`. */
export interface EnrollmentRequest {
  /** A person of the team who already exists. */
  email: string;
  /** `seq_…` */
  sequenceId: string;
}

/** The answer to an enrollment. The same person and sequence always give the same `subscriptionId`. */
export interface Enrollment {
  enrolled: boolean;
  subscriptionId: string;
  peopleId: string;
  sequenceId: string;
}

/** The data of `orders.stopped`: a team that sells regularly has no live orders, or has them again. */
export interface StoppedOrders {
  teamName: string;
  /** Time of the last order before the silence. ISO 8601, UTC, milliseconds. */
  lastOrderAt: string;
  /** Orders that usually would have come since then, at least; null when the silence has ended. */
  usualOrders: number | null;
  /** Time of the first order after the silence; null while it lasts. */
  endedAt: string | null;
  /** The same as a text for people, in English. */
  message: string;
}

/** The data of `refused.began`: reports are refused as none were in the 7 days before. */
export interface BegunRefusals {
  teamName: string;
  /** The error code. Null for more hosts or fields on one day than are told one by one; so are `host` and `field`. */
  reason: string | null;
  /** The page's host; null for reports with a key, and for pages that name none. */
  host: string | null;
  /** The first invalid field; null for none. */
  field: string | null;
  /** Reports that were refused so far. */
  reports: number;
  /** The same as a text for people, in English. */
  message: string;
}

/** The data of `enrollment.created`. */
export interface EnrolledPerson extends Enrollment {
  /** Of the person. */
  email: string;
}

/** The body of a request to a webhook. */
export interface WebhookBody<Type extends string, Data> {
  type: Type;
  /** Time of the event. The same for all attempts. ISO 8601, UTC, milliseconds. */
  timestamp: string;
  /** As it is stored at the time of the attempt. */
  data: Data;
}

/** The body of a request to a webhook, by `type`. Later releases may add types. */
export type WebhookEvent =
  | WebhookBody<'order.created' | 'order.changed' | 'order.refunded', PlacedOrder>
  | WebhookBody<'enrollment.created', EnrolledPerson>
  | WebhookBody<'orders.stopped', StoppedOrders>
  | WebhookBody<'refused.began', BegunRefusals>
  | WebhookBody<'hook.test', { message: string }>;

/** Every value of `error.code`. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'invalid_signature'
  | 'origin_required'
  | 'domain_not_allowed'
  | 'team_mismatch'
  | 'signature_required'
  | 'product_not_found'
  | 'person_not_found'
  | 'sequence_not_found'
  | 'order_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'order_conflict'
  | 'idempotency_key_reused'
  | 'refund_id_reused'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal'
  | 'unavailable';

/** One invalid field: its path (`items.0.price`), and a sentence that says how to fix it. */
export interface Issue {
  path: string;
  message: string;
}

/** Every successful answer. Its status is 200. */
export interface Success<T> {
  success: true;
  data: T;
}

/** Every refusal, whatever its status. */
export interface Failure {
  success: false;
  error: {
    code: ErrorCode;
    message: string;
    /** URL of the page about the code, on the server that answered. Servers before 0.3.0 send none. */
    docs?: string;
    issues?: Issue[];
  };
  requestId: string;
}

/** The limits of one request. Lengths are in UTF-16 code units, unless the name ends with `Bytes`. */
export interface Limits {
  bodyBytes: 65_536;
  email: 254;
  id: 128;
  reportId: 64;
  text: 255;
  items: 500;
  /** JSON of all fields that the contract does not name. */
  extraBytes: 8_192;
}
