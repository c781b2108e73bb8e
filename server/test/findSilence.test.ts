import { describe, expect, it } from 'vitest';
import type { CountOrders } from '../src/orders/countOrders.js';
import { findSilence } from '../src/orders/findSilence.js';
import { createRandom } from './random.js';
import {
  byDay,
  countByHour,
  dayMs,
  hourMs,
  minuteMs,
  onLocalClock,
  openAt,
  type SellingShop,
  sell,
  weekMs,
  withSales,
} from './sellingShop.js';

const always = () => 1;
const sixDays = openAt({ from: 8, to: 20, days: 6 });
const fiveDays = openAt({ from: 9, to: 18, days: 5 });

/** Shops, each with the longest time in which its stop is told, nights and closed days included. */
const shops: Record<string, SellingShop & { toldWithinMs: number }> = {
  'with 3 orders a day': { perDay: 3, rate: byDay, rateAtMost: 1.4, toldWithinMs: 12 * dayMs },
  'with 20 orders a day': { perDay: 20, rate: byDay, rateAtMost: 1.4, toldWithinMs: 2 * dayMs },
  'with 500 orders a day': { perDay: 500, rate: byDay, rateAtMost: 1.4, toldWithinMs: 10 * hourMs },
  'with 500 orders a day, day and night': {
    perDay: 500,
    rate: always,
    rateAtMost: 1,
    toldWithinMs: 2 * hourMs,
  },
  'closed on Sundays, with 500 orders a day': {
    perDay: 500,
    rate: sixDays,
    rateAtMost: 2.4,
    toldWithinMs: 38 * hourMs,
  },
  'whose clock is changed, with office hours': {
    perDay: 60,
    rate: onLocalClock(fiveDays),
    rateAtMost: 3.8,
    toldWithinMs: 4 * dayMs,
  },
  'with sales, and 12 orders on other days': {
    perDay: 12,
    rate: withSales(byDay, 8),
    rateAtMost: 11.2,
    toldWithinMs: 4 * dayMs,
  },
};

/** Silence after an order, when no server ever failed to look. */
const find = (countOrders: CountOrders, lastOrderMs: number, nowMs: number) =>
  findSilence(countOrders, { lastOrderMs, nowMs, missed: null });

describe.each(Object.entries(shops))('a shop %s', (_name, shop) => {
  it('has no false alarm in 52 weeks', () => {
    const times = sell(shop, 57, createRandom(1).next);
    const countOrders = countByHour(times);
    // An alarm lasts until the next order comes, so that each silence is looked at when it ends.
    const alarms = times.flatMap((nextMs, at) =>
      at > 0 && find(countOrders, times[at - 1]!, nextMs) !== null
        ? [{ week: nextMs / weekMs, hours: (nextMs - times[at - 1]!) / hourMs }]
        : [],
    );
    expect(alarms).toEqual([]);
  });

  it('is told in time that it has stopped', () => {
    const random = createRandom(99).next;
    for (let stop = 0; stop < 10; stop++) {
      const times = sell(shop, 6 + random() * 4, random);
      const endMs = times.at(-1)!;
      const countOrders = countByHour(times);
      expect(find(countOrders, endMs, endMs + shop.toldWithinMs)).toBeGreaterThanOrEqual(9);
      expect(find(countOrders, endMs, endMs + 15 * minuteMs - 1)).toBeNull();
    }
  });
});

/** 20 orders in each hour, and the count of those that are not left out. */
function steadyShop({ weeks, without }: { weeks: number; without?: (ms: number) => boolean }) {
  const times = Array.from({ length: weeks * 7 * 24 * 20 }, (_, n) => n * 3 * minuteMs);
  const kept = times.filter((ms) => !without?.(ms));
  return { countOrders: countByHour(kept), endMs: kept.at(-1)! };
}

it('a silence is told with the number of orders that usually come meanwhile', () => {
  const { countOrders, endMs } = steadyShop({ weeks: 6 });
  expect(find(countOrders, endMs, endMs + 1 * hourMs)).toBeNull();
  expect(find(countOrders, endMs, endMs + 2 * hourMs)).toBe(30);
  expect(find(countOrders, endMs, endMs + 11 * hourMs)).toBe(200);
  expect(find(countOrders, endMs, endMs + 2 * weekMs)).toBe((14 * 24 - 1) * 20);
});

it('a silence that goes on stays one, with no more orders than of four weeks', () => {
  const { countOrders, endMs } = steadyShop({ weeks: 6 });
  const ofFourWeeks = (28 * 24 - 1) * 20;
  expect(find(countOrders, endMs, endMs + 4 * weekMs)).toBe(ofFourWeeks);
  expect(find(countOrders, endMs, endMs + 400 * dayMs)).toBe(ofFourWeeks);
});

it('a new team is told of no silence before its third week', () => {
  const first = steadyShop({ weeks: 2, without: (ms) => ms < 8 * dayMs });
  expect(find(first.countOrders, first.endMs, first.endMs + 3 * dayMs)).toBeNull();
  const third = steadyShop({ weeks: 3 });
  expect(find(third.countOrders, third.endMs, third.endMs + 3 * hourMs)).not.toBeNull();
});

it('a team without orders, and one with three, are told of no silence', () => {
  expect(find(() => 0, 0, 9 * weekMs)).toBeNull();
  expect(find(countByHour([0, weekMs, 2 * weekMs]), 2 * weekMs, 9 * weekMs)).toBeNull();
});

it('a week in which no server ran says nothing about the hours of a shop', () => {
  const { countOrders, endMs } = steadyShop({
    weeks: 6,
    without: (ms) => ms > 4 * weekMs && ms < 5 * weekMs,
  });
  expect(find(countOrders, endMs, endMs + 1 * hourMs)).toBeNull();
  expect(find(countOrders, endMs, endMs + 3 * hourMs)).not.toBeNull();
});

it('a time in which no server ran is no silence, and the time before and after it is one', () => {
  const { countOrders, endMs } = steadyShop({ weeks: 6 });
  const missed = { fromMs: endMs + 10 * minuteMs, toMs: endMs + 3 * dayMs };
  const after = (ms: number) =>
    findSilence(countOrders, { lastOrderMs: endMs, nowMs: missed.toMs + ms, missed });
  expect(after(1 * hourMs)).toBeNull();
  expect(after(2.5 * hourMs)).toBe(33);
});

it('a time in which no server ran matters no more once an order has come', () => {
  const { countOrders, endMs } = steadyShop({ weeks: 6 });
  const missed = { fromMs: endMs - 3 * dayMs, toMs: endMs - 2 * dayMs };
  expect(findSilence(countOrders, { lastOrderMs: endMs, nowMs: endMs + 2 * hourMs, missed })).toBe(30);
});

it('a clock that goes back makes no silence', () => {
  const { countOrders, endMs } = steadyShop({ weeks: 6 });
  for (const backMs of [1, hourMs, 30 * dayMs]) expect(find(countOrders, endMs, endMs - backMs)).toBeNull();
});
