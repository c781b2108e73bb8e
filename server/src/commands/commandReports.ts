import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import type { PlaceStatements } from '../core/orders/merge/placing.js';
import { createStoreReport, type StoreReport } from '../core/orders/store/storeReport.js';
import { createStoreRefund, type StoreRefund } from '../core/refunds/storeRefund.js';
import type { Sql } from '../database/connection/connect.js';
import { type InTurn, withoutTurns } from '../database/turns.js';
import type { Extras } from './command.js';

/** Number of reports that a command stores concurrently. */
export const concurrentReports = 64;

/** Functions with which a command stores reports and refunds. */
export interface CommandReports {
  storeReport: StoreReport;
  inTurn: InTurn;
  storeRefund: StoreRefund;
  place: PlaceStatements;
}

/** Creates the functions, with a queue for this command only. The command may end after its last call has resolved. */
export function createCommandReports(sql: Sql, extras: Extras): CommandReports {
  const { listeners } = extras;
  const place = createPlaceStatements(sql, listeners);
  const { storeReport, notified } = createStoreReport(
    { orders: [sql], work: sql },
    {
      batchRows: concurrentReports,
      rowsWaiting: 1_000,
      rowsWaitingOfGroup: 1_000,
      waitAtMostMs: 10_000,
    },
    { ...extras, place },
  );
  const inTurn = withoutTurns(sql);
  return {
    async storeReport(teamId, report) {
      const order = await storeReport(teamId, report);
      await notified();
      return order;
    },
    inTurn,
    storeRefund: createStoreRefund(inTurn, place),
    place,
  };
}
