import type { Issue } from '@orderbeacon/sdk/contract';
import type { Uuid } from '../values/ids.js';
import { dayMs } from '../values/timeUnits.js';

/** The code of the refusal that a report is kept for; after a replay any other code. */
export type RefusedReason = string;

/** The reason for which a refund that a source has told is kept. It is no order, so it is never replayed. */
export const refundNotStored = 'refund_not_stored';

/** A kept report. */
export interface RefusedRow {
  id: Uuid;
  /** The error code of its last refusal. */
  reason: RefusedReason;
  /** The first invalid field; empty for none. */
  field: string;
  issues: Issue[] | null;
  /** The page's; empty for a report with a key, and for a page that names none. */
  host: string;
  /** Body as it was sent; the first 64 KiB if `isCut`. */
  body: string;
  isCut: boolean;
  /** Of a report with a key. */
  keyHash: string | null;
  idempotencyKey: string | null;
  sdkVersion: string | null;
  /** Times of the first and the last refusal, and their number. */
  receivedAt: Date;
  lastAt: Date;
  times: number;
  /** Null where the body has no valid one. */
  email: string | null;
  orderId: string | null;
  /** Exact text. */
  amount: string | null;
  currency: string | null;
}

/** A refused report, ready to be kept. */
export interface RefusedReport extends Omit<RefusedRow, 'receivedAt' | 'lastAt' | 'amount'> {
  /** SHA-256, in hex, which is the same for reports that count as one. */
  identity: string;
  receivedAt: string;
  reportId: string | null;
  amount: number | string | null;
  /** True when the page's host is among the team's domains. */
  isAllowed: boolean;
  /** See `placesOf`. */
  places: number;
}

/** Filter of kept reports; by default all of the team. */
export interface RefusedFilter {
  reason?: string | undefined;
  host?: string | undefined;
  /** The first invalid field; empty for none. */
  field?: string | undefined;
  /** First refused at this time or before it. */
  until?: Date | undefined;
  ids?: readonly Uuid[] | undefined;
}

/** Position of a kept report in lists. */
export interface RefusedPlace {
  receivedAt: Date;
  id: Uuid;
}

/** Time that a refused report is kept: 30 days. */
export const refusedKeepMs = 30 * dayMs;
