import type { Issue } from '@orderbeacon/sdk/contract';
import type { Uuid } from '../values/ids.js';

/** The code of the refusal that a report is kept for; after a replay any other code. */
export type RefusedReason = string;

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
  /** As it was sent; the first 64 KiB where `isCut`. */
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
  /** SHA-256, in hex, of what makes two reports the same one. */
  identity: string;
  receivedAt: string;
  reportId: string | null;
  amount: number | string | null;
}

/** Filter of kept reports; by default all of the team. */
export interface RefusedFilter {
  reason?: string | undefined;
  host?: string | undefined;
  /** The first invalid field; empty for none. */
  field?: string | undefined;
  /** Refused first at this time or before it. */
  until?: Date | undefined;
  ids?: readonly Uuid[] | undefined;
  /** Of this buyer, also where the email is all that can be made out. */
  email?: string | undefined;
}

/** The place of a kept report in the order of lists. */
export interface RefusedPlace {
  receivedAt: Date;
  id: Uuid;
}

/** Time that a refused report is kept: 30 days. */
export const refusedKeepMs = 30 * 24 * 60 * 60_000;
