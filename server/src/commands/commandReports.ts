import type { Sql } from '../database/connection/connect.js';
import { createStoreReport, type StoreReport } from '../orders/storeReport.js';

/** Reports that a command stores concurrently. */
export const concurrentReports = 64;

/** Makes the function with which a command stores reports, in a queue of its own. */
export function createCommandReports(sql: Sql): StoreReport {
  const { storeReport } = createStoreReport(
    { newOrders: sql, known: sql, main: sql },
    {
      batchRows: concurrentReports,
      statementsInFlight: 1,
      rowsWaiting: 1_000,
      rowsWaitingOfGroup: 1_000,
      waitAtMostMs: 10_000,
    },
  );
  return storeReport;
}
