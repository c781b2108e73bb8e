import type { Uuid } from '../../../values/ids.js';
import type { FieldName, OrderFields } from '../fields.js';

/** Those who can state something about an order, the weakest first. */
export const speakers = ['page', 'file', 'signed', 'backend', 'shop'] as const;

export type Speaker = (typeof speakers)[number];

/**
 * Kinds of objects, sorted by whose money counts first. A `shopOrder` is of WooCommerce or Shopify. `session` to `invoicePayment`
 * are Stripe's. A `refund` is any return of money with its own id. A `report` is everything that one page, file or backend
 * reported.
 */
export const objectKinds = [
  'shopOrder',
  'session',
  'invoice',
  'payment',
  'charge',
  'invoicePayment',
  'refund',
  'report',
] as const;

export type ObjectKind = (typeof objectKinds)[number];

/**
 * An identifier by which an order is found. `number` is the shop's number (`orderId`), and `shopOrder` is the shop's own id.
 * `provider` is an id that a payment provider or shop system gave or refers to. `parent` is the shop's id of an order that this one
 * may be a part of. One value can be an identifier of several kinds.
 */
export interface Identifier {
  kind: 'number' | 'shopOrder' | 'provider' | 'parent' | 'idempotency' | 'report';
  value: string;
}

/** Lists the identifiers of one kind that an object has or ever had. */
export const valuesOf = ({ names }: Pick<StatedObject, 'names'>, kind: Identifier['kind']): string[] =>
  names.filter((name) => name.kind === kind).map(({ value }) => value);

/** A text that is unique for an identifier. */
export const identifierText = ({ kind, value }: Identifier): string => `${kind} ${value}`;

/** Fields of an order as one speaker states them. An absent field was not stated. */
export type StatedFields = { [Field in FieldName]?: OrderFields[Field] | null } & {
  /** The buyer's id, which is derived from the email. */
  personId?: Uuid;
  email?: string;
  /** The person without an email who stands for the buyer as long as no speaker names one. */
  unnamed?: { personId: Uuid; email: string };
  /** Touches of an earlier order of the visitor. They count if no speaker states a touch. */
  earlier?: Pick<StatedFields, 'firstTouch' | 'lastTouch'>;
};

/** A refund that an object lists, or is. */
export interface StatedRefund {
  refundId: string;
  /** Exact text in major units; null for all that is left of the order. */
  amount: string | null;
  /** Currency of the refund; null for the order's currency. */
  currency: string | null;
  reason: string | null;
  /** Set for a lost dispute. A shop order's list never has it. */
  isDispute?: true;
  /** ISO 8601. */
  createdAt: string;
}

/**
 * State of an object's money: received (`paid`), not received (`unpaid`), or never to be received (`ended`). For a refund: done,
 * pending, or failed, canceled or won.
 */
export type State = 'paid' | 'unpaid' | 'ended';

/** One statement of a speaker about an object, as it arrived. */
export interface Statement {
  speaker: Speaker;
  kind: ObjectKind;
  /** Identifies the object: the provider's id, or for a report a text that is unique among reports, such as `page:1001:<person>`. */
  object: string;
  names: readonly Identifier[];
  /** Grows with the time of arrival; a UUIDv7. */
  arrived: string;
  /**
   * Creation time of the object, as its provider or a backend states it, or the time of a page's call; otherwise the time of
   * arrival. ISO 8601.
   */
  created: string;
  /** Set if the speaker stated `created`. */
  isDated: boolean;
  /** Time of the object's change, as the shop or backend states it; null if it states none. */
  version: string | null;
  /** The time at which the shop was asked for the object; null if the shop sent it by itself. */
  askedAt?: string | null;
  /** Set if a person has corrected this version. */
  isCorrected?: true;
  /** Orders events of the same second: the higher one is later. */
  stage?: number;
  state?: State;
  /** Set if a version that is not paid states that it once was, such as by a date of payment. */
  wasPaid?: boolean;
  /**
   * The state of the buyer, as a shop states it; absent for reports. `withheld`: the shop's answer may not name the buyer, so a
   * missing buyer is not an erased one.
   */
  buyer?: 'named' | 'none' | 'erased' | 'withheld';
  says: StatedFields;
  /** All refunds that the object lists; absent if the version may not list them. */
  refunds?: readonly StatedRefund[];
  /** Set if the list contains all refunds of its shop. */
  isWholeList?: true;
  /** For a backend's refund, the object of the order for which it was accepted. */
  of?: string;
  /** For an unpaid end: the time from which this shop was connected. Earlier pages reported to another shop. */
  since?: string;
  /** The host of a page; only pages have one. */
  host?: string | null;
}

/**
 * One part of a `StatedObject`: a field of a report, or one of a shop's parts (see `parts`). It has the value of the newest version. Its
 * other members decide if a value that arrives later is newer, older or a repeat.
 */
export interface Part {
  version: string | null;
  askedAt: string | null;
  isCorrected: boolean;
  stage: number;
  arrived: string;
  /** Digests of the values that came with this version. They recognize a repeat. */
  digests: string[];
  value: unknown;
}

/** Everything that is known of an object, from all its versions. */
export interface StatedObject {
  speaker: Speaker;
  kind: ObjectKind;
  object: string;
  names: readonly Identifier[];
  /** Arrival of the first version. */
  arrived: string;
  created: string;
  isDated: boolean;
  /** For a shop: `order`, `buyer`, `refunds`, `state` and `earlier`. For a report: one part for each field. */
  parts: Record<string, Part>;
  isWholeList: boolean;
  of: string | null;
  since: string | null;
  host: string | null;
  /**
   * Set if any version states that the object was paid. `buyers` are all buyers that any version named. Both only grow, in whatever
   * order versions arrive.
   */
  wasPaid: boolean;
  buyers: readonly Uuid[];
  /** The amounts of the ten newest versions, and the greatest one. */
  amounts: readonly StatedAmount[];
  /**
   * Time of the latest version that named a buyer. `noneAt` is that of the latest one without a buyer, and `erasedAt` that of the
   * latest erasure.
   */
  namedAt: string | null;
  noneAt: string | null;
  erasedAt: string | null;
  /** Time at which each refund was first listed, by `refundId`. A list may have no times. */
  refundedAt: Readonly<Record<string, string>>;
  /** Set if an operator has erased the order's buyer: no field of the object about a person counts any more. */
  isMarked: boolean;
}

/**
 * @returns true for what a server of 0.4.0 stored from reports with an API key. It counts as one payment until an object with one
 *   of its ids replaces its money.
 */
export const isLegacy = ({ object }: Pick<StatedObject, 'object'>): boolean => object.startsWith('legacy:');

/** @returns true if a page states the object, signed or not */
export const isOfPage = ({ speaker }: Pick<StatedObject, 'speaker'>): boolean =>
  speaker === 'page' || speaker === 'signed';

/** An amount that a version of an object had. */
export interface StatedAmount {
  amount: string;
  currency: string | null;
  version: string | null;
}

/** Objects of a payment provider that links join, and that count as one payment: a payment, or an invoice with its payments. */
export interface Cluster {
  objects: StatedObject[];
  /** Its payments, the oldest first, each with the objects that its links join. */
  payments: Payment[];
}

/** All objects that the links of one payment join. */
export interface Payment {
  objects: StatedObject[];
  /** Amount of the payment that belongs to other invoices; exact text. */
  lent: string;
  /** The invoices that share the payment, each with its amount, sorted by id; empty if only one invoice has it. */
  shares: readonly { invoice: string; amount: string }[];
}

/** The statements of one order. */
export interface Group {
  objects: readonly StatedObject[];
  /** Payments of the order. For a shop order these are the payments that it has taken in. */
  clusters: readonly Cluster[];
  /** If several invoices share a payment: the part of each refund that belongs to this order, by the refund's object. */
  portions: ReadonlyMap<string, string>;
}

/** All groups, and the statements without an order. */
export interface Grouping {
  groups: Group[];
  /** Refunds whose order is unknown, and shop orders that were never paid. */
  waiting: StatedObject[];
  /** Pages that name another buyer than the order with their number. */
  setAside: StatedObject[];
}
