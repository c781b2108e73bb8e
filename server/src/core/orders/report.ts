import type { Uuid } from '../../values/ids.js';
import type { DefaultedField, SaidMoney } from './defaults.js';
import type { OrderFields } from './fields.js';
import type { Identifiers, ReportedBy, Said } from './storedOrder.js';

/** A report that was read, with every id that its order and its buyer may need, ready to be stored. What it left out is null. */
export interface StampedReport extends Identifiers, SaidMoney, Omit<OrderFields, 'amount' | DefaultedField> {
  id: Uuid;
  orderNumber: string;
  /** Follows from team and email, so it is known before the person is. */
  personId: Uuid;
  email: string;
  amount: number;
  /** The page's host; null for a report with a key. */
  host: string | null;
  createdAt: string;
  /** Of the provider's last change, as ISO 8601: the later report counts. Null where the report does not say. */
  changedAt: string | null;
  /** SHA-256 of the API key that vouches for the report; null for a page's report. */
  keyHash: string | null;
  /** For a page's report the domain entries that would allow its host, the most exact first. */
  domainEntries: string[] | null;
  /** A page's signature that is to be checked. */
  signature?: SentSignature | undefined;
  /** True for a report that a signing key for tests vouches for, false for one of a live key; undefined for all others. */
  signedAsTest?: boolean | undefined;
  /** Of a signed report; see `StoredOrder`. */
  said?: Said;
  /** Of another payment with a known `orderId`; see `StoredOrder`. */
  sharesIdWith?: Uuid;
  /** Undefined for all but a shop system. */
  buyerOfShop?: BuyerOfShop;
}

/** A page's signature as it was sent, with the orderId, email and currency as they were sent, which may be the signed ones. */
export interface SentSignature {
  /** Any value that a page can send. */
  value: unknown;
  orderId?: unknown;
  email: unknown;
  currency: unknown;
}

/** A shop system's word on the buyer of an order, if each of its events says all of the order. */
export interface BuyerOfShop {
  /** `none` has no email, and `erased` had one. */
  state: 'named' | 'none' | 'erased';
  /** The person without an email who has the order where the shop has forgotten the buyer. */
  nobody: { personId: Uuid; email: string };
}

/** A report after the database has looked up its key or domain, which say whether it is a test. */
export interface JudgedReport extends StampedReport {
  isTest: boolean;
}

/** True for a report whose name a live key gave. */
export function isNameByKey({ name, keyHash, isTest }: JudgedReport): boolean {
  return name !== null && keyHash !== null && !isTest;
}

/** The reporter of a report by itself. A signed page counts as a page and a backend. */
export function reporterOf({ keyHash, signedAsTest }: JudgedReport): ReportedBy {
  if (keyHash !== null) return 'key';
  return signedAsTest === undefined ? 'browser' : 'both';
}

const none: readonly string[] = [];

/** All keys of a report, each once. */
export function keysOfReport({
  idempotencyKey,
  keys,
}: Pick<Identifiers, 'idempotencyKey' | 'keys'>): readonly string[] {
  if (idempotencyKey === null) return keys.length === 0 ? none : [...new Set(keys)];
  return [...new Set([...keys, idempotencyKey])];
}
