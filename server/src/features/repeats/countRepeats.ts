import { createHmac } from 'node:crypto';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { countRepeat } from './sql/orderRepeat.js';

/** Reports that wait to be counted on one server at most. Further ones are not counted. */
const waitingAtMost = 100;

/** Creates the count of browsers' reports of known orders. It runs one statement at a time, after their answers. */
export function createCountRepeats(sql: Sql, noteFault: (error: unknown) => void) {
  let waiting = 0;
  let counted = Promise.resolve();
  return {
    /**
     * Counts a report.
     * @param client the client's address, which stands for the browser if it keeps no visitor
     */
    count(teamId: Uuid, orderId: Uuid, visitorId: string | null, client: string): void {
      if (waiting >= waitingAtMost) return;
      waiting++;
      const browser = browserOf(orderId, visitorId ?? client);
      counted = counted
        .then(() => countRepeat(sql, teamId, { orderId, visitorId, browser }))
        .catch(noteFault)
        .finally(() => waiting--);
    },
    /** Waits until the waiting reports are counted. */
    stop: () => counted,
  };
}

/** Returns two bytes that stand for a browser among those of one order. In another order the same browser has other bytes. */
const browserOf = (orderId: Uuid, name: string) =>
  createHmac('sha256', orderId).update(name).digest().readInt16BE();
