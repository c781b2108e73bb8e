import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import type { PlaceStatements } from '../core/orders/merge/placing.js';
import { createStoreReport, type StoreReport } from '../core/orders/store/storeReport.js';
import { createStoreRefund, type StoreRefund } from '../core/refunds/storeRefund.js';
import type { Sql } from '../database/connection/connect.js';
import { type InTurn, withoutTurns } from '../database/turns.js';
import type { Extras } from './command.js';

/** Reports that a command stores concurrently. */
export const concurrentReports = 64;

/** The parts with which a command stores reports and refunds. */
export interface CommandReports {
  storeReport: StoreReport;
  inTurn: InTurn;
  storeRefund: StoreRefund;
  place: PlaceStatements;
}

/** Makes them, with a queue of their own. The command may end after the last one. */
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
