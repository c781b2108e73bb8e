import { clockOptions, quarterMs, readClock } from '../values/zoneClock.js';

/** Reads a zone's clock as UTC: the time, in milliseconds since 1970, at which the clock of the zone shows what `clockMs` shows in UTC. */
export type ToUtc = (clockMs: number) => number;

/** Makes the function that reads the clock of a time zone, such as `Europe/Berlin`. */
export function createToUtc(zone: string): ToUtc {
  if (zone === 'UTC') return (clockMs) => clockMs;
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, ...clockOptions });
  /** Offsets by quarters: to format takes 3 us, and a file has many rows of one day. */
  const offsets = new Map<number, number>();

  function offsetAt(ms: number): number {
    const quarter = Math.floor(ms / quarterMs);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = readClock(format, quarter * quarterMs) - quarter * quarterMs;
    offsets.set(quarter, offset);
    return offset;
  }

  return (clockMs) => clockMs - offsetAt(clockMs - offsetAt(clockMs));
}
