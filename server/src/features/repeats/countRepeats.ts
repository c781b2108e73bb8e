import { createHmac } from 'node:crypto';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { countRepeat } from './sql/orderRepeat.js';

/** Reports that wait to be counted on one server; of more, none is counted. */
const waitingAtMost = 100;

/** Counts the reports of known orders by browsers, one statement at a time, behind their answers. */
export function createCountRepeats(sql: Sql, noteFault: (error: unknown) => void) {
  let waiting = 0;
  let counted = Promise.resolve();
  return {
    /**
     * Counts a report.
     * @param client the address, which stands for the browser if it keeps no visitor
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
    /** Waits for those that wait. */
    stop: () => counted,
  };
}

/** Two bytes of a hash: the same browser has others in each order. */
const browserOf = (orderId: Uuid, name: string) =>
  createHmac('sha256', orderId).update(name).digest().readInt16BE();
