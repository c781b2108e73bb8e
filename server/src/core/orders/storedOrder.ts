import { timeOfUuid, type Uuid } from '../../values/ids.js';
import type { FieldName } from './fields.js';
import type { StatedFields } from './merge/statement.js';

/** Origins of the reports of an order so far. */
export type ReportedBy = 'browser' | 'key' | 'both';

/** Fields of a report that the contract does not name, as they were sent. */
export type ExtraFields = Record<string, unknown>;

/** The identifiers by which a later report finds the order of an earlier one. */
export interface Identifiers {
  /** The shop's own number of the order. */
  orderId: string | null;
  /** Id of the report; only from a page. */
  reportId: string | null;
  /** The `Idempotency-Key` of the report; only from a backend. */
  idempotencyKey: string | null;
  /** Ids of a payment provider or shop system. All reports with one of them are one order. */
  providerIds: readonly string[];
}

/** Facts about the report of an order that its row stores beyond the fields. A member is absent if it does not apply. */
export interface RowStatement {
  /** Fields that no report stated: the row has their defaults. */
  unsaid?: FieldName[];
  /** Set for a page with a valid signature. */
  isSigned?: true;
  /** Only for a row of a shop's file: the id of the button press, or of the command's run, that stored it. */
  press?: string;
  /** Time of a backend's last change. */
  changedAt?: string;
  /**
   * Set if the backend stated when the order was placed. False if it did not, and the order is still older than its id. Servers before
   * 0.5.0 stored neither: there an order is dated if it is older than its id.
   */
  isDated?: boolean;
  /** Touches of an earlier order of the visitor. */
  earlier?: StatedFields;
  /** The fields that pages stated; `key` has those that API keys stated. Only in orders of a server before 0.5.0. */
  page?: StatedFields;
  key?: StatedFields;
}

/** Tolerance between the time of an order and that of its id. Servers before 0.5.0 read their clock for each. */
const apartMs = 1;

/** @returns true for an order of a backend that is older than its id, as one that the backend has dated */
export const looksDated = (
  isOfBackend: boolean,
  { id, createdAt, press }: { id: Uuid; createdAt: string; press?: string | undefined },
): boolean => isOfBackend && press === undefined && Date.parse(createdAt) < timeOfUuid(id) - apartMs;
