import type { Listener } from '../../core/listener.js';
import type { DayMarks } from './markDays.js';
import { forgetSummedDays, markRecount, removeOriginDays } from './sql/summedDay.js';

/** Marks the days whose orders are others as not summed. */
export const createDayListener = (marks: DayMarks): Listener => ({
  stored(teamId, orders) {
    marks.take(teamId, orders);
    return marks.settled();
  },
  orderChanged: (tx, teamId, { before, after }) =>
    markRecount(tx, teamId, [before.createdAt, after.createdAt]),
  orderMerged: (tx, teamId, from) => markRecount(tx, teamId, [from.createdAt]),
  async ordersGone(tx, teamId, orders) {
    const times = orders.map(({ createdAt }) => createdAt);
    await markRecount(tx, teamId, times);
    // They hold what the landings of a buyer said.
    await removeOriginDays(tx, teamId, times);
  },
  zoneChanged: forgetSummedDays,
});
