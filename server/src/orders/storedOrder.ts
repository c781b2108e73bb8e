import type { LineItem, Source } from '@orderbeacon/sdk/contract';
import type { Uuid } from '../values/ids.js';
import type { Touches } from './touches.js';

/** Origins of the reports of an order so far. */
export type ReportedBy = 'browser' | 'key' | 'both';

/** Fields of a report that the contract does not name, as they were sent. */
export type ExtraFields = Record<string, unknown>;

/** The fields that a report may leave empty and a later one fill. */
export const optionalFields = ['name', 'items', 'visitorId', 'extra', 'touches'] as const;

/** One of `optionalFields`. */
export type OptionalField = (typeof optionalFields)[number];

/** The fields of an order that a key fills although a page has, in an order that is as good as reported by a key. */
export const pageFieldNames = [...optionalFields, 'source'] as const;

/** One of `pageFieldNames`. */
export type PageField = (typeof pageFieldNames)[number];

/** The names by which a later report finds the order of an earlier one. */
export interface Identifiers {
  orderId: string | null;
  /** From a page. */
  reportId: string | null;
  /** From a backend. */
  idempotencyKey: string | null;
}

/** Values of the report that brought an order a further `Idempotency-Key`. A retry of it has the same. */
export interface FurtherKey {
  /** Null once the person was erased. */
  personId: Uuid | null;
  /** Exact text. */
  amount: string;
  currency: string;
}

/** A stored order. */
export interface StoredOrder extends Identifiers {
  /** The first one; an order can have further ones. */
  idempotencyKey: string | null;
  /** Set when the report that looks for the order has a further key of it. */
  furtherKey: FurtherKey | null;
  id: Uuid;
  orderNumber: string;
  personId: Uuid;
  /** True once the buyer was erased: the order belongs to nobody. */
  isErased: boolean;
  /** Origin of the buyer's name: a page, or a live key or a command; null without a name. */
  buyerNamedBy: 'page' | 'key' | null;
  /** `numeric` arrives as text, exact. */
  amount: string;
  currency: string;
  /** The money of its refunds, exact, at most the amount of the stored order. */
  refunded: string;
  source: Source;
  name: string | null;
  items: LineItem[] | null;
  visitorId: string | null;
  touches: Touches | null;
  extra: ExtraFields | null;
  /**
   * The fields that only pages gave for an order that a key has reported too, or a signed page. `source` means that no
   * key has. While only keys have reported it, `touches` means that they are those of the visitor's latest order.
   */
  pageFields: PageField[] | null;
  isTest: boolean;
  reportedBy: ReportedBy;
  createdAt: Date;
}
