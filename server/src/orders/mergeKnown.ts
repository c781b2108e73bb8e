import type { Order } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connection/connect.js';
import { isRetryableConflict } from '../database/failures.js';
import { inTransaction } from '../database/inTransaction.js';
import { ApiError } from '../values/errors.js';
import { newOrderNumber, type Uuid } from '../values/ids.js';
import type { JudgedReport } from './knownOrder.js';
import { type Merge, mergeReport } from './mergeReport.js';
import { answerKnown, answerStored } from './orderAnswer.js';
import { findOrders, lockOrder, updateOrder } from './sql/knownOrders.js';
import type { ReportVerdictRow } from './sql/reportOrders.js';
import type { CheckedReport } from './stampReport.js';

/** Five attempts; more conflicts mean another fault. */
const attemptsAtMost = 5;

/** Stores reports of one team that no stored order knows, all or none; see `reportOrders`. */
export type StoreReports = (
  sql: Sql,
  teamId: Uuid,
  reports: CheckedReport[],
) => PromiseLike<ReportVerdictRow[]>;

/** Merges a report into the order that it is known by. */
export type MergeKnown = (teamId: Uuid, report: JudgedReport) => Promise<Order>;

/**
 * Stores a report of a known order, and resolves after the commit. Meanwhile the order may change or be discarded; then
 * it tries again, and stores the report as new where no order is left.
 * @param store stores the report as new
 * @param onMerged called when the report has changed the order
 * @throws ApiError `order_conflict`, `idempotency_key_reused`, or a refusal of the key or domain; `unavailable` after
 * five attempts; and the database's failures
 */
export function createMergeKnown(sql: Sql, store: StoreReports, onMerged: () => void): MergeKnown {
  return async function mergeKnown(teamId, known) {
    let report = known;
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      try {
        const merge = await findAndMerge(teamId, report);
        if (merge.kind === 'changed') onMerged();
        const order = conclude(merge);
        if (order) return order;
        // The order number collided, or the order in the way was rolled back or changed meanwhile.
        report = { ...report, orderNumber: newOrderNumber() };
        const [verdict] = await store(sql, teamId, [report]);
        const stored = answerStored(report, verdict);
        if (stored) return stored;
      } catch (error) {
        if (!isLostRace(error)) throw error;
      }
    }
    throw new ApiError('unavailable', {
      message: 'Too many concurrent reports of this order; try again.',
    });
  };

  async function findAndMerge(teamId: Uuid, report: JudgedReport): Promise<Merge> {
    // Most duplicates are retries that change nothing: they need no lock and no write.
    const seen = mergeReport(await findOrders(sql, teamId, report, report.isTest), report);
    if (seen.kind !== 'changed') return seen;
    return inTransaction(sql, async (tx): Promise<Merge> => {
      await lockOrder(tx, teamId, seen.order.id);
      const now = mergeReport(await findOrders(tx, teamId, report, report.isTest), report);
      if (now.kind !== 'changed') return now;
      if (now.order.id !== seen.order.id) return { kind: 'unknown' };
      await updateOrder(tx, teamId, now.order, now.order.isErased ? null : buyerOf(report), report.host);
      return now;
    });
  }
}

/** True when another report came between: the next attempt finds what that report has stored. */
function isLostRace(error: unknown): boolean {
  // A unique_violation is a report that gives an order an orderId while another stores that orderId.
  return isRetryableConflict(error) || (error as { code?: unknown }).code === '23505';
}

function buyerOf(report: JudgedReport) {
  const { email, name, keyHash, isTest } = report;
  return { email, name, isNameByKey: name !== null && keyHash !== null && !isTest };
}

/** Returns the answer, or null when no order is stored. Throws the refusal. */
function conclude(merge: Merge): Order | null {
  switch (merge.kind) {
    case 'unknown':
      return null;
    case 'conflict':
      throw new ApiError('order_conflict', { isOfErased: merge.isErased });
    case 'reused':
      throw new ApiError('idempotency_key_reused', { message: describeReuse(merge.fields) });
    default:
      return answerKnown(merge.order);
  }
}

function describeReuse(fields: readonly string[]): string {
  return `This Idempotency-Key was used before with another ${fields.join(', ')}; nothing was stored. Use a new key for each order, and the same values when you try again.`;
}
