/**
 * What travels between a browser, an integrator and the server: types only, zero bytes.
 * It lives here because old copies of the SDK live longest in the wild; the server's zod schemas are
 * checked against it, so that drift is a compile error.
 */

/** Where the money came from. Accepted in any case on the wire, stored in upper case. */
export type Source = 'STRIPE' | 'PAYPAL' | 'NOWPAYMENTS' | 'USDC_BASE' | 'MANUAL' | 'OTHER';

/** One line of an order. Known fields are checked, others are kept as they were sent. */
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

/** The body of `POST /svc-api/v1/orders`. */
export interface OrderReport {
  /** The merchant's team, `team_…`. The script tag fills it in. */
  teamId: string;
  /** The buyer. Trimmed and lower-cased by the server; the person is created when new. */
  email: string;
  /** Order total in major units (49.9 is 49 dollars 90), finite and at least 0. */
  amount: number;
  /** The merchant's own order or payment identifier: the deduplication key. */
  orderId?: string | undefined;
  /** 3 to 5 letters. Default `USD`. */
  currency?: string | undefined;
  /** Default `OTHER` without an API key, `MANUAL` with one. */
  source?: Source | undefined;
  /** The buyer's name. */
  name?: string | undefined;
  items?: LineItem[] | undefined;
  /** The browser's persisted visitor, needed for attribution. The script tag fills it in. */
  visitorId?: string | undefined;
  /** Made once per `track()` call: the same id again is the same order, so a retry never doubles it. */
  reportId?: string | undefined;
  /** The version of the SDK that sent it. Servers that do not know the field ignore it. */
  sdkVersion?: string | undefined;
}

/** The answer to an order report. */
export interface Order {
  /** `ord_…` */
  id: string;
  /** `ORD-` and 10 characters. */
  orderNumber: string;
  amount: number;
  currency: string;
  paymentStatus: 'PAID';
  /** The buyer as a person, `ppl_…`. */
  peopleId: string;
  /** True when it came by a test key or from a domain that was added with `--test`. */
  isTest: boolean;
  /** True when this very request created the order. */
  isNew: boolean;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Fields of items that could not be kept. Only on the answer to a page's report. */
  warnings?: Issue[];
}

/** The body of `POST /svc-api/v1/sequences/enroll`. */
export interface EnrollmentRequest {
  /** A person of the team, who must exist already. */
  email: string;
  /** `seq_…` */
  sequenceId: string;
}

/** The answer to an enrollment; the same person and sequence always give the same `subscriptionId`. */
export interface Enrollment {
  enrolled: boolean;
  subscriptionId: string;
  peopleId: string;
  sequenceId: string;
}

/** One way in which a product comes, such as a size or a colour. */
export interface OptionGroup {
  id: string;
  name: string;
  /** Zero-based. */
  order: number;
  values: { id: string; name: string; order: number }[];
}

/** A variant of a product. */
export interface Variant {
  id: string;
  sku: string;
  title: string;
  price: number;
  /** Units on hand. */
  inventory: number;
  isSoldOut: boolean;
  unitsGranted: number | null;
  sortOrder: number;
  isRetired: boolean;
  /** Names, not ids. */
  options: { group: string; value: string }[];
  variantRef: string;
  buyPath: string;
  buyUrl: string;
}

export type ProductType = 'PHYSICAL' | 'DIGITAL' | 'MEETING' | 'MEMBERSHIP' | 'WEBINAR' | 'EVENT';
export type PricingType = 'SINGLE' | 'RECURRING' | 'FREE' | 'PAY_WHAT_YOU_WANT';

/** What every product has, whatever its kind. */
export interface ProductBase {
  id: string;
  title: string;
  slug: string;
  pricingType: PricingType;
  price: number;
  currency: string;
  category: { id: string; name: string; slug: string } | null;
  isActive: boolean;
  hasVariants: boolean;
  exposesVariants: boolean;
  requiresVariantSelection: boolean;
  buyUrl: string;
  productPageUrl: string;
  optionGroups: OptionGroup[];
  counts: { downloads: number; media: number; reviews: number };
  skus: Variant[];
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface PlainProduct extends ProductBase {
  type: 'PHYSICAL' | 'DIGITAL';
}

export interface MeetingProduct extends ProductBase {
  type: 'MEETING';
  durationMinutes: number | null;
  timezone: string | null;
  location: string | null;
  bookingUrl: string | null;
}

export interface MembershipProduct extends ProductBase {
  type: 'MEMBERSHIP';
  interval: string | null;
  intervalCount: number | null;
  trialDays: number | null;
  benefits: string[] | null;
}

export interface WebinarProduct extends ProductBase {
  type: 'WEBINAR';
  startsAt: string | null;
  durationMinutes: number | null;
  timezone: string | null;
  joinUrl: string | null;
  replayUrl: string | null;
  speakers: string[] | null;
}

export interface EventProduct extends ProductBase {
  type: 'EVENT';
  startsAt: string | null;
  endsAt: string | null;
  timezone: string | null;
  venue: {
    name: string | null;
    address: string | null;
    city: string | null;
    country: string | null;
  } | null;
  onlineUrl: string | null;
  capacity: number | null;
}

/** The answer to a product lookup. */
export type Product = PlainProduct | MeetingProduct | MembershipProduct | WebinarProduct | EventProduct;

/** Every word that `error.code` can be. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'origin_required'
  | 'domain_not_allowed'
  | 'team_mismatch'
  | 'product_not_found'
  | 'person_not_found'
  | 'sequence_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'order_conflict'
  | 'idempotency_key_reused'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal'
  | 'unavailable';

/** One invalid field: where it is (`items.0.price`) and what to do about it. */
export interface Issue {
  path: string;
  message: string;
}

/** What every successful answer looks like. Always status 200. */
export interface Success<T> {
  success: true;
  data: T;
}

/** What every refusal looks like, whatever its status. */
export interface Failure {
  success: false;
  error: { code: ErrorCode; message: string; issues?: Issue[] };
  requestId: string;
}

/** The bounds of one request. Lengths are in UTF-16 code units unless they say `Bytes`. */
export interface Limits {
  bodyBytes: 65_536;
  email: 254;
  id: 128;
  reportId: 64;
  text: 255;
  items: 500;
}
