import { type BucketLength, chooseLength, divideDays, divideIntoHours, type Span } from './buckets.js';
import {
  addMonths,
  atSameTime,
  type Day,
  dayOf,
  startOfDay,
  startOfMonth,
  startOfQuarter,
} from './calendar.js';

/** The ranges that a viewer chooses from, and the value of each in addresses. */
export const rangeTitles = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  'last-month': 'Last month',
  '12m': '12 months',
  custom: 'Custom',
} as const;

/** The name of a range. */
export type RangeName = keyof typeof rangeTitles;

/** A range of days in the viewer's time zone. */
export interface Range {
  name: RangeName;
  first: Day;
  /** The last day, which the range includes. It is never later than today. */
  last: Day;
  /** From the start of the first day. */
  span: Span;
  /** The period before: as many days, or the months before where these are whole months, and no more of it than has passed of this one. */
  before: Span;
  /** The days of that period, before it is cut at the same time of day. */
  daysBefore: { first: Day; last: Day };
  /** True when it includes now. */
  isOpen: boolean;
  /** Length of the range's buckets. */
  by: BucketLength;
}

/** The viewer's clock and time zone. */
export interface Here {
  now: Date;
  zone: string;
}

/** Makes a range that is named by its distance from now. */
export function makeRange(name: Exclude<RangeName, 'custom'>, here: Here): Range {
  const today = dayOf(here.now, here.zone);
  const [first, last] = {
    today: [today, today],
    '7d': [today - 6, today],
    '30d': [today - 29, today],
    month: [startOfMonth(today), today],
    'last-month': [addMonths(startOfMonth(today), -1), startOfMonth(today) - 1],
    '12m': [addMonths(startOfMonth(today), -11), today],
  }[name] as [Day, Day];
  const months = { month: 1, 'last-month': 1, '12m': 12 }[name as string];
  const range = rangeOfDays(name, { first, last, months }, here);
  return name === '12m' ? { ...range, by: 'month' } : range;
}

/** Makes a range of days, the last one included. With `months` it is compared with as many months before. */
export function rangeOfDays(
  name: RangeName,
  { first, last, months }: { first: Day; last: Day; months: number | undefined },
  { now, zone }: Here,
): Range {
  const days = last - first + 1;
  const earlier = (day: Day) => (months === undefined ? day - days : addMonths(day, -months));
  const isOpen = last === dayOf(now, zone);
  const from = startOfDay(first, zone);
  const sameTime = atSameTime(now, earlier(last), zone);
  return {
    name,
    first,
    last,
    // A day more, because the clock of the server that stored an order may be ahead of this one.
    span: { from, to: startOfDay(last + (isOpen ? 2 : 1), zone) },
    before: {
      from: startOfDay(earlier(first), zone),
      to: isOpen && sameTime < from ? startOfQuarter(sameTime) : from,
    },
    daysBefore: { first: earlier(first), last: isOpen ? earlier(last) : first - 1 },
    isOpen,
    by: chooseLength(days),
  };
}

/** Divides a range into its buckets, the oldest first. */
export function makeBuckets({ first, last, span, by }: Range, { now, zone }: Here): Span[] {
  if (by === 'hour') return divideIntoHours(span, zone, now);
  return divideDays({ first, last, to: span.to }, by, zone);
}
