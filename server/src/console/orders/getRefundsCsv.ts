import type { Handler } from 'hono';
import { refundCsvHeading, refundCsvLines, toExportedRefund } from '../../commands/exportedRefund.js';
import { exportRefunds, type RefundCursor } from '../../core/refunds/sql/exportRefunds.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleEnv } from '../context.js';
import type { DownloadCsv } from './downloadCsv.js';
import { readFileQuery } from './orderQuery.js';

/** Number of refunds that one statement reads and that are in memory. */
const batchRefunds = 500;

/**
 * Handles `GET …/refunds.csv`: every refund whose own time is in the page's range. Other filters of the page do not count. It
 * reads in batches, as `getOrdersCsv` does.
 */
export function getRefundsCsv({ inTurn }: ConsoleDeps, downloadCsv: DownloadCsv): Handler<ConsoleEnv> {
  return function getRefundsCsv(c) {
    const { teamId } = c.var.session;
    const { range, isTest } = readFileQuery(c);
    const span = range?.span;

    async function* lines() {
      yield refundCsvHeading();
      let before: RefundCursor | undefined;
      do {
        const filter = { isTest, since: span?.from, until: span?.to, before, limit: batchRefunds };
        const refunds = await inTurn(teamId, (sql) => exportRefunds(sql, teamId, filter));
        yield refundCsvLines(refunds.map(toExportedRefund));
        before = refunds.length === batchRefunds ? refunds.at(-1) : undefined;
      } while (before);
    }

    return downloadCsv(c, { noun: 'refunds', range, lines: lines() });
  };
}
