import type { Issue } from './answer';
import type { OrderRefund, PaymentStatus } from './refund';

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
  /** Of a report with an API key: when the order was placed, as ISO 8601, in the past. Default: now. */
  createdAt?: string | undefined;
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
  /** Changes that were made to fields that could not be stored, and what differs from the stored order. */
  warnings?: Issue[];
  /** The `reportId` of the page's report that is answered, if it had one. By it the page knows the answer as its own. */
  reportId?: string;
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
  /** Every `Idempotency-Key` and id of a payment provider that the order is known by, and the ids of orders that became one with it. */
  keys: string[];
  /** Number of the order that had this `orderId` before, where this one is another payment. */
  sharesIdWith: string | null;
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
