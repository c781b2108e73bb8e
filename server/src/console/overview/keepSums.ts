import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { firstUuid, msOfUuid, type Uuid } from '../../values/ids.js';
import { dayMs, minuteMs } from '../../values/timeUnits.js';
import type { Ask } from '../ask.js';
import { type DayRange, resetDays, sumDays, updateDayRange } from '../sql/daySums.js';
import {
  addSums,
  findDaysOf,
  findSumRange,
  lockSums,
  resetSums,
  resum,
  type SumRange,
  takeChanges,
  updateSumRange,
} from '../sql/orderSums.js';
import { quarterMs } from './calendar.js';

/** An order is summed 15 minutes after its id was made, at the earliest: by then it is committed. */
const settleMs = 15 * minuteMs;
/** The sums may reach this much further than the database's clock allows, because a standby's clock may differ. */
const toleranceMs = minuteMs;
/** A page of every server waits this long for summing. The rest is summed after the page was answered. */
const sumsPatienceMs = 100;
/** A piece that took longer is followed by one of half the span, if that helps; any other by one of twice the span. */
const pieceMs = 50;
/** More changes than these cost more to look up one by one than all sums cost to make. */
const changesAtMost = { orders: 50_000, quarters: 400 };
/** More days than these are added up anew after the page was answered. Each has some thousand sums of quarters of an hour. */
const daysAtMost = 10;

/**
 * Brings a team's sums up to date. Waits for changes of summed orders, and for a while for orders that are to be summed
 * yet. Resolves with the time from which on all orders are summed.
 */
export type KeepSums = (teamId: Uuid, since: Date) => Promise<Date>;

/**
 * Sums each order once, by its id, when a page first needs it, the newest first. Ids are in the order in which orders
 * were stored, so an order that was made long before is summed as well, in the quarter of an hour in which it was made.
 * What was changed since is found, and its quarter summed anew. So a page adds up some thousand rows, however many
 * orders there are, and an order costs nothing where nobody looks. Past days are added up once more, so that a year is no
 * more than some thousand rows either.
 * @param patienceMs the time that a page waits for summing
 */
export function createKeepSums(ask: Ask, patienceMs: number = sumsPatienceMs): KeepSums {
  const running = new Map<Uuid, Promise<void>>();

  return async function keepSums(teamId, since) {
    await ask(teamId, (sql) => inTransaction(sql, (tx) => sumChanges(tx, teamId, since)));
    const work = running.get(teamId) ?? sumAll(teamId, since);
    running.set(teamId, work);
    // The next page tries again.
    work.catch(() => {}).finally(() => running.get(teamId) === work && running.delete(teamId));
    const tooLong = new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
    await Promise.race([work, tooLong]);
    const range = await ask(teamId, (sql) => findSumRange(sql, teamId));
    return new Date(range ? msOfUuid(range.fromId) : Date.now());
  };

  async function sumAll(teamId: Uuid, since: Date): Promise<void> {
    let spanMs = 4 * quarterMs;
    let slowMs = Number.POSITIVE_INFINITY;
    for (;;) {
      const startedMs = performance.now();
      if (!(await ask(teamId, (sql) => inTransaction(sql, (tx) => sumPiece(tx, teamId, since, spanMs)))))
        return;
      const tookMs = performance.now() - startedMs;
      if (tookMs <= pieceMs) {
        spanMs *= 2;
        slowMs = Number.POSITIVE_INFINITY;
      } else if (tookMs < 0.8 * slowMs) {
        spanMs = Math.max(quarterMs, floorToQuarter(spanMs / 2));
        slowMs = tookMs;
      } else {
        // Half the span took as long: the database is slow, whatever it sums. Small pieces would never come to an end.
        spanMs *= 4;
        slowMs = Number.POSITIVE_INFINITY;
      }
    }
  }
}

/** Sums anew what was changed since the last look, or everything where that is less work. */
async function sumChanges(tx: Sql, teamId: Uuid, since: Date): Promise<void> {
  const { range, settledMs, latestMs } = await lock(tx, teamId);
  const isLeftBehind = msOfUuid(range.toId) < since.getTime();
  // The clock was ahead when they were summed: orders of now would have ids that count as summed.
  const isAhead = msOfUuid(range.toId) > latestMs;
  const { quarters, orders } = await takeChanges(tx, teamId, range, changesAtMost.orders);
  const isMuch = orders >= changesAtMost.orders || quarters.length > changesAtMost.quarters;
  if (isLeftBehind || isAhead || isMuch) return resetSums(tx, teamId, firstUuid(settledMs));
  if (quarters.length === 0) return;
  await resum(tx, teamId, range, quarters);
  await sumDaysAnew(tx, teamId, range, quarters);
}

/** Adds up the days of some times anew, or all days later where they are many. */
async function sumDaysAnew(tx: Sql, teamId: Uuid, { daysFrom, daysTo }: DayRange, times: readonly Date[]) {
  const starts = new Set(times.map((time) => Math.floor(time.getTime() / dayMs) * dayMs));
  const days = [...starts].map((ms) => new Date(ms)).filter((day) => day >= daysFrom && day < daysTo);
  if (days.length > daysAtMost) await resetDays(tx, teamId);
  else if (days.length > 0) await sumDays(tx, teamId, days);
}

/** Sums one piece; false when nothing is left. Days come before older orders: pages read fewer rows then. */
async function sumPiece(tx: Sql, teamId: Uuid, since: Date, spanMs: number): Promise<boolean> {
  const { range, settledMs } = await lock(tx, teamId);
  const [fromMs, toMs] = [msOfUuid(range.fromId), msOfUuid(range.toId)];
  const sinceMs = floorToQuarter(since.getTime());
  if (toMs < settledMs) {
    const toId = firstUuid(Math.min(settledMs, toMs + spanMs));
    await addPiece(tx, teamId, range, { fromId: range.toId, toId });
    await updateSumRange(tx, teamId, { ...range, toId });
  } else if (await sumSomeDays(tx, teamId, range, spanMs)) {
    return true;
  } else if (fromMs > sinceMs) {
    const fromId = firstUuid(Math.max(sinceMs, fromMs - spanMs));
    await addPiece(tx, teamId, range, { fromId, toId: range.fromId });
    await updateSumRange(tx, teamId, { ...range, fromId });
  } else return false;
  return true;
}

/** Adds orders to the sums. Those that were made long before they were stored may belong to days that are added up. */
async function addPiece(tx: Sql, teamId: Uuid, range: DayRange, piece: SumRange): Promise<void> {
  await addSums(tx, teamId, piece);
  await sumDaysAnew(tx, teamId, range, await findDaysOf(tx, teamId, piece, range));
}

/** Adds up whole days of summed orders; false when all are. */
async function sumSomeDays(tx: Sql, teamId: Uuid, range: SumRange & DayRange, spanMs: number) {
  const firstMs = Math.ceil(msOfUuid(range.fromId) / dayMs) * dayMs;
  const endMs = Math.floor(msOfUuid(range.toId) / dayMs) * dayMs;
  const isEmpty = range.daysFrom >= range.daysTo;
  const fromMs = isEmpty ? endMs : range.daysFrom.getTime();
  const toMs = isEmpty ? endMs : range.daysTo.getTime();
  const stepMs = Math.max(dayMs, Math.floor(spanMs / dayMs) * dayMs);
  // The days after those that are added up, else the ones before.
  const piece =
    toMs < endMs
      ? { fromMs: toMs, toMs: Math.min(endMs, toMs + stepMs) }
      : { fromMs: Math.max(firstMs, fromMs - stepMs), toMs: fromMs };
  if (piece.fromMs >= piece.toMs) return false;
  const days = Array.from(
    { length: (piece.toMs - piece.fromMs) / dayMs },
    (_, n) => new Date(piece.fromMs + n * dayMs),
  );
  await sumDays(tx, teamId, days);
  await updateDayRange(tx, teamId, {
    daysFrom: new Date(Math.min(fromMs, piece.fromMs)),
    daysTo: new Date(Math.max(toMs, piece.toMs)),
  });
  return true;
}

/** Locks a team's sums. Orders are settled, and at the latest summed, up to these times of the database's clock. */
async function lock(
  tx: Sql,
  teamId: Uuid,
): Promise<{ range: SumRange & DayRange; settledMs: number; latestMs: number }> {
  const { now, ...range } = await lockSums(tx, teamId);
  const settledMs = now.getTime() - settleMs;
  return {
    range,
    settledMs: floorToQuarter(settledMs),
    latestMs: floorToQuarter(settledMs + toleranceMs),
  };
}

function floorToQuarter(ms: number): number {
  return Math.floor(ms / quarterMs) * quarterMs;
}
