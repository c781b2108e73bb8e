import type { Issue } from './answer';
import type { OrderRefund, PaymentStatus } from './refund';
import type { OrderNumber, Timestamp } from './scalars';

/** The way the buyer paid. Accepted in upper or lower case, stored in upper case. */
export type Source = 'STRIPE' | 'PAYPAL' | 'NOWPAYMENTS' | 'USDC_BASE' | 'MANUAL' | 'OTHER';

/** One line of an order. Known fields are checked. Others are stored as they were sent. */
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

/** A line of an order as a program passes it. Values of the shop's interfaces fit, too: those have no `[other: string]`. */
export interface LineItemInput extends LineItem {
  // biome-ignore lint/suspicious/noExplicitAny: `unknown` would require `[other: string]` of the value's type.
  [other: string]: any;
}

/**
 * Fields that the server stores as they were sent, in the order's `extra`. It does so with fields of any other name, too.
 * The types name a few only, so that TypeScript reports a misspelt field. Put others into `metadata`.
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
  /** The buyer. The server trims and lower-cases it, and creates the person if the email is new. */
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
   * The visitor's first landing, a dot, and the last landing that had campaign parameters. Either may be empty. The script
   * tag writes each as base64 of the time in milliseconds, the referrer's host, the campaign parameters and the path,
   * separated by spaces.
   */
  landings?: string | undefined;
  /** Time of the order, as ISO 8601, in the past. Default: now. Counts only in a report with an API key. */
  createdAt?: string | undefined;
  /**
   * Time at which your system last changed the order, as ISO 8601. Of two reports the later one counts, field by field, so a
   * backend corrects an order by reporting it again. Counts only in a report with an API key.
   */
  changedAt?: string | undefined;
  /** Id of one `track()` call. Reports with the same id are one order, so a retry is never a second order. */
  reportId?: string | undefined;
  /**
   * HMAC-SHA256 in hex, made with a signing key of the team. The signed text is `team_…`, orderId, email, amount and
   * currency, joined by line feeds. It lets the server believe a page's report like one that was sent with an API key.
   */
  signature?: string | undefined;
  /** The version of the SDK that sent the report. Servers that do not know the field ignore it. */
  sdkVersion?: string | undefined;
}

/** One way in which a buyer came to the shop, as lists and exports of orders show it. Unknown values are null. */
export interface Touch {
  /** Time of the landing. It is never later than the order. */
  at: Timestamp | null;
  /** Path of the page. */
  path: string | null;
  /** Host of the site before; null for the shop’s own site. */
  referrer: string | null;
  /** `utm_source`; if missing, `ref`; if missing, the advertiser that marked the click. */
  source: string | null;
  /** `utm_medium`; if missing, that of the advertiser. */
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
  /** The refunded part of `amount`. Missing if nothing was refunded. */
  refundedAmount?: number;
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** `true` if a test key or a test domain reported the order. */
  isTest: boolean;
  /** `true` if this request created the order. */
  isNew: boolean;
  createdAt: Timestamp;
  /**
   * Remarks about the report, at most 20 and one that counts the rest; missing if there is nothing to say. They name what
   * was changed or left out of a page’s report so that the order could be stored, the currency that was assumed because the
   * report has none, and what differs from the stored order. One warns that a report with a key has no id by which a retry
   * would find its order.
   */
  warnings?: Issue[];
  /** The `reportId` of a page’s report; missing if it has none. The page accepts no answer to another report. */
  reportId?: string;
}

/** A stored order, as `GET /svc-api/v1/orders/:id` answers it. */
export interface PlacedOrder {
  /** The order, `ord_…`. */
  id: string;
  orderNumber: OrderNumber;
  /** The shop’s own order or payment id. */
  orderId: string | null;
  /** The id of the page’s report, if that has no `orderId`. */
  reportId: string | null;
  /**
   * Every `Idempotency-Key` and id of a payment provider that finds the order, and the ids of orders that were merged into
   * it.
   */
  keys: string[];
  /** Number of the order that had this `orderId` before. Set if this order is another payment. */
  sharesIdWith: string | null;
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** The buyer; null if the person was erased. */
  email: string | null;
  /** The buyer’s name. */
  name: string | null;
  /** Order total in major units, as it was reported. */
  amount: number;
  /** Currency code in upper case. */
  currency: string;
  paymentStatus: PaymentStatus;
  /** The money of all refunds, at most `amount`. */
  refundedAmount: number;
  /** The way the buyer paid. */
  source: Source;
  /** The lines of the order, as they were sent. */
  items: LineItem[] | null;
  /** The visitor id that the buyer’s browser stores. */
  visitorId: string | null;
  /** The visitor’s first landing. */
  firstTouch: Touch | null;
  /** The last landing with campaign parameters. */
  lastTouch: Touch | null;
  /** Fields of the report that this API does not name, as they were sent. */
  extra: Record<string, unknown> | null;
  /** `true` if a test key or a test domain reported the order. */
  isTest: boolean;
  /** Senders of the reports so far. */
  reportedBy: 'browser' | 'key' | 'both';
  createdAt: Timestamp;
  /** Refunds of the order, the oldest first. */
  refunds: OrderRefund[];
}
