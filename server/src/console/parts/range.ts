import {
  addMonths,
  atSameTime,
  type Day,
  dayOf,
  readDay,
  startOfDay,
  startOfMonth,
  startOfQuarter,
  writeDay,
} from './calendar.js';

/** Titles of the ranges that a viewer chooses from, by their values in addresses. */
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
type RangeName = keyof typeof rangeTitles;

/** A span of time. It begins and ends with a quarter of an hour. */
export interface Span {
  from: Date;
  to: Date;
}

/** Length of the buckets by which orders are counted. */
export type BucketLength = 'hour' | 'day' | 'month';

/** A range of days in the viewer's time zone. */
export interface Range {
  name: RangeName;
  first: Day;
  /** The last day, which the range includes. It is never later than today. */
  last: Day;
  /** From the start of the first day to the end of the last; if the range is open, to the end of tomorrow. */
  span: Span;
  /**
   * Period that the range is compared with: as many days before it, or as many months if the range is whole months. If the
   * range is open, the period ends at the same time of day.
   */
  before: Span;
  /** Days of that period, before it is cut at the same time of day. */
  daysBefore: { first: Day; last: Day };
  /** Set if the range includes now. */
  isOpen: boolean;
  /** Length of the range's buckets. */
  by: BucketLength;
}

/** The viewer's clock and time zone. */
export interface Here {
  now: Date;
  zone: string;
}

/** Parameters of an address that choose a range, as they were sent. */
export interface AskedRange {
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Length of the longest custom range. Figures are computed for it, and for as many days before. */
const yearsAtMost = 5;

/**
 * Reads the parameters of a range. `from` and `to` are days such as `2026-11-01`, the last one included. They count if
 * `range` is `custom` or missing. Without `to` the range ends today.
 * @returns the range, or null; and a sentence for the viewer if the parameters are invalid, or the range was cut
 */
export function readRange(
  { range: name, from = '', to = '' }: AskedRange,
  here: Here,
): { range: Range | null; note: string | null } {
  if (name === 'custom' || (name === undefined && from + to !== '')) return readCustom(from, to, here);
  return { range: name && isPreset(name) ? makeRange(name, here) : null, note: null };
}

function isPreset(name: string): name is Exclude<RangeName, 'custom'> {
  return name !== 'custom' && Object.hasOwn(rangeTitles, name);
}

function readCustom(from: string, to: string, here: Here): { range: Range | null; note: string | null } {
  const none = (note: string) => ({ range: null, note });
  const today = dayOf(here.now, here.zone);
  if (from === '') return none('Choose the first day of the range.');
  const [first, asked] = [readDay(from), to === '' ? today : readDay(to)];
  if (first === null || asked === null) {
    const wrong = first === null ? from : to;
    return none(`“${wrong.slice(0, 40)}” is not a day of the calendar. Write days as ${writeDay(today)}.`);
  }
  if (first > today) return none('The range begins in the future.');
  if (first > asked) return none('The first day of the range is after the last one.');
  if (first < 0) return none('The range begins before 1970. There are no orders of that time.');
  const last = Math.min(asked, today);
  if (last >= addMonths(first, 12 * yearsAtMost))
    return none(`A range is at most ${yearsAtMost} years long.`);
  const range = rangeOfDays('custom', { first, last, months: wholeMonths(first, last) }, here);
  if (range.span.from >= range.span.to) return none(`${here.zone} left out the day ${writeDay(first)}.`);
  return { range, note: asked > today ? 'The days after today are left out.' : null };
}

/** Counts the months from the first to the last day; undefined if they are not whole months. */
function wholeMonths(first: Day, last: Day): number | undefined {
  if (startOfMonth(first) !== first || startOfMonth(last + 1) !== last + 1) return undefined;
  let months = 1;
  while (addMonths(first, months) <= last) months++;
  return months;
}

/** Writes the parameters of a range; none for null. */
export function rangeParameters(range: Range | null): Record<string, string> {
  if (range === null) return {};
  const { name, first, last } = range;
  return name === 'custom' ? { range: name, from: writeDay(first), to: writeDay(last) } : { range: name };
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

/** Makes a range of days, the last one included. If `months` is set, it is compared with as many months before. */
function rangeOfDays(
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
    // An open range ends a day later, because the clock of the server that stored an order may be ahead.
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

/** Longest ranges, in days, for buckets of hours and of days. Longer ranges have months. */
const daysAtMost = { hour: 2, day: 92 } as const;

/** Chooses the length of the buckets that a range of days is divided into. */
function chooseLength(days: number): BucketLength {
  if (days <= daysAtMost.hour) return 'hour';
  return days <= daysAtMost.day ? 'day' : 'month';
}
