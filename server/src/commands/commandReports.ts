import type { Sql } from '../database/connection/connect.js';
import { createStoreReport, type StoreReport } from '../orders/storeReport.js';

/** Reports that a command stores concurrently. */
export const concurrentReports = 64;

/** Makes the function with which a command stores reports, in a queue of its own. The command may end after the last one. */
export function createCommandReports(sql: Sql): StoreReport {
  const { storeReport, daysMarked } = createStoreReport(
    { orders: [sql], work: sql },
    {
      batchRows: concurrentReports,
      rowsWaiting: 1_000,
      rowsWaitingOfGroup: 1_000,
      waitAtMostMs: 10_000,
    },
  );
  return async function storeAndMark(teamId, report) {
    const order = await storeReport(teamId, report);
    await daysMarked();
    return order;
  };
}
