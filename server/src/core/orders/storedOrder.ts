import type { FieldName } from './fields.js';
import type { StatedFields } from './merge/statement.js';

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
  providerIds: readonly string[];
}

/** What the row of an order tells of the one who said it; null or absent where it is plain. */
export interface RowStatement {
  /** Fields that nobody has said: the row has their defaults. */
  unsaid?: FieldName[];
  /** True for a page whose signature vouches for it. */
  isSigned?: true;
  /** The press of a button that has stored the row of a shop's file. */
  press?: string;
  /** Time of a backend's last change. */
  changedAt?: string;
  /** True if the backend has said when the order was placed. */
  isDated?: true;
  /** Touches of an earlier order of the visitor. */
  earlier?: StatedFields;
  /** Of an order of a server before 0.5.0: the words of pages, and those of keys. */
  page?: StatedFields;
  key?: StatedFields;
}
