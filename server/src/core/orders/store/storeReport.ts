import type { Order } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../database/connection/connect.js';
import { type Pools, statementsOf } from '../../../database/pools.js';
import {
  type Batch,
  createGroupCommit,
  type GroupCommitLoad,
  type QueueBounds,
} from '../../../database/queue.js';
import { createTurns } from '../../../database/turns.js';
import type { Uuid } from '../../../values/ids.js';
import { type Listeners, notifyListeners } from '../../listener.js';
import type { PlaceStatements } from '../merge/placing.js';
import type { PreparedReport } from '../report.js';
import { answerStored } from './answer.js';
import { createPlaceReport } from './placeReport.js';
import { createCheckSignature } from './signature.js';
import { createReportOrders } from './sql/reportOrders.js';
import type { ReportVerdictRow } from './sql/reportVerdict.js';

/**
 * Stores a report exactly once, and resolves after the commit with its order, new or known. The team must exist.
 * @throws ApiError `invalid_api_key`, `team_mismatch` or `domain_not_allowed`; `invalid_signature` or `signature_required`;
 *   `order_conflict` or `idempotency_key_reused`; `unavailable` if it took too long
 * @throws Overloaded if too many reports wait; and the database's errors
 */
export type StoreReport = (teamId: Uuid, report: PreparedReport) => Promise<Order>;

/** Stores the reports of one team, all or none, as far as they are new orders. See `reportOrders`. */
export type StoreReports = (
  sql: Sql,
  teamId: Uuid,
  reports: PreparedReport[],
) => PromiseLike<ReportVerdictRow[]>;

/** Callbacks for the metrics. */
export interface StoreReportEvents {
  /** Called if a batch of reports starts. */
  onBatch?: (batch: Batch) => void;
  /** Called if a report has changed a known order. */
  onMerged?: () => void;
}

/**
 * Creates the function that stores reports, in two steps. The first step is a group commit: one statement authorizes a team's
 * reports and stores their new orders. A report of a known order then takes the slower second step alone, with further statements.
 * `bounds` apply to each step separately. A report whose second step timed out may still be stored; a retry finds it.
 * @param pools.orders pools of one connection each, for new orders: a team's statements are sent on one of them
 * @param storeNew another form of the statement, for tables that lie on several nodes
 * @returns `notified` resolves after the listeners have handled everything that was stored
 */
export function createStoreReport(
  { orders, work }: Pick<Pools, 'orders' | 'work'>,
  bounds: QueueBounds,
  {
    listeners,
    place,
    storeNew,
  }: { listeners: Listeners; place: PlaceStatements; storeNew?: StoreReports | undefined },
  { onBatch = () => {}, onMerged = () => {} }: StoreReportEvents = {},
): { storeReport: StoreReport; load: () => GroupCommitLoad; notified: () => Promise<void> } {
  const storeAll: StoreReports = storeNew ?? createReportOrders(listeners);
  /** Notifications that listeners have not finished. */
  const notifying = new Set<Promise<void>>();
  const notifyStored = (teamId: Uuid, added: readonly PreparedReport[]) => {
    const notification = notifyListeners(listeners, 'onReportsStored', teamId, added).finally(() =>
      notifying.delete(notification),
    );
    notifying.add(notification);
  };
  const store: StoreReports = async (sql, teamId, reports) => {
    const verdicts = await storeAll(sql, teamId, reports);
    const others = new Set(verdicts.filter(({ isNew }) => !isNew).map(({ id }) => id));
    const added = reports.filter(({ id }) => !others.has(id));
    notifyStored(teamId, added);
    return verdicts;
  };
  const placeReport = createPlaceReport(work, place, onMerged);
  const checkSignature = createCheckSignature(work, bounds);

  const newOrders = createGroupCommit<PreparedReport, ReportVerdictRow | undefined>(
    async (teamId, reports, lane) => {
      const exceptions = await store(orders[lane]!, teamId, reports);
      const verdictOf = new Map(exceptions.map((row) => [row.id, row]));
      return reports.map(({ id }) => verdictOf.get(id));
    },
    { ...bounds, statementsInFlight: orders.length, isPipelined: true },
    onBatch,
  );
  const knownOrders = createTurns(work, bounds, {
    concurrent: statementsOf.knownOrders,
    leftToOthers: 2,
    tookTooLong: 'Changing the stored order took too long; try again.',
  });

  return {
    notified: async () => void (await Promise.all(notifying)),
    async storeReport(teamId, sent) {
      const report = sent.signature ? await checkSignature(teamId, sent) : sent;
      const verdict = await newOrders.submit(teamId, report);
      const order = answerStored(report, verdict);
      if (order) return order;
      const { isTest } = verdict!;
      return knownOrders.inTurn(teamId, () => placeReport(teamId, { ...report, isTest }));
    },
    load() {
      const { rows, statements } = newOrders.load();
      return { rows: rows + knownOrders.load(), statements };
    },
  };
}
