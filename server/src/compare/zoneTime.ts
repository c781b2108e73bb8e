import { hourMs } from '../values/timeUnits.js';

/** Zones differ from UTC by whole quarters of an hour, and change at them. */
const quarterMs = hourMs / 4;

/** Reads a zone's clock as UTC: the time, in milliseconds since 1970, at which the clock of the zone shows what `clockMs` shows in UTC. */
export type ToUtc = (clockMs: number) => number;

/** Makes the function that reads the clock of a time zone, such as `Europe/Berlin`. */
export function createToUtc(zone: string): ToUtc {
  if (zone === 'UTC') return (clockMs) => clockMs;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'gregory',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  /** Offsets by quarters: to format takes 3 us, and a file has many rows of one day. */
  const offsets = new Map<number, number>();

  function offsetAt(ms: number): number {
    const quarter = Math.floor(ms / quarterMs);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const parts = format.formatToParts(quarter * quarterMs);
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    const clock = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
    const offset = clock - quarter * quarterMs;
    offsets.set(quarter, offset);
    return offset;
  }

  return (clockMs) => clockMs - offsetAt(clockMs - offsetAt(clockMs));
}
