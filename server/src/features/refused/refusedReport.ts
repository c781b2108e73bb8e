import type { Issue } from '@orderbeacon/sdk/contract';
import { type KeptStatement, refundNotStored } from '../../core/orders/refusedRequest.js';
import { orderDiffers } from '../../core/orders/store/answer.js';
import type { Uuid } from '../../values/ids.js';
import { dayMs } from '../../values/time.js';

/** The error code for which a report is kept. A replay may give it any other code. */
export type RefusedReason = string;

/** Reasons that kept reports can have: those for which they are kept, and those that a replay may give. */
export const refusedReasons: readonly RefusedReason[] = [
  'domain_not_allowed',
  'invalid_request',
  'order_conflict',
  'invalid_signature',
  'signature_required',
  orderDiffers,
  refundNotStored,
  'invalid_api_key',
  'team_mismatch',
  'idempotency_key_reused',
  'invalid_json',
];

/** Outcomes of refused reports, as metrics name them. */
export const refusedOutcomes = ['kept', 'repeated', 'counted', 'dropped', 'evicted'] as const;

/** One of `refusedOutcomes`. */
export type CountedOutcome = (typeof refusedOutcomes)[number];

/** A kept report. */
export interface RefusedRow {
  id: Uuid;
  /** The error code of the report's last refusal. */
  reason: RefusedReason;
  /** The first invalid field; empty if no field is invalid. */
  field: string;
  issues: Issue[] | null;
  /** Host of the page. Empty for a report with an API key, and for a page without a host. */
  host: string;
  /** The body as it was sent; of a source's event, the first 64 KiB. */
  body: string;
  /** Set if the report was sent with a test key, or by a host whose orders are tests. */
  isTest: boolean;
  /** Hash of the API key; null for a page. */
  keyHash: string | null;
  /** The provider whose source sent the report, such as `Stripe`; null for a page and a backend. */
  speaker: string | null;
  idempotencyKey: string | null;
  sdkVersion: string | null;
  /** Time of the report's first refusal. `lastAt` is the time of the last one, and `times` the number of refusals. */
  receivedAt: Date;
  lastAt: Date;
  times: number;
  /** The buyer's email; null if the body has no valid one. */
  email: string | null;
  orderId: string | null;
  /** The amount as an exact decimal; null if the body has none that can be read. */
  amount: string | null;
  currency: string | null;
  /** Facts of a shop system's event that a report cannot contain; null for other senders. */
  statement: KeptStatement | null;
}

/** A refused report, ready to be stored. */
export interface NewRefused
  extends Omit<RefusedRow, 'receivedAt' | 'lastAt' | 'amount' | 'isTest' | 'speaker'> {
  /** SHA-256 in hex. Reports with the same identity are one entry. */
  identity: string;
  receivedAt: string;
  reportId: string | null;
  amount: number | string | null;
}

/** Filter of kept reports. Without fields, it selects all of the team. */
export interface RefusedFilter {
  isTest?: boolean | undefined;
  reason?: string | undefined;
  host?: string | undefined;
  /** The first invalid field; empty if no field is invalid. */
  field?: string | undefined;
  /** The beginning of the first issue's message. */
  cause?: string | undefined;
  /** Only reports that were first refused at this time or earlier. */
  until?: Date | undefined;
  ids?: readonly Uuid[] | undefined;
}

/** Position of a kept report in lists. */
export interface RefusedCursor {
  receivedAt: Date;
  id: Uuid;
}

/** Refused reports that were counted but not kept. */
export interface Unkept {
  reports: number;
  /** Time of the first of these refusals; `until` is the time of the last one. */
  since: Date;
  until: Date;
}

/** Time for which a refused report is kept: 30 days. */
export const refusedKeepMs = 30 * dayMs;
/** Time for which a discarded report can be restored. */
export const restorableMs = dayMs;

/** Limits of every server. Tests use others. The 256 waiting reports have at most 16 MiB. */
export const refusedBounds = {
  /** Kept reports of a team: of its keys and domains, and of all other hosts. */
  ownReports: 6_000,
  otherReports: 4_000,
  /** Kept reports of one host or API key of a team. */
  reportsOfSender: 1_000,
  /**
   * Most kept reports of one client's address. They are counted separately for each of the team's hosts, and together for all other
   * hosts.
   */
  reportsOfClient: 100,
  /**
   * Most reports that are waiting or being kept, of all teams. `reportsWaitingOfTeam` limits those of one team, and
   * `reportsWaitingOfClient` those of one client of a team. Further reports are dropped.
   */
  reportsWaiting: 256,
  reportsWaitingOfTeam: 128,
  reportsWaitingOfClient: 40,
  /** Time that a report may wait until its statement starts. */
  waitAtMostMs: 1_000,
};

/** Limits of kept reports, and of those that wait to be kept. */
export type RefusedBounds = typeof refusedBounds;
