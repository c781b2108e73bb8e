import { hourMs } from './timeUnits.js';

/** Zones differ from UTC by whole quarters of an hour, and change at them. */
export const quarterMs = hourMs / 4;

/** Options of an `Intl.DateTimeFormat` in English that `readClock` reads. */
export const clockOptions = {
  calendar: 'gregory',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions;

/** Reads the clock of a format's zone, to the minute, as if it were that of UTC: milliseconds since 1970. */
export function readClock(format: Intl.DateTimeFormat, time: Date | number): number {
  const parts = format.formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
}
