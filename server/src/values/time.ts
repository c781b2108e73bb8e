export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** Milliseconds of a day of 24 hours. */
export const dayMs = 24 * hourMs;

/** Finds the start of the day in UTC that contains a time. */
export const startOfUtcDay = (time: Date): Date => new Date(time.getTime() - (time.getTime() % dayMs));

let lastMs = Number.NaN;
let lastTime = '';

/**
 * Formats a time as ISO 8601 in UTC with milliseconds. It does so once per millisecond, because `toISOString` was visible in the
 * profile of an order.
 */
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

/** Describes a past time in a sentence: `Tuesday 14:05 UTC` within the last six days, otherwise `3 November 2026 at 14:05 UTC`. */
export function describeTime(time: Date, now: Date): string {
  const isRecent = now.getTime() - time.getTime() < recentMs;
  return `${(isRecent ? recent : older).format(time)} UTC`;
}

/** The step of time zones: they differ from UTC by whole quarters of an hour, and change at them. */
export const quarterMs = hourMs / 4;

/** Options of an English `Intl.DateTimeFormat` that `readClock` can read. */
export const clockOptions = {
  calendar: 'gregory',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions;

/** Reads the local time in a format's zone, to the minute, as if it were UTC: milliseconds since 1970. */
export function readClock(format: Intl.DateTimeFormat, time: Date | number): number {
  const parts = format.formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
}
