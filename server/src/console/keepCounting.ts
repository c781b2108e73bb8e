import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import type { Ask } from './ask.js';
import { type CountedRange, findCountedRange } from './sql/findCountedRange.js';
import { keepCounts, lockCounts, updateCountedRange } from './sql/keepCounts.js';

const quarterMs = 15 * 60_000;
/**
 * A quarter is kept counted this long after its end at the earliest. `recordOrders` marks what it stores or changes
 * 5 minutes late or later, so a transaction that began before would have to last 10 minutes to be missed.
 */
const settleMs = 15 * 60_000;
/** How long a page waits for counting; what is left is counted after it was answered. */
const patienceMs = 100;
/** A piece that took this long is followed by one of half the span, a shorter one by one of twice the span. */
const pieceMs = 50;

/** Brings the counts of a team's orders up to date as far as a page can wait, and resolves with what is counted. */
export type KeepCounting = (teamId: Uuid, since: Date) => Promise<CountedRange>;

/**
 * Counts each quarter of an hour once, when a page first needs it, newest first, and again when an order in it was
 * stored or changed late. So a page adds up some thousand rows, however many orders there are.
 */
export function createKeepCounting(ask: Ask): KeepCounting {
  const running = new Map<Uuid, Promise<void>>();

  return async function keepCounting(teamId, since) {
    const work = running.get(teamId) ?? countAll(teamId, since);
    running.set(teamId, work);
    // What fails here fails for the page too, or is tried again by the next one.
    work.catch(() => {}).finally(() => running.get(teamId) === work && running.delete(teamId));
    const tooLong = new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
    await Promise.race([work, tooLong]);
    const settled = lastSettled();
    return (await ask((sql) => findCountedRange(sql, teamId))) ?? { from: settled, to: settled, stale: [] };
  };

  async function countAll(teamId: Uuid, since: Date): Promise<void> {
    let spanMs = 4 * quarterMs;
    for (;;) {
      const startedMs = performance.now();
      if (!(await ask((sql) => inTransaction(sql, (tx) => countPiece(tx, teamId, since, spanMs))))) return;
      const isSlow = performance.now() - startedMs > pieceMs;
      spanMs = isSlow ? Math.max(quarterMs, floorToQuarter(spanMs / 2)) : spanMs * 2;
    }
  }
}

/** Counts one piece; false when nothing is left to count. */
async function countPiece(
  tx: Parameters<typeof lockCounts>[0],
  teamId: Uuid,
  since: Date,
  spanMs: number,
): Promise<boolean> {
  const wanted = { from: floorToQuarter(since.getTime()), to: lastSettled().getTime() };
  const locked = await lockCounts(tx, teamId, new Date(wanted.to));
  const range = { from: locked.from.getTime(), to: locked.to.getTime() };
  // Nobody has looked for longer than a page shows: counting starts anew at the end of time.
  if (range.to < wanted.from) range.from = range.to = wanted.to;

  const stale = (await findCountedRange(tx, teamId))?.stale ?? [];
  let piece: { from: number; to: number } | undefined;
  if (stale.length > 0) {
    const quarter = new Date(stale[0]!).getTime();
    piece = { from: quarter, to: quarter + quarterMs };
  } else if (range.to < wanted.to) {
    piece = { from: range.to, to: Math.min(wanted.to, range.to + spanMs) };
    range.to = piece.to;
  } else if (range.from > wanted.from) {
    piece = { from: Math.max(wanted.from, range.from - spanMs), to: range.from };
    range.from = piece.from;
  }
  if (!piece) return false;
  await keepCounts(tx, teamId, { from: new Date(piece.from), to: new Date(piece.to) });
  await updateCountedRange(tx, teamId, { from: new Date(range.from), to: new Date(range.to) });
  return true;
}

function lastSettled(): Date {
  return new Date(floorToQuarter(Date.now() - settleMs));
}

function floorToQuarter(ms: number): number {
  return Math.floor(ms / quarterMs) * quarterMs;
}
