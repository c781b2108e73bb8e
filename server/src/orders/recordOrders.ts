import type { Order } from '@orderbeacon/sdk/contract';
import type { Placement } from '../database/cluster/placement.js';
import type { Sql } from '../database/connection/connect.js';
import { isRetryableConflict } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { ApiError } from '../values/errors.js';
import { encodeId, newOrderNumber, type Uuid } from '../values/ids.js';
import type { JudgedReport } from './knownOrder.js';
import { type Merge, mergeReport } from './mergeReport.js';
import { findOrders, type StoredOrder } from './sql/findOrders.js';
import { lockOrder } from './sql/lockOrder.js';
import { markRecount } from './sql/markRecount.js';
import type { CheckedReport, ReportVerdictRow } from './sql/reportOrders.js';
import { updateOrder } from './sql/updateOrder.js';
import { createStoreReports, lateOnes } from './storeReports.js';

/** What became of one report: the answer's order, or the refusal or failure to throw. */
export type ReportOutcome = Order | Error;

/** A lost race can repeat, a lost race against a lost race hardly: past this something else is wrong. */
const attemptsAtMost = 5;

/**
 * Stores reports of one team, exactly once each, and resolves after the commit with one outcome a report,
 * in their order. New orders take one statement for all of them; a report of a known order then takes its
 * own slower way, and its outcome is a promise, which never rejects. Rejects when the first statement does,
 * with nothing stored.
 * @param known.sql connections of their own for reports of known orders: a row that somebody has locked then keeps
 * no new order waiting
 * @param known.inTurn runs one report of a known order when it is the team's turn; may reject with the refusal
 * @param placement says whether the tables are spread over a Citus cluster
 * @param onMerged told of each known order that a report changed
 */
export function createRecordOrders(
  sql: Sql,
  known: { sql: Sql; inTurn: (teamId: Uuid, run: () => Promise<ReportOutcome>) => Promise<ReportOutcome> },
  placement: Placement,
  onMerged: () => void = () => {},
) {
  const store = createStoreReports(placement);

  return async function recordOrders(
    teamId: Uuid,
    submissions: CheckedReport[],
  ): Promise<(ReportOutcome | Promise<ReportOutcome>)[]> {
    const exceptions = await store(sql, teamId, submissions);
    if (exceptions.length === 0) return submissions.map((submission) => newOrder(submission, false));
    const rowOf = new Map(exceptions.map((row) => [row.id, row]));
    return submissions.map((submission) => {
      const row = rowOf.get(submission.id);
      const outcome = outcomeOf(submission, row);
      if (outcome) return outcome;
      const isTest = row!.isTest;
      return known
        .inTurn(teamId, () => recordKnown(teamId, submission, isTest))
        .catch((refusal: Error) => refusal);
    });
  };

  async function recordKnown(
    teamId: Uuid,
    submission: CheckedReport,
    isTest: boolean,
  ): Promise<ReportOutcome> {
    let report: JudgedReport = { ...submission, isTest };
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      try {
        const outcome = conclude(await merge(teamId, report));
        if (outcome) return outcome;
        // Without a stored order the number collided, or the one in the way was rolled back or changed meanwhile.
        report = { ...report, orderNumber: newOrderNumber() };
        const [row] = await store(known.sql, teamId, [report]);
        const done = outcomeOf(report, row);
        if (done) return done;
      } catch (error) {
        if (!isLostRace(error)) return error as Error;
      }
    }
    return new ApiError('unavailable', { message: 'Too many reports of this order at once; try again.' });
  }

  async function merge(teamId: Uuid, report: JudgedReport): Promise<Merge> {
    // Most duplicates are retries that change nothing: they need no lock and no write.
    const seen = mergeReport(await findOrders(known.sql, teamId, report, report.isTest), report);
    if (seen.kind !== 'changed') return seen;
    const merged = await inTransaction(known.sql, async (locked): Promise<Merge> => {
      await lockOrder(locked, teamId, seen.order.id);
      const stored = await findOrders(locked, teamId, report, report.isTest);
      const now = mergeReport(stored, report);
      if (now.kind !== 'changed') return now;
      if (now.order.id !== seen.order.id) return { kind: 'unknown' };
      await updateOrder(locked, teamId, now.order, now.order.isErased ? null : buyerOf(report), report);
      const before = stored.find(({ id }) => id === now.order.id)!;
      const late = lateOnes([before.createdAt.toISOString(), now.order.createdAt.toISOString()]);
      if (late.length > 0) await markRecount(locked, teamId, late);
      return now;
    });
    if (merged.kind === 'changed') onMerged();
    return merged;
  }
}

/** True when another report came between: the next try finds what that one has stored. */
function isLostRace(error: unknown): boolean {
  // A unique_violation is a report that gives an order an orderId while another stores that orderId.
  return isRetryableConflict(error) || (error as { code?: unknown }).code === '23505';
}

function buyerOf(report: JudgedReport) {
  const { email, name, keyHash, isTest } = report;
  return { email, name, isNameByKey: name !== null && keyHash !== null && !isTest };
}

/** Null when no order is stored. */
function conclude(merge: Merge): ReportOutcome | null {
  switch (merge.kind) {
    case 'unknown':
      return null;
    case 'conflict':
      return new ApiError('order_conflict', { isOfErased: merge.isErased });
    case 'reused':
      return new ApiError('idempotency_key_reused', { message: describeReuse(merge.fields) });
    default:
      return answerOf(merge.order);
  }
}

function describeReuse(fields: readonly string[]): string {
  return `This Idempotency-Key was used before with another ${fields.join(', ')}; nothing was stored. Use a new key for each order, and the same values when you try again.`;
}

/** The outcome when the first statement settled it: refused, or stored as new. No row says new and no test. */
function outcomeOf(submission: CheckedReport, row: ReportVerdictRow | undefined): ReportOutcome | null {
  if (!row) return newOrder(submission, false);
  if (row.refusal) return new ApiError(row.refusal);
  return row.isNew ? newOrder(submission, row.isTest) : null;
}

function newOrder(submission: CheckedReport, isTest: boolean): Order {
  return {
    id: encodeId('ord', submission.id),
    orderNumber: submission.orderNumber,
    amount: submission.amount,
    currency: submission.currency,
    paymentStatus: 'PAID',
    peopleId: encodeId('ppl', submission.personId),
    isTest,
    isNew: true,
    createdAt: submission.createdAt,
  };
}

function answerOf(stored: StoredOrder): Order {
  return {
    id: encodeId('ord', stored.id),
    orderNumber: stored.orderNumber,
    amount: Number(stored.amount),
    currency: stored.currency,
    paymentStatus: 'PAID',
    peopleId: encodeId('ppl', stored.personId),
    isTest: stored.isTest,
    isNew: false,
    createdAt: stored.createdAt.toISOString(),
  };
}
