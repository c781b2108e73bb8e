import { hourMs } from '../../values/time.js';
import { addMonths, type Day, startOfDay, startOfHour, startOfMonth } from './calendar.js';
import type { Here, Range, Span } from './range.js';

/** Divides a range into its buckets, the oldest first. */
export function makeBuckets({ first, last, span, by }: Range, { now, zone }: Here): Span[] {
  if (by === 'hour') return divideIntoHours(span, zone, now);
  return divideDays({ first, last, to: span.to }, by, zone);
}

/** Divides a span into the hours of a time zone up to now, the oldest first. */
function divideIntoHours({ from, to }: Span, zone: string, now: Date): Span[] {
  const starts: Date[] = [];
  // A start plus 1.5 hours lies in the next hour, even if clocks are changed by half an hour.
  for (let start = from; start < to && start <= now; ) {
    starts.push(start);
    start = startOfHour(new Date(start.getTime() + 1.5 * hourMs), zone);
  }
  return betweenStarts(starts, to);
}

/** Divides days, the last one included, into days or calendar months of a time zone, the oldest first. */
function divideDays(
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

/** Makes spans from each start to the next. A day that a zone has left out gets no span. */
function betweenStarts(starts: readonly Date[], end: Date): Span[] {
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? end })).filter(({ from, to }) => from < to);
}
