import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { minuteMs } from '../../values/time.js';
import { findSilence } from './sql/silence.js';

/**
 * The time since a team's last live order that was reported. An order does not count if its shop had to be asked for it, or if a
 * person stored it from a file.
 */
export interface Silence {
  /** Time at which the last such order arrived. Null if no such order exists, or if it cannot be found quickly. */
  lastOrderAt: Date | null;
  /** Number of later live orders that do not count: their shop was asked for them, or a person stored them from a file. */
  found: number;
  /** The fewest orders that came during the same hours in one of the four weeks before. Null while the silence may be normal. */
  usualOrders: number | null;
}

/** A silence that is longer than is normal for the team. */
export interface LongSilence {
  lastOrderAt: Date;
  found: number;
  usualOrders: number;
}

/** The shortest silence that counts, so that a slow database causes no notification. */
const leastMs = 15 * minuteMs;
/** Least orders that each of the four weeks before must have had in the same hours. With fewer, a shop may be silent by chance. */
const leastOrders = 20;

/**
 * Reads a team's silence. It counts once each of the four weeks before had at least 20 orders in the same hours. So
 * nights, closed days, the week of a sale and a new shop do not count.
 * @param watched.since earliest begin of the silence, because no server watched before; null for no such time
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
 * Writes the message that orders have stopped, for the console, webhooks and Slack.
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

/** Writes the message that orders come again. */
export function endMessage(
  { lastOrderAt, endedAt }: { lastOrderAt: Date; endedAt: Date },
  format: (time: Date) => string,
): string {
  return `Orders are coming in again since ${format(endedAt)}. Before that there was none since ${format(lastOrderAt)}.`;
}
