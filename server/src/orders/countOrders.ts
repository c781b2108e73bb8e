import { hourMs } from '../values/timeUnits.js';

/** Counts the live orders that a team had from one time up to before another, both in milliseconds since 1970. */
export type CountOrders = (fromMs: number, toMs: number) => number;

/**
 * Makes the function that counts orders from their numbers by hour. Takes the orders of an hour as spread evenly over it,
 * and times without a number as times without orders.
 * @param hours the number of orders of each hour from the start on, without gaps
 */
export function createCountOrders(startMs: number, hours: readonly number[]): CountOrders {
  const before = [0];
  for (const orders of hours) before.push(before.at(-1)! + orders);

  function countUntil(ms: number): number {
    const at = Math.min(Math.max(0, (ms - startMs) / hourMs), hours.length);
    const hour = Math.floor(at);
    return before[hour]! + (at - hour) * (hours[hour] ?? 0);
  }
  return (fromMs, toMs) => countUntil(toMs) - countUntil(fromMs);
}
