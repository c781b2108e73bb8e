import type { Order } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../database/connection/connect.js';
import { isRetryableConflict } from '../../database/failures.js';
import { attemptsAtMost, inTransaction } from '../../database/inTransaction.js';
import { ApiError } from '../../values/errors.js';
import { newOrderNumber, type Uuid } from '../../values/ids.js';
import { type Listeners, tell } from '../listener.js';
import { addBuyers, editPerson, removeEmptyPeople } from '../people/sql/person.js';
import { answerKnown, answerStored, sharedId } from './answer.js';
import { type KnownOrder, type Merge, mergeReport } from './mergeReport.js';
import { isNameByKey, type JudgedReport, type StampedReport } from './report.js';
import {
  absorbOrder,
  findOrders,
  findRefunded,
  keepChangedAt,
  lockOrder,
  updateOrder,
} from './sql/knownOrders.js';
import { addOrderKeys } from './sql/orderKeys.js';
import type { ReportVerdictRow } from './sql/reportVerdict.js';

/** Stores reports of one team that no stored order knows, all or none; see `reportOrders`. */
export type StoreReports = (
  sql: Sql,
  teamId: Uuid,
  reports: StampedReport[],
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
export function createMergeKnown(
  sql: Sql,
  store: StoreReports,
  listeners: Listeners,
  onMerged: () => void,
): MergeKnown {
  return async function mergeKnown(teamId, known) {
    let report = known;
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      try {
        const merge = await findAndMerge(teamId, report);
        if (merge.kind === 'changed') onMerged();
        const order = answerOrRefuse(merge);
        if (order) return order;
        // Another payment; or the order number collided, or the order in the way was rolled back, changed or discarded meanwhile.
        const { sharesIdWith: _, ...rest } = report;
        report = {
          ...rest,
          orderNumber: newOrderNumber(),
          ...(merge.kind === 'another' && { sharesIdWith: merge.of.id }),
        };
        const [verdict] = await store(sql, teamId, [report]);
        const stored = answerStored(report, verdict);
        if (stored) return merge.kind === 'another' ? { ...stored, warnings: [sharedId(merge.of)] } : stored;
      } catch (error) {
        // The next attempt finds what another report has stored meanwhile.
        if (!isRetryableConflict(error)) throw error;
      }
    }
    throw new ApiError('unavailable', {
      message: 'Too many concurrent reports of this order; try again.',
    });
  };

  async function findAndMerge(teamId: Uuid, report: JudgedReport): Promise<Merge> {
    // Most duplicates are retries that change nothing: they need no lock and no write.
    const seen = mergeReport(await findOrders(sql, teamId, report, report.isTest), report);
    if (!isWrite(seen)) return seen;
    return inTransaction(sql, async (tx): Promise<Merge> => {
      for (const id of idsOf(seen).sort()) await lockOrder(tx, teamId, id);
      const now = mergeReport(await findOrders(tx, teamId, report, report.isTest), report);
      if (!isWrite(now)) return now;
      if (String(idsOf(now)) !== String(idsOf(seen))) return { kind: 'unknown' };
      await write(tx, teamId, now, report, listeners);
      return now;
    });
  }
}

type MergeOfKnown = Extract<Merge, KnownOrder>;

/** The order that a merge changes, and those that it removes. */
function idsOf({ order, absorbed }: MergeOfKnown): Uuid[] {
  return [order, ...absorbed].map(({ id }) => id);
}

/** True for a merge that changes anything. */
function isWrite(merge: Merge): merge is MergeOfKnown {
  if (merge.kind !== 'changed' && merge.kind !== 'unchanged') return false;
  return merge.kind === 'changed' || merge.newKeys.length > 0 || merge.namesBuyer || isAged(merge);
}

/** True for an unchanged order whose shop system has a newer time of change. */
function isAged({ order, changedAt }: MergeOfKnown): boolean {
  return Number(order.changedAt) !== Number(changedAt);
}

/** The buyer comes before the order that names it. */
async function write(
  tx: Sql,
  teamId: Uuid,
  merge: MergeOfKnown,
  report: JudgedReport,
  listeners: Listeners,
): Promise<void> {
  const { kind, before, order, absorbed, newKeys, namesBuyer, nobody, left } = merge;
  const { personId, email, name, host } = report;
  for (const other of absorbed) await absorbOrder(tx, teamId, other, order, listeners);
  if (nobody) {
    await addBuyers(tx, teamId, [{ ...nobody, id: nobody.personId, name: null, isNameByKey: false }]);
    await editPerson(tx, teamId, nobody.personId, null);
    await tell(listeners, 'ordersGone', tx, teamId, [before], 'erased');
  } else if (namesBuyer || (kind === 'changed' && order.personId === personId))
    await addBuyers(tx, teamId, [{ id: personId, email, name, isNameByKey: isNameByKey(report) }]);
  await addOrderKeys(tx, teamId, report, order.id, newKeys);
  if (kind !== 'changed') {
    if (isAged(merge)) await keepChangedAt(tx, teamId, order.id, merge.changedAt);
    return;
  }
  // Sent together, so that one answer is waited for where no listener has a second statement.
  const [, , refunded] = await Promise.all([
    updateOrder(tx, teamId, order, host),
    tell(listeners, 'orderChanged', tx, teamId, { before, after: order, absorbed }),
    // After the first statements of the listeners, one of which counts them anew.
    findRefunded(tx, teamId, order.id),
  ]);
  if (left.length > 0) await removeEmptyPeople(tx, teamId, left);
  order.refunded = refunded;
}

/** Returns the answer to a merged report, or null when it is to be stored as new. Throws the refusal. */
function answerOrRefuse(merge: Merge): Order | null {
  switch (merge.kind) {
    case 'unknown':
    case 'another':
      return null;
    case 'conflict':
      throw new ApiError('order_conflict', { isOfErased: merge.isErased });
    case 'reused':
      throw new ApiError('idempotency_key_reused', { message: describeReuse(merge.fields) });
    default:
      return answerKnown(merge.order, merge.order.sharesIdWith && sharedId(merge.order.sharesIdWith));
  }
}

function describeReuse(fields: readonly string[]): string {
  return `This Idempotency-Key was used before with another ${fields.join(', ')}; nothing was stored. Use a new key for each order, and the same values when you try again.`;
}
