import { createCountOrders } from '../src/orders/countOrders.js';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** A shop that sells at random by its own hours. Times are in milliseconds since a Monday, 00:00 UTC. */
export interface SellingShop {
  /** Orders of an average day. */
  perDay: number;
  /** Share of the average at a time; 1 on average over a week. */
  rate: (ms: number) => number;
  /** Highest value of `rate`. */
  rateAtMost: number;
}

/** Makes the times of a shop's orders in some weeks: a Poisson process, thinned by the rate. */
export function sell({ perDay, rate, rateAtMost }: SellingShop, weeks: number, random: () => number) {
  const times: number[] = [];
  for (let ms = 0; ; ) {
    ms += (-Math.log(1 - random()) * dayMs) / (perDay * rateAtMost);
    if (ms >= weeks * weekMs) return times;
    if (random() * rateAtMost < rate(ms)) times.push(Math.floor(ms));
  }
}

/** Counts orders by their hour, as the statement does. */
export function countByHour(times: readonly number[]) {
  const hours = new Array<number>(Math.ceil((times.at(-1) ?? 0) / hourMs) + 1).fill(0);
  for (const ms of times) hours[Math.floor(ms / hourMs)]!++;
  return createCountOrders(0, hours);
}

const hourOf = (ms: number) => (ms % dayMs) / hourMs;
const dayOf = (ms: number) => Math.floor((ms % weekMs) / dayMs);

const atNight = 0.05;
const atDay = 1.4;
/** Hours at the rate of the day, so that an average day has 24 hours' worth of orders. */
const dayHours = (24 - 24 * atNight) / (atDay - atNight);

/** Few orders at night. */
export const byDay = (ms: number) => (hourOf(ms) >= 23 - dayHours && hourOf(ms) < 23 ? atDay : atNight);

/** Orders on some days of the week, from one hour up to before another, and none otherwise. */
export const openAt =
  ({ from, to, days }: { from: number; to: number; days: number }) =>
  (ms: number) =>
    dayOf(ms) < days && hourOf(ms) >= from && hourOf(ms) < to ? (24 / (to - from)) * (7 / days) : 0;

/** The same hours by a clock that is put back by an hour in week 20, and forward again in week 42. */
export const onLocalClock = (rate: (ms: number) => number) => (ms: number) =>
  rate(ms >= 20 * weekMs && ms < 42 * weekMs ? ms - hourMs : ms);

/** Five days with `times` as many orders, every 13 weeks. */
export const withSales = (rate: (ms: number) => number, times: number) => (ms: number) =>
  rate(ms) * (Math.floor(ms / dayMs) % 91 >= 86 ? times : 1);
