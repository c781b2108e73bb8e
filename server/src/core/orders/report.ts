import type { Uuid } from '../../values/ids.js';
import type { DefaultedField, OrderFields, StatedMoney } from './fields.js';
import type { Identifier, Statement } from './merge/statement.js';
import type { Identifiers, ReportedBy, RowStatement } from './storedOrder.js';

/** A report that was read, with every id that its order and its buyer may need, ready to be stored. What it left out is null. */
export interface PreparedReport
  extends Identifiers,
    StatedMoney,
    Omit<OrderFields, 'amount' | DefaultedField> {
  id: Uuid;
  orderNumber: string;
  /** Follows from team and email, so it is known before the person is. */
  personId: Uuid;
  email: string;
  amount: number;
  /** The page's host; null for a report with a key. */
  host: string | null;
  createdAt: string;
  /** Time of the last change by the clock of the shop or backend, as ISO 8601: the later word counts. Null where none is said. */
  changedAt: string | null;
  /** SHA-256 of the API key that vouches for the report; null for a page's report. */
  keyHash: string | null;
  /** For a page's report the domain entries that would allow its host, the most exact first. */
  domainEntries: string[] | null;
  /** A page's signature that is to be checked. */
  signature?: SentSignature | undefined;
  /** True for a report that a signing key for tests vouches for, false for one of a live key; undefined for all others. */
  signedAsTest?: boolean | undefined;
  /** True if the report says when the order was placed. */
  isDated: boolean;
  /** The shop's own id of the order, beside its number; null where the report does not say it. */
  shopOrderId: string | null;
  /** What a shop system says beyond a report; undefined for all others. */
  ofShop?: OfShop;
  /** The press of a button that has stored the row of a shop's file; undefined for all others. */
  press?: string;
}

/** What a shop system says of an object beyond a report. */
export type OfShop = Pick<Statement, 'object' | 'kind'> & {
  /** The shop's own id of the order of which this one may be a part. */
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

/** A page's signature as it was sent, with the orderId, email and currency as they were sent, which may be the signed ones. */
export interface SentSignature {
  /** Any value that a page can send. */
  value: unknown;
  orderId?: unknown;
  email: unknown;
  currency: unknown;
}

/** A report after the database has looked up its key or domain, which say whether it is a test. */
export interface AuthorizedReport extends PreparedReport {
  isTest: boolean;
  /** Touches of an earlier order of the visitor, which the report has got. */
  earlier?: RowStatement['earlier'];
}

/** True for a report whose name a live key gave. */
export function isNameByKey({ name, keyHash, isTest }: AuthorizedReport): boolean {
  return name !== null && keyHash !== null && !isTest;
}

/** The reporter of a report by itself. A signed page counts as a page and a backend. */
export function reportedByOf({ keyHash, signedAsTest }: AuthorizedReport): ReportedBy {
  if (keyHash !== null) return 'key';
  return signedAsTest === undefined ? 'browser' : 'both';
}

/** True for a report that is stored with statements of its own: a shop's, and one that names its order in two ways. */
export const isOfTwoNames = ({ ofShop, shopOrderId }: PreparedReport): boolean =>
  ofShop !== undefined || shopOrderId !== null;

/** Names of a new order beside its number and its `reportId`, by which its row alone does not find it. */
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
