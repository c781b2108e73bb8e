import type { Issue } from '@orderbeacon/sdk/contract';
import type { KeptStatement } from '../../core/orders/refusedRequest.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs } from '../../values/time.js';

/** The code of the refusal that a report is kept for; after a replay any other code. */
export type RefusedReason = string;

/** What became of refused reports, as the metrics name it. */
export const refusedOutcomes = ['kept', 'repeated', 'counted', 'dropped', 'evicted'] as const;

/** One of `refusedOutcomes`. */
export type CountedOutcome = (typeof refusedOutcomes)[number];

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
  /** Body as it was sent; of an event of a source the first 64 KiB. */
  body: string;
  /** True for one of a test key, or of a host whose orders are tests. */
  isTest: boolean;
  /** Of a report with a key. */
  keyHash: string | null;
  /** The provider whose source said it; null for a page and a backend. */
  speaker: string | null;
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
  /** What a shop system said beyond the report; null for all others. */
  statement: KeptStatement | null;
}

/** A refused report, ready to be kept. */
export interface NewRefused
  extends Omit<RefusedRow, 'receivedAt' | 'lastAt' | 'amount' | 'isTest' | 'speaker'> {
  /** SHA-256, in hex, which is the same for reports that count as one. */
  identity: string;
  receivedAt: string;
  reportId: string | null;
  amount: number | string | null;
}

/** Filter of kept reports; by default all of the team. */
export interface RefusedFilter {
  isTest?: boolean | undefined;
  reason?: string | undefined;
  host?: string | undefined;
  /** The first invalid field; empty for none. */
  field?: string | undefined;
  /** The beginning of the first issue's message. */
  cause?: string | undefined;
  /** First refused at this time or before it. */
  until?: Date | undefined;
  ids?: readonly Uuid[] | undefined;
}

/** Position of a kept report in lists. */
export interface RefusedCursor {
  receivedAt: Date;
  id: Uuid;
}

/** Refused reports that were counted only. */
export interface Unkept {
  reports: number;
  /** The first and the last of them. */
  since: Date;
  until: Date;
}

/** Time that a refused report is kept: 30 days. */
export const refusedKeepMs = 30 * dayMs;
/** Time in which a discarded report can be restored. */
export const restorableMs = dayMs;

/** Limits of every server; tests use others. The 256 reports that wait have at most 16 MiB. */
export const refusedBounds = {
  /** Kept reports of a team: with a key or of a host among its domains, and of all other hosts. */
  ownReports: 6_000,
  otherReports: 4_000,
  /** Kept reports of a team and one host or key. */
  reportsOfSender: 1_000,
  /** Kept reports that one client's address may send: of each of the team's hosts, and of all other hosts together. */
  reportsOfClient: 100,
  /** Reports that wait or are being kept, of all teams, of one, and of one client of it; more are dropped. */
  reportsWaiting: 256,
  reportsWaitingOfTeam: 128,
  reportsWaitingOfClient: 40,
  /** Time that a report may wait for its statement to start. */
  waitAtMostMs: 1_000,
};

/** Limits of the refused reports that are kept, and of those that wait to be kept. */
export type RefusedBounds = typeof refusedBounds;
