import { dayMs, hourMs, minuteMs } from '../../values/time.js';
import type { BucketLength } from './buckets.js';
import { type Day, dayOf, startOfDay, yearOf } from './calendar.js';
import { dateFormat, type Viewer } from './viewer.js';

// Dates are in English, as all words of the console: day first, and 24 hours.

const write = (time: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat('en', { timeZone, ...options }).format(time);

const clock = { hour: '2-digit', minute: '2-digit' } as const;
const date = { day: 'numeric', month: 'short' } as const;
const wholeDate = { ...date, year: 'numeric' } as const;

/** A time: `Today 14:02`, `Yesterday 14:02`, `1 May, 14:02`, or `1 May 2025, 14:02` of another year. Each page names the zone. */
export function formatTime(time: Date, { zone, now }: Viewer): string {
  const [day, today] = [dayOf(time, zone), dayOf(now, zone)];
  const word = { [today]: 'Today', [today - 1]: 'Yesterday' }[day];
  if (word !== undefined) return `${word} ${write(time, zone, clock)}`;
  const days = yearOf(day) === yearOf(today) ? date : wholeDate;
  return write(time, zone, { ...clock, ...days });
}

/** A time to the second, with the name of its zone: `1 May 2026, 14:02:07 CEST`. */
export function formatExactTime(time: Date, { zone }: Viewer): string {
  return write(time, zone, { ...wholeDate, ...clock, second: '2-digit', timeZoneName: 'short' });
}

const recentMs = 6 * dayMs;

/** A past time within a sentence: `today 14:02`, `Tuesday 14:02` within the last days, else with its date. */
export function formatSince(time: Date, now: Date, { zone }: Viewer): string {
  if (dayOf(time, zone) === dayOf(now, zone)) return `today ${write(time, zone, clock)}`;
  const isRecent = now.getTime() - time.getTime() < recentMs;
  return write(time, zone, { ...(isRecent ? ({ weekday: 'long' } as const) : wholeDate), ...clock });
}

const month = { month: 'short', year: 'numeric' } as const;

const bucketDates = {
  hour: { ...date, ...clock },
  day: { weekday: 'short', ...date },
  month,
} as const satisfies Record<BucketLength, Intl.DateTimeFormatOptions>;

/** The name of a bucket: `1 May, 14:00`, `Fri, 1 May`, or `May 2026`. */
export function formatBucket(from: Date, by: BucketLength, { zone }: Viewer): string {
  return write(from, zone, bucketDates[by]);
}

const bucketMarks = { hour: clock, day: date, month } as const satisfies Record<
  BucketLength,
  Intl.DateTimeFormatOptions
>;

/** The mark of a bucket on the axis of the chart: `14:00`, `1 May`, or `May 2026`. */
export function formatBucketMark(from: Date, by: BucketLength, { zone }: Viewer): string {
  return write(from, zone, bucketMarks[by]);
}

/** Some days, the last one included: `1–31 Oct 2026`. */
export function formatDays(first: Day, last: Day): string {
  const format = dateFormat('en', { timeZone: 'UTC', ...wholeDate });
  return format.formatRange(startOfDay(first, 'UTC'), startOfDay(last, 'UTC'));
}

const spans = [
  ['d', dayMs],
  ['h', hourMs],
  ['min', minuteMs],
  ['s', 1000],
] as const;

/** Formats a duration in its largest whole unit: `9 h`. */
export function formatSpan(ms: number): string {
  const [unit, unitMs] = spans.find(([, unitMs]) => ms >= unitMs) ?? spans[3];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit}`;
}
