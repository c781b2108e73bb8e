import type { Uuid } from '../../values/ids.js';
import type { FieldName, OrderFields } from './fields.js';

/** Origins of the reports of an order so far. */
export type ReportedBy = 'browser' | 'key' | 'both';

/** Fields of a report that the contract does not name, as they were sent. */
export type ExtraFields = Record<string, unknown>;

/** The names by which a later report finds the order of an earlier one. */
export interface Identifiers {
  /** The shop's own id of the order. */
  orderId: string | null;
  /** From a page. */
  reportId: string | null;
  /** From a backend. */
  idempotencyKey: string | null;
  /** Ids of a payment provider or shop system: all reports with one of them are one order. */
  keys: readonly string[];
}

/** An `Idempotency-Key` with the money that its report said, or an id of a provider, which has none. */
export interface OrderKey {
  key: string;
  /** Exact text. */
  amount: string | null;
  currency: string | null;
}

/** Words of pages about an order, or those of keys. A missing field was left empty. */
export type Words = { [Name in FieldName]?: OrderFields[Name] | null } & {
  /** The buyer; missing where no email was said. */
  personId?: Uuid;
};

/** The words of both, side by side. */
export interface Said {
  page?: Words;
  key?: Words;
  /** Fields that nobody has said: the order has their default, and so may the words of keys. */
  unsaid?: FieldName[];
}

/** A stored order. Its fields are what keys have said, and what pages have said where keys have said nothing. */
export interface StoredOrder extends OrderFields {
  id: Uuid;
  orderNumber: string;
  reportId: string | null;
  /** The keys that the searching report names, and all ids of providers. */
  keys: OrderKey[];
  personId: Uuid;
  /** True once the buyer was erased: the order belongs to nobody. */
  isErased: boolean;
  /** True for a buyer without an email, whose address was made up. */
  hasNoEmail: boolean;
  /** Origin of the buyer's name: a page, or a live key or a command; null without a name. */
  buyerNamedBy: 'page' | 'key' | null;
  /** The money of its refunds, exact, at most the amount of the stored order. */
  refunded: string;
  /**
   * Words of pages and keys, and the fields that nobody has said. Without words the fields are those of one of them, as
   * `reportedBy` says. Of an order that pages have not reported, `page` has the touches of an earlier order of its visitor.
   */
  said: Said | null;
  isTest: boolean;
  reportedBy: ReportedBy;
  createdAt: Date;
  /** When the shop system last changed what it has reported; null where none says so. */
  changedAt: Date | null;
  /** The order that had this `orderId` before, and is another payment; null for none. Its number is null once it was discarded. */
  sharesIdWith: { id: Uuid; orderNumber: string | null } | null;
}
