import type { Listener, Listeners } from '../core/listener.js';
import { createRefundListener } from '../core/refunds/listener.js';
import { createSettlingRefunds } from '../core/refunds/settleRefunds.js';
import type { TeamRounds } from '../core/teams/teamRounds.js';
import type { Sql } from '../database/connection/connect.js';
import { createDayListener } from '../features/overview/listener.js';
import { createDayMarks } from '../features/overview/markDays.js';
import type { IdleWait } from '../features/webhooks/idleWait.js';
import { createHookListener } from '../features/webhooks/listener.js';

/** What listeners of a server do besides what they write. A command has none of it. */
export interface OfServer {
  /** Pauses of the deliveries to webhooks. */
  idle?: IdleWait;
  /** Removes the refused reports that a stored one has settled. */
  cleaning?: TeamRounds;
  /** The day of an order that was stored late could not be marked, and is tried again. */
  onMarkFault?: (error: unknown) => void;
}

/** All listeners of a program. */
export interface Heard {
  /** In the order in which they are told. */
  listeners: Listeners;
  /** Gives waiting refunds their orders. */
  settling: TeamRounds;
}

/**
 * Makes the listeners of the core and of the extras.
 * @param sql for what no answer waits for
 */
export function createListeners(sql: Sql, { idle, cleaning, onMarkFault = () => {} }: OfServer = {}): Heard {
  const listeners: Listener[] = [];
  const settling = createSettlingRefunds(sql, listeners);
  listeners.push(
    createRefundListener(settling),
    createDayListener(createDayMarks(sql, onMarkFault)),
    createHookListener(idle),
  );
  if (cleaning) listeners.push({ stored: cleaning.onStored });
  return { listeners, settling };
}
