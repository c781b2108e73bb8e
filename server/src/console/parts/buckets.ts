import { hourMs } from '../../values/time.js';
import { addMonths, type Day, startOfDay, startOfHour, startOfMonth } from './calendar.js';

/** A span of time; its ends are ends of quarters of an hour. */
export interface Span {
  from: Date;
  to: Date;
}

/** Lengths of the buckets that orders are counted by. */
export type BucketLength = 'hour' | 'day' | 'month';

/** The longest ranges, in days, of each length of buckets. Longer ones have months. */
const daysAtMost = { hour: 2, day: 92 } as const;

/** Chooses the length of the buckets that a range of days is divided into. */
export function chooseLength(days: number): BucketLength {
  if (days <= daysAtMost.hour) return 'hour';
  return days <= daysAtMost.day ? 'day' : 'month';
}

/** Divides a span into the hours of a time zone up to now, the oldest first. */
export function divideIntoHours({ from, to }: Span, zone: string, now: Date): Span[] {
  const starts: Date[] = [];
  // An hour and a half after its start lies in the next one, also where clocks are changed by half an hour.
  for (let start = from; start < to && start <= now; ) {
    starts.push(start);
    start = startOfHour(new Date(start.getTime() + 1.5 * hourMs), zone);
  }
  return betweenStarts(starts, to);
}

/** Divides days, the last one included, into days or calendar months of a time zone, the oldest first. */
export function divideDays(
  { first, last, to }: { first: Day; last: Day; to: Date },
  by: 'day' | 'month',
  zone: string,
): Span[] {
  const next = {
    day: (day: Day) => day + 1,
    month: (day: Day) => addMonths(startOfMonth(day), 1),
  }[by];
  const starts: Date[] = [];
  for (let day = first; day <= last; day = next(day)) starts.push(startOfDay(day, zone));
  return betweenStarts(starts, to);
}

/** Spans from each start to the next. A day that a zone has left out makes none. */
function betweenStarts(starts: readonly Date[], end: Date): Span[] {
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? end })).filter(({ from, to }) => from < to);
}
