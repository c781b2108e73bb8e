import type { Issue } from './answer';
import type { OrderRefund, PaymentStatus } from './refund';
import type { OrderNumber, Timestamp } from './scalars';

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
  /** 3 to 5 letters. Default `USD`, with a warning in the answer: name it in each report. */
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
  /**
   * Of a report with an API key: when your system last changed the order, as ISO 8601. The later report counts, field by field, so
   * a backend corrects an order by reporting it again.
   */
  changedAt?: string | undefined;
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
  /** Time of the landing, at most that of the order. */
  at: Timestamp | null;
  /** Path of the page. */
  path: string | null;
  /** Host of the site before; null for the shop’s own site. */
  referrer: string | null;
  /** `utm_source`, else `ref`, else the advertiser that marked the click. */
  source: string | null;
  /** `utm_medium`, else that of the advertiser. */
  medium: string | null;
  /** `utm_campaign` */
  campaign: string | null;
  /** `utm_term` */
  term: string | null;
  /** `utm_content` */
  content: string | null;
  /** The name of the parameter that marked the click, such as `gclid`. */
  clickId: string | null;
}

/** The answer to an order report. */
export interface Order {
  /** The order, `ord_…`. */
  id: string;
  orderNumber: OrderNumber;
  /** Order total in major units, as it was reported. */
  amount: number;
  /** Currency code in upper case. */
  currency: string;
  paymentStatus: PaymentStatus;
  /** The money of the order that was refunded. Only when there is any. */
  refundedAmount?: number;
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** True when a test key or a test domain reported it. */
  isTest: boolean;
  /** True when this request created the order. */
  isNew: boolean;
  createdAt: Timestamp;
  /**
   * Only when there is something to say: what of a page’s report was changed or left out so that the order could be
   * stored, the currency that was taken where none was named, that no retry would find the order of a report with a key,
   * and what differs from the stored order. At most 20, and one more that counts the rest.
   */
  warnings?: Issue[];
  /** Of a page’s report that had one. The page takes no other answer for its own. */
  reportId?: string;
}

/** A stored order, as `GET /svc-api/v1/orders/:id` answers it. */
export interface PlacedOrder {
  /** The order, `ord_…`. */
  id: string;
  orderNumber: OrderNumber;
  /** Your own identifier. */
  orderId: string | null;
  /** Of the page’s report, where that has no `orderId`. */
  reportId: string | null;
  /**
   * Every `Idempotency-Key` and id of a payment provider that the order is known by, and the ids of orders that became
   * one with it.
   */
  keys: string[];
  /** Number of the order that had this `orderId` before, where this one is another payment. */
  sharesIdWith: string | null;
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** The buyer; null once the person was erased. */
  email: string | null;
  /** The customer’s name. */
  name: string | null;
  /** Order total in major units, as it was reported. */
  amount: number;
  /** Currency code in upper case. */
  currency: string;
  paymentStatus: PaymentStatus;
  /** The money of all refunds, at most `amount`. */
  refundedAmount: number;
  /** Where the money came from. */
  source: Source;
  /** What was bought, as it was sent. */
  items: LineItem[] | null;
  /** The browser’s persisted visitor. */
  visitorId: string | null;
  /** The visitor’s first landing. */
  firstTouch: Touch | null;
  /** The last landing with campaign parameters. */
  lastTouch: Touch | null;
  /** Fields of the report beyond those of this API, as they were sent. */
  extra: Record<string, unknown> | null;
  /** True when a test key or a test domain reported it. */
  isTest: boolean;
  /** Senders of the reports so far. */
  reportedBy: 'browser' | 'key' | 'both';
  createdAt: Timestamp;
  /** The oldest first. */
  refunds: OrderRefund[];
}
