/** Milliseconds of a minute. */
export const minuteMs = 60_000;
/** Milliseconds of an hour. */
export const hourMs = 60 * minuteMs;
/** Milliseconds of a day of 24 hours. */
export const dayMs = 24 * hourMs;

/** Finds the begin of the day in UTC that a time lies in. */
export const startOfUtcDay = (time: Date): Date => new Date(time.getTime() - (time.getTime() % dayMs));

let lastMs = Number.NaN;
let lastTime = '';

/** Formats a time as ISO 8601 in UTC with milliseconds; once per millisecond, because `toISOString` showed in the profile of an order. */
export function isoTime(nowMs: number): string {
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastTime = new Date(nowMs).toISOString();
  }
  return lastTime;
}

const recentMs = 6 * dayMs;
const common = { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' } as const;
const recent = new Intl.DateTimeFormat('en-GB', { ...common, weekday: 'long' });
const older = new Intl.DateTimeFormat('en-GB', { ...common, day: 'numeric', month: 'long', year: 'numeric' });

/** A past time in a sentence: `Tuesday 14:05 UTC` within the last six days, else `3 November 2026 at 14:05 UTC`. */
export function describeTime(time: Date, now: Date): string {
  const isRecent = now.getTime() - time.getTime() < recentMs;
  return `${(isRecent ? recent : older).format(time)} UTC`;
}

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
