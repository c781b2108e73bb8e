import { dateFormat } from './intl.js';

/** A span of time that orders are counted for; its ends are ends of quarters of an hour. */
export interface Bucket {
  from: Date;
  to: Date;
}

/** The ranges of the overview, each with its number of buckets back from now. */
export const ranges = {
  '24h': { title: '24 hours', by: 'hour', count: 24 },
  '7d': { title: '7 days', by: 'day', count: 7 },
  '30d': { title: '30 days', by: 'day', count: 30 },
} as const;

/** The name of a range. */
export type Range = keyof typeof ranges;

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;

/**
 * Makes the last buckets of a range up to now, the oldest first: hours or calendar days of the viewer's time zone. Node
 * does it, because Node knows each zone that it reads: PostgreSQL on Debian 13 does not know Asia/Calcutta, which is
 * Chrome's name for India's (github.com/docker-library/postgres/issues/1361).
 */
export function makeBuckets(range: Range, zone: string, now: Date): Bucket[] {
  const { by, count } = ranges[range];
  const floor = by === 'hour' ? floorToHour : floorToDay;
  // Half a bucket back from the start of one lies in the one before, also where that is a day of 23 or 25 hours.
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

/** Finds the start of the hour. Time zones differ from UTC by whole quarters of an hour, so it is the start of one. */
function floorToHour(time: Date, zone: string): Date {
  const { minute } = partsOf(time, zone);
  return new Date(Math.floor(time.getTime() / quarterMs) * quarterMs - Math.floor(minute / 15) * quarterMs);
}

/** Finds the first moment of the day: 0:00, or later where clocks are set forward at 0:00. */
function floorToDay(time: Date, zone: string): Date {
  const { day, hour } = partsOf(time, zone);
  let startMs = floorToHour(time, zone).getTime() - hour * hourMs;
  // An hour off where clocks have changed since the day began.
  while (partsOf(new Date(startMs), zone).day !== day) startMs += quarterMs;
  while (partsOf(new Date(startMs - quarterMs), zone).day === day) startMs -= quarterMs;
  return new Date(startMs);
}

function partsOf(time: Date, zone: string): { day: number; hour: number; minute: number } {
  const format = dateFormat('en', {
    timeZone: zone,
    day: 'numeric',
    hour: 'numeric',
    hourCycle: 'h23',
    minute: 'numeric',
  });
  const parts = format.formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { day: read('day'), hour: read('hour'), minute: read('minute') };
}
