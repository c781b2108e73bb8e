import type { Uuid } from '../../../values/ids.js';
import type { FieldName, OrderFields } from '../fields.js';

/** Who can say something of an order, the weakest first. */
export const speakers = ['page', 'file', 'signed', 'backend', 'shop'] as const;

/** One of `speakers`. */
export type Speaker = (typeof speakers)[number];

/**
 * What an object is. A `shopOrder` is WooCommerce's or Shopify's; `session` to `invoicePayment` are Stripe's, the one whose money
 * counts first; a `refund` is any return of money with an id of its own; a `report` is all that one page, file or backend said.
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

/** One of `objectKinds`. */
export type ObjectKind = (typeof objectKinds)[number];

/**
 * A name by which an order is found. `number` is what the shop calls it (`orderId`), `shopOrder` the shop's own id of it,
 * `provider` an id that a payment provider or shop system gave or refers to, `parent` the shop's id of the order of which another one
 * may be a part. A value can be a name of several kinds.
 */
export interface Identifier {
  kind: 'number' | 'shopOrder' | 'provider' | 'parent' | 'idempotency' | 'report';
  value: string;
}

/** Lists the names of one kind that an object has, or ever had. */
export const valuesOf = ({ names }: Pick<StatedObject, 'names'>, kind: Identifier['kind']): string[] =>
  names.filter((name) => name.kind === kind).map(({ value }) => value);

/** Tells a name from all others. */
export const identifierText = ({ kind, value }: Identifier): string => `${kind} ${value}`;

/** Fields of an order as one speaker says them; a field that is absent was not said. */
export type StatedFields = { [Field in FieldName]?: OrderFields[Field] | null } & {
  /** The buyer, by the id that follows from the email. */
  personId?: Uuid;
  email?: string;
  /** The person without an email who has the order while nobody names a buyer. */
  unnamed?: { personId: Uuid; email: string };
  /** Touches of an earlier order of the visitor, which count while nobody says one. */
  earlier?: Pick<StatedFields, 'firstTouch' | 'lastTouch'>;
};

/** A refund that an object lists, or is. */
export interface StatedRefund {
  refundId: string;
  /** Exact text in major units; null for all that is left. */
  amount: string | null;
  /** Null for that of the order. */
  currency: string | null;
  reason: string | null;
  /** True for a lost dispute, which no list of a shop order has. */
  isDispute?: true;
  /** ISO 8601. */
  createdAt: string;
}

/**
 * State of an object: its money is there, is not there, or will not come any more. Of a return of money: it is done, pending, or
 * failed, canceled or won.
 */
export type State = 'paid' | 'unpaid' | 'ended';

/** One saying of a speaker about an object, as it came. */
export interface Statement {
  speaker: Speaker;
  kind: ObjectKind;
  /** The provider's id; of a report what tells it from others, such as `page:1001:<person>`. */
  object: string;
  names: readonly Identifier[];
  /** Grows with the time of arrival; a UUIDv7. */
  arrived: string;
  /** When the object was made, as its provider or a backend says, or a page called; else when it came. ISO 8601. */
  created: string;
  /** True if somebody said `created`. */
  isDated: boolean;
  /** Time of the change, of the shop or the backend; null where none is said. */
  version: string | null;
  /** When the shop was asked for it; null for what it delivered. */
  askedAt?: string | null;
  /** A person has corrected this version. */
  isCorrected?: true;
  /** Of events of one and the same second, the higher one is later. */
  stage?: number;
  state?: State;
  /** True if a version that is not paid says that it once was, as by a date of payment. */
  wasPaid?: boolean;
  /** What a shop says of the buyer. `withheld` may not tell, which is no deletion. Absent for reports. */
  buyer?: 'named' | 'none' | 'erased' | 'withheld';
  says: StatedFields;
  /** All refunds that the object lists; absent where it may not tell. */
  refunds?: readonly StatedRefund[];
  /** True if the list is all refunds of its shop. */
  isWholeList?: true;
  /** Of a backend's refund: the object for whose order it was accepted. */
  of?: string;
  /** Of an end without a payment: pages from before this time reported to another shop. */
  since?: string;
  /** Of a page. */
  host?: string | null;
}

/** The part of an object that one saying decided, with what tells an older saying of it. */
export interface Part {
  version: string | null;
  askedAt: string | null;
  isCorrected: boolean;
  stage: number;
  arrived: string;
  /** Digests of the values that came with this version, by which a repeat is known. */
  digests: string[];
  value: unknown;
}

/** All that is remembered of an object, whatever came first. */
export interface StatedObject {
  speaker: Speaker;
  kind: ObjectKind;
  object: string;
  names: readonly Identifier[];
  /** The first arrival. */
  arrived: string;
  created: string;
  isDated: boolean;
  /** Of a shop: `order`, `buyer`, `refunds`, `state`. Of a report: one part a field. */
  parts: Record<string, Part>;
  isWholeList: boolean;
  of: string | null;
  since: string | null;
  host: string | null;
  /** Facts that only grow, in whatever order versions arrive. */
  wasPaid: boolean;
  buyers: readonly Uuid[];
  /** Those of the ten newest versions and the greatest, with their currency. */
  amounts: readonly StatedAmount[];
  /** Highest versions that named a buyer, named none, and erased the buyer. */
  namedAt: string | null;
  noneAt: string | null;
  erasedAt: string | null;
  /** When a version first listed each refund; lists may have no times. */
  refundedAt: Readonly<Record<string, string>>;
  /** An operator has erased the buyer of its order: no word about a person counts any more. */
  isMarked: boolean;
}

/**
 * True for what a server of 0.4.0 stored of keys. It counts as one payment until an object with one of its ids comes and takes the
 * place of its money.
 */
export const isLegacy = ({ object }: Pick<StatedObject, 'object'>): boolean => object.startsWith('legacy:');

/** An amount that an object had. */
export interface StatedAmount {
  amount: string;
  currency: string | null;
  version: string | null;
}

/** Objects of a payment provider that one payment, or an invoice with its payments, links. It counts as one payment. */
export interface Cluster {
  objects: StatedObject[];
  /** Payments of it, each with the objects that its links join, the oldest first. */
  payments: Payment[];
}

/** All that the links of one payment join. */
export interface Payment {
  objects: StatedObject[];
  /** What other invoices have of it. */
  lent: string;
  /** The invoices that share it, with what each has, in the order of their ids; empty where one has all. */
  shares: readonly { invoice: string; amount: string }[];
}

/** The statements of one order. */
export interface Group {
  objects: readonly StatedObject[];
  /** Its payments; of a shop order those that it has taken in. */
  clusters: readonly Cluster[];
  /** Of a payment that several invoices share: what of each refund is this order's, by the refund's object. */
  portions: ReadonlyMap<string, string>;
}

/** All groups, and what has no order. */
export interface Grouping {
  groups: Group[];
  /** Returns of money whose order is not known, ends without a payment, and what was never paid. */
  waiting: StatedObject[];
  /** Pages whose buyer is not that of the order with their number. */
  setAside: StatedObject[];
}
