import { dayMs, hourMs, minuteMs } from '../../values/timeUnits.js';
import type { BucketLength } from '../overview/buckets.js';
import { type Day, dayOf, startOfDay, yearOf } from '../overview/calendar.js';
import { agoWords, dateFormat } from './intl.js';
import type { Viewer } from './viewer.js';

/**
 * A time for people, in the viewer's language and zone: `Today 14:02`, `Yesterday 14:02`, `1 May, 14:02`, or
 * `1 May 2025, 14:02` of another year. Each page says the zone once.
 */
export function formatTime(time: Date, { locale, zone, now }: Viewer): string {
  const [day, today] = [dayOf(time, zone), dayOf(now, zone)];
  const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit' } as const;
  if (day === today || day === today - 1) {
    const word = agoWords(locale, { numeric: 'auto' }).format(day - today, 'day');
    const capital = word.charAt(0).toLocaleUpperCase(locale);
    return isolate(`${capital}${word.slice(1)} ${dateFormat(locale, clock).format(time)}`);
  }
  const date = { day: 'numeric', month: 'short' } as const;
  const year = yearOf(day) === yearOf(today) ? {} : ({ year: 'numeric' } as const);
  return isolate(dateFormat(locale, { ...clock, ...date, ...year }).format(time));
}

/** A time to the second, with the name of its zone: `1 May 2026, 14:02:07 CEST`. */
export function formatExactTime(time: Date, { locale, zone }: Viewer): string {
  const format = dateFormat(locale, {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  return isolate(format.format(time));
}

/**
 * Isolates a date in a language that is written from right to left. The pages are written from left to right, and showed a
 * day that comes first far from its month.
 */
function isolate(date: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u.test(date) ? `\u2068${date}\u2069` : date;
}

/**
 * A time of the last 24 hours as its distance from now, in the viewer's language: `5 min ago`, `3 hr ago`. Null for any
 * other. The script `ago.js` writes the same.
 */
export function formatAgo(time: Date, { locale, now }: Viewer): string | null {
  const minutes = Math.floor((now.getTime() - time.getTime()) / minuteMs);
  if (Math.abs(minutes) * minuteMs >= dayMs) return null;
  const words = agoWords(locale, { numeric: 'auto', style: 'short' });
  if (minutes < 1) return words.format(0, 'second');
  return minutes < 60 ? words.format(-minutes, 'minute') : words.format(-Math.floor(minutes / 60), 'hour');
}

const recentMs = 6 * dayMs;

/** A past time within a sentence: `today 14:02`, `Tuesday 14:02` within the last days, else with its date. */
export function formatSince(time: Date, now: Date, { locale, zone }: Viewer): string {
  if (dayOf(time, zone) === dayOf(now, zone)) {
    const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit' } as const;
    const word = agoWords(locale, { numeric: 'auto' }).format(0, 'day');
    return isolate(`${word} ${dateFormat(locale, clock).format(time)}`);
  }
  const isRecent = now.getTime() - time.getTime() < recentMs;
  const date = isRecent ? { weekday: 'long' } : { day: 'numeric', month: 'short', year: 'numeric' };
  const format = dateFormat(locale, {
    timeZone: zone,
    ...(date as Intl.DateTimeFormatOptions),
    hour: '2-digit',
    minute: '2-digit',
  });
  return isolate(format.format(time));
}

/** A month of the calendar that ranges are divided by, also where the reader's has others. */
const ofMonth = { calendar: 'gregory', month: 'short', year: 'numeric' } as const;

const bucketDates = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: ofMonth,
} as const satisfies Record<BucketLength, Intl.DateTimeFormatOptions>;

/** The name of a bucket: `1 May, 14:00`, `Fri, 1 May`, `1 May 2026` for the week from then on, or `May 2026`. */
export function formatBucket(from: Date, by: BucketLength, { locale, zone }: Viewer): string {
  return isolate(dateFormat(locale, { timeZone: zone, ...bucketDates[by] }).format(from));
}

const bucketMarks = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: ofMonth,
} as const satisfies Record<BucketLength, Intl.DateTimeFormatOptions>;

/** The mark of a bucket on the axis of the chart: `14:00`, `1 May`, or `May 2026`. */
export function formatBucketMark(from: Date, by: BucketLength, { locale, zone }: Viewer): string {
  return isolate(dateFormat(locale, { timeZone: zone, ...bucketMarks[by] }).format(from));
}

/** Some days, the last one included: `1–31 Oct 2026`. */
export function formatDays(first: Day, last: Day, { locale }: Pick<Viewer, 'locale'>): string {
  const format = dateFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
  return isolate(format.formatRange(startOfDay(first, 'UTC'), startOfDay(last, 'UTC')));
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
