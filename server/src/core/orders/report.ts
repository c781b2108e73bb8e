import type { Uuid } from '../../values/ids.js';
import type { DefaultedField, OrderFields, StatedMoney } from './fields.js';
import type { Identifier, Statement } from './merge/statement.js';
import type { Identifiers, ReportedBy, RowStatement } from './storedOrder.js';

/** A prepared report: it was read, and has every id that its order and its buyer may need. A missing field is null. */
export interface PreparedReport
  extends Identifiers,
    StatedMoney,
    Omit<OrderFields, 'amount' | DefaultedField> {
  id: Uuid;
  orderNumber: string;
  /** Derived from team and email, so it is known before the person is stored. */
  personId: Uuid;
  email: string;
  amount: number;
  /** The page's host; null for a report with an API key. */
  host: string | null;
  createdAt: string;
  /**
   * Time of the last change by the clock of the shop or backend, as ISO 8601; null if none was stated. The later statement counts.
   */
  changedAt: string | null;
  /** SHA-256 of the API key; null for a page's report. */
  keyHash: string | null;
  /** For a page's report: the domain entries that would allow its host, the most specific first. */
  domainEntries: string[] | null;
  /** A page's signature that is not checked yet. */
  signature?: SentSignature | undefined;
  /** Set after a page's signature was checked: true for a test signing key, false for a live one. Otherwise undefined. */
  signedAsTest?: boolean | undefined;
  /** Set if the report states when the order was placed. */
  isDated: boolean;
  /** The shop's own id of the order, if it is another than the number; null if the report does not state it. */
  shopOrderId: string | null;
  /** Fields beyond a report that a shop system sends; undefined for all other reports. */
  ofShop?: OfShop;
  /** Only for a row of a shop's file: the id of the button press, or of the command's run, that stored it. */
  press?: string;
}

/** Fields of an object that a shop system sends beyond a report. */
export type OfShop = Pick<Statement, 'object' | 'kind'> & {
  /** The shop's own id of another order that this one may be a part of. */
  parentId?: string;
} & Partial<
    Pick<
      Statement,
      | 'askedAt'
      | 'isCorrected'
      | 'stage'
      | 'state'
      | 'wasPaid'
      | 'buyer'
      | 'refunds'
      | 'isWholeList'
      | 'since'
    >
  >;

/**
 * A page's signature, with the `orderId`, email and currency as they were sent. The page may have signed these instead of the
 * stored values.
 */
export interface SentSignature {
  /** Any value that a page can send. */
  value: unknown;
  orderId?: unknown;
  email: unknown;
  currency: unknown;
}

/** An authorized report: the database has looked up its API key or domain, which determines its mode. */
export interface AuthorizedReport extends PreparedReport {
  isTest: boolean;
  /** Touches of an earlier order of the visitor. The report got them because it has none. */
  earlier?: RowStatement['earlier'];
}

/** @returns true if a live API key gave the buyer's name */
export function isNameByKey({ name, keyHash, isTest }: AuthorizedReport): boolean {
  return name !== null && keyHash !== null && !isTest;
}

/** Returns the origin of a report. A signed page counts as a page and a backend. */
export function reportedByOf({ keyHash, signedAsTest }: AuthorizedReport): ReportedBy {
  if (keyHash !== null) return 'key';
  return signedAsTest === undefined ? 'browser' : 'both';
}

/** @returns true for a report that needs rows in `statement`: a shop system's, and one with a `shopOrderId` */
export const isOfTwoNames = ({ ofShop, shopOrderId }: PreparedReport): boolean =>
  ofShop !== undefined || shopOrderId !== null;

/** Lists the identifiers of a new order that its row does not hold: all except the number and the `reportId`. */
export function identifiersOfReport({
  idempotencyKey,
  providerIds,
}: Pick<Identifiers, 'idempotencyKey' | 'providerIds'>): Identifier[] {
  if (idempotencyKey === null && providerIds.length === 0) return none;
  const names: Identifier[] = providerIds.map((value) => ({ kind: 'provider', value }));
  if (idempotencyKey !== null) names.push({ kind: 'idempotency', value: idempotencyKey });
  return names;
}

const none: Identifier[] = [];
