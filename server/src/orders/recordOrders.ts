import type { Order } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connect.js';
import { isRetryableConflict } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { ApiError } from '../errors.js';
import { encodeId, newOrderNumber, type Uuid } from '../ids.js';
import { findOrder, type StoredOrder } from '../sql/findOrder.js';
import { type CheckedReport, type ReportVerdictRow, reportOrders } from '../sql/reportOrders.js';
import { updateOrder } from '../sql/updateOrder.js';
import { mergeReport } from './mergeReport.js';

/** What became of one report: the answer's order, or the refusal or failure to throw. */
export type Outcome = Order | Error;

/** A lost race can repeat, a lost race against a lost race hardly: past this something else is wrong. */
const attemptsAtMost = 5;

/**
 * Stores reports of one team, exactly once each, and resolves after the commit with one outcome a report,
 * in their order. New orders take one statement for all of them; a report of a known order then takes its
 * own slower way, and its outcome is a promise, which never rejects. Rejects when the first statement does,
 * with nothing stored.
 * @param onMerged told of each known order that a report changed
 */
export function createRecordOrders(sql: Sql, onMerged: () => void = () => {}) {
  return async function recordOrders(
    teamId: Uuid,
    submissions: CheckedReport[],
  ): Promise<(Outcome | Promise<Outcome>)[]> {
    const exceptions = await reportOrders(sql, teamId, submissions);
    if (exceptions.length === 0) return submissions.map((submission) => newOrder(submission, false));
    const rowOf = new Map(exceptions.map((row) => [row.id, row]));
    return submissions.map((submission) => {
      const row = rowOf.get(submission.id);
      return outcomeOf(submission, row) ?? recordKnown(teamId, submission, row!.isTest);
    });
  };

  async function recordKnown(teamId: Uuid, report: CheckedReport, isTest: boolean): Promise<Outcome> {
    let submission = report;
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      const outcome = await merge(teamId, submission, isTest).catch((error: Error) => error);
      if (isRetryableConflict(outcome)) continue;
      if (outcome === 'other_order') {
        // The orderId is the deduplication key, so the reportId has to give way.
        submission = { ...submission, reportId: null };
      } else if (outcome !== 'none') {
        return outcome;
      }
      // Without a stored order the number collided, or the one in the way was rolled back meanwhile.
      submission = { ...submission, orderNumber: newOrderNumber() };
      try {
        const [row] = await reportOrders(sql, teamId, [submission]);
        const done = outcomeOf(submission, row);
        if (done) return done;
      } catch (error) {
        if (!isRetryableConflict(error)) return error as Error;
      }
    }
    return new ApiError('unavailable', { message: 'Too many reports of this order at once; try again.' });
  }

  async function merge(teamId: Uuid, report: CheckedReport, isTest: boolean) {
    // Most duplicates are retries that change nothing: they need no lock and no write.
    const seen = await findOrder(sql, teamId, report);
    if (!seen) return 'none';
    const first = mergeReport(seen, report, isTest);
    if (first.kind !== 'changed') return conclude(first);
    const result = await inTransaction(sql, async (locked) => {
      const stored = await findOrder(locked, teamId, report, { lock: true });
      const merged = stored && mergeReport(stored, report, isTest);
      if (merged?.kind === 'changed') await updateOrder(locked, teamId, merged.order, report);
      return merged;
    });
    if (result?.kind === 'changed') onMerged();
    return result ? conclude(result) : 'none';
  }
}

function conclude(merge: ReturnType<typeof mergeReport>) {
  if (merge.kind === 'other_order') return merge.kind;
  return merge.kind === 'conflict' ? new ApiError('order_conflict') : knownOrder(merge.order);
}

/** The outcome when the first statement settled it: refused, or stored as new. No row says new and no test. */
function outcomeOf(submission: CheckedReport, row: ReportVerdictRow | undefined): Outcome | null {
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

function knownOrder(stored: StoredOrder): Order {
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
