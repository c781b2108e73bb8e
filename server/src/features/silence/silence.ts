import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { minuteMs } from '../../values/time.js';
import { findSilence } from './sql/silence.js';

/** A team's time without a live order. */
export interface Silence {
  /** When the last order came by itself. Null for none, or for none that can be found quickly. */
  lastOrderAt: Date | null;
  /** Orders since then that did not come by themselves. */
  found: number;
  /** Orders that usually would have come since the last one, at least; null while the silence says nothing. */
  usualOrders: number | null;
}

/** A silence that says something. */
export interface LongSilence {
  lastOrderAt: Date;
  found: number;
  usualOrders: number;
}

/** Shortest silence that counts, so that a slow database notifies nobody. */
const leastMs = 15 * minuteMs;
/** Orders that each of the four weeks before had in the same hours. With fewer, a shop that sells at random is silent by chance. */
const leastOrders = 20;

/**
 * Reads a team's silence. It says something once each of the four weeks before had at least 20 orders in the same hours: so
 * nights, closed days, the week of a sale and a new shop explain themselves.
 * @param watched.since the silence begins no sooner, because no server looked before; null for no such time
 */
export async function readSilence(
  sql: Sql,
  teamId: Uuid,
  watched: { now: Date; since: Date | null },
): Promise<Silence> {
  const row = await findSilence(sql, teamId, watched);
  if (!row) return { lastOrderAt: null, found: 0, usualOrders: null };
  const { lastOrderAt, found, fewest } = row;
  const isLong = watched.now.getTime() - lastOrderAt.getTime() >= leastMs && fewest >= leastOrders;
  return { lastOrderAt, found, usualOrders: isLong ? fewest : null };
}

/**
 * Says that orders have stopped, in the console, in webhooks and in Slack alike.
 * @param format writes a time for its reader
 */
export function silenceMessage(
  { lastOrderAt, found, usualOrders }: LongSilence,
  format: (time: Date) => string,
): string {
  const since = `No order since ${format(lastOrderAt)}; usually there are at least ${usualOrders} by now. `;
  return found === 0
    ? `${since}Check that customers can buy, and that the shop’s pages still report orders.`
    : `${since}Customers buy, because ${found} of these ${found === 1 ? 'was' : 'were'} found since by asking the shop or in a file: check that its webhook is on, and that its pages still report orders.`;
}

/** Says that orders come again. */
export function endMessage(
  { lastOrderAt, endedAt }: { lastOrderAt: Date; endedAt: Date },
  format: (time: Date) => string,
): string {
  return `Orders are coming in again since ${format(endedAt)}. Before that there was none since ${format(lastOrderAt)}.`;
}
