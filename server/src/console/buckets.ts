import type { Bucket } from './sql/countOrders.js';

/** The ranges of the overview: how many buckets back from now. */
export const ranges = {
  '24h': { title: '24 hours', by: 'hour', count: 24 },
  '7d': { title: '7 days', by: 'day', count: 7 },
  '30d': { title: '30 days', by: 'day', count: 30 },
} as const;

/** The name of a range. */
export type Range = keyof typeof ranges;

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;

/** The last buckets of a range up to now, the oldest first: hours or calendar days of the reader's time zone. */
export function makeBuckets(range: Range, zone: string, now: Date): Bucket[] {
  const { by, count } = ranges[range];
  const floor = by === 'hour' ? floorToHour : floorToDay;
  // Half an hour more than a day reaches into the day before also where that had 25 hours.
  const step = by === 'hour' ? hourMs / 2 : 12 * hourMs;
  let to = floor(new Date(floor(now, zone).getTime() + (by === 'hour' ? 1.5 : 36) * hourMs), zone);
  const buckets: Bucket[] = [];
  for (let n = 0; n < count; n++) {
    const from = floor(new Date(to.getTime() - step), zone);
    buckets.unshift({ from, to });
    to = from;
  }
  return buckets;
}

/** Time zones differ from UTC by whole quarters of an hour, so an hour of a zone begins at one. */
function floorToHour(time: Date, zone: string): Date {
  const { minute } = partsOf(time, zone);
  return new Date(Math.floor(time.getTime() / quarterMs) * quarterMs - Math.floor(minute / 15) * quarterMs);
}

/** The first moment of the day; 0:00, or later where clocks are set forward at 0:00. */
function floorToDay(time: Date, zone: string): Date {
  const { day, hour } = partsOf(time, zone);
  let startMs = floorToHour(time, zone).getTime() - hour * hourMs;
  // Where clocks have changed since the day began, that is an hour off.
  while (partsOf(new Date(startMs), zone).day !== day) startMs += quarterMs;
  while (partsOf(new Date(startMs - quarterMs), zone).day === day) startMs -= quarterMs;
  return new Date(startMs);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(time: Date, zone: string): { day: number; hour: number; minute: number } {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      day: 'numeric',
      hour: 'numeric',
      hourCycle: 'h23',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts = format.formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { day: read('day'), hour: read('hour'), minute: read('minute') };
}
