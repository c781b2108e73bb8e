import { dayMs } from '../values/timeUnits.js';
import type { FindZone, ToUtc } from './zoneTime.js';

/** The order of day and month in dates such as 05/06/2026. */
export type DateOrder = 'dmy' | 'mdy';

/** A time in milliseconds, with the end of the day for a text that names a whole one, or the reason why it cannot be read. */
export type FileDate =
  | { ms: number; dayEndMs: number | null; problem?: never }
  | { ms?: never; dayEndMs?: never; problem: string };

/** Instructions for reading dates. */
export interface DateOptions {
  /** Null where nothing tells. */
  order: DateOrder | null;
  /** Reads the clock of a date without a zone. */
  toUtc: ToUtc;
  findZone: FindZone;
  nowMs: number;
}

const time = String.raw`(?:(?:,? +| *T| at )(?<time>\d[\d:.]*) ?(?<half>[ap]\.?m\.?)?(?<zone>.*))?$`;
const iso = new RegExp(String.raw`^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})${time}`, 'i');
const numbers = new RegExp(
  String.raw`^(?<a>\d{1,2})(?<sign>[-/.])(?<b>\d{1,2})[-/.](?<y>\d{4}|\d\d)${time}`,
  'i',
);
const weekday = String.raw`^(?:[a-z]{3,9}\.?,? +)?`;
const words = [
  new RegExp(
    String.raw`${weekday}(?<month>[a-z]{3,9})\.?[ -]+(?<d>\d{1,2})(?:,? +|-)(?<y>\d{4}|\d\d)${time}`,
    'i',
  ),
  new RegExp(
    String.raw`${weekday}(?<d>\d{1,2})\.?[ -](?<month>[a-z]{3,9})\.?,?[ -](?<y>\d{4}|\d\d)${time}`,
    'i',
  ),
];
const timeForm = /^(\d{1,2})(?::(\d\d))?(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const fullMonths = 'january february march april may june july august september october november december';

/** No order is older than the web, and a date ahead of now is a mistake. */
const earliestMs = Date.UTC(1990, 0);
const aheadMs = 2 * dayMs;

/**
 * Reads a date as shops and spreadsheets write it: ISO 8601, `2026-05-01 09:50:26 +0200`, `01.05.2026 09:50`, `12/31/25`,
 * `Dec 8, 2024 9:15 AM PST`, seconds since 1970. `05/06/2026` may be May or June: it is read by the order of day and month, and
 * refused where nothing tells.
 */
export function readDate(text: string, { order, toUtc, findZone, nowMs }: DateOptions): FileDate {
  const quoted = `"${text.slice(0, 40)}"`;
  const notDate = { problem: `${quoted} is not a date such as 2026-05-01 or 2026-05-01T09:30:00+02:00` };
  const inBounds = (date: { ms: number; dayEndMs: number | null }): FileDate => {
    if (date.ms < earliestMs) return { problem: `${quoted} is too long ago` };
    return date.ms > nowMs + aheadMs ? { problem: `${quoted} lies ahead` } : date;
  };
  if (/^\d{10}(?:\d{3})?$/.test(text)) return inBounds({ ms: Number(text.padEnd(13, '0')), dayEndMs: null });
  const groups = matchDate(text);
  if (!groups) return notDate;
  const parts = monthAndDay(groups, order);
  if (!parts) return { problem: `${quoted} may be two dates; name the order of day and month` };
  const year = Number(groups.y) + (groups.y!.length === 2 ? 2000 : 0);
  if (year < 1990) return { problem: `${quoted} is too long ago` };
  const midnight = new Date(Date.UTC(year, parts.month - 1, parts.day));
  if (midnight.getUTCMonth() !== parts.month - 1 || midnight.getUTCDate() !== parts.day) return notDate;
  if (groups.time === undefined) {
    const ms = toUtc(midnight.getTime());
    return inBounds({ ms, dayEndMs: toUtc(midnight.getTime() + dayMs) });
  }
  const clock = readClock(groups.time, groups.half);
  const zone = groups.zone?.trim() ?? '';
  const toUtcThere = zone === '' ? toUtc : findZone(zone);
  if (clock === null || toUtcThere === null) return notDate;
  return inBounds({ ms: toUtcThere(midnight.getTime() + clock), dayEndMs: null });
}

/** The order of day and month that dates of a file tell: one of them has a number above 12. Null where none does. */
export function dateOrderOf(dates: Iterable<string>): DateOrder | null {
  for (const text of dates) {
    const groups = numbers.exec(text.slice(0, 64))?.groups;
    if (!groups || groups.sign === '.') continue;
    if (Number(groups.a) > 12) return 'dmy';
    if (Number(groups.b) > 12) return 'mdy';
  }
  return null;
}

function matchDate(text: string): Record<string, string | undefined> | undefined {
  if (text.length > 64) return undefined;
  for (const form of [iso, numbers, ...words]) {
    const groups = form.exec(text)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

function monthAndDay(groups: Record<string, string | undefined>, order: DateOrder | null) {
  if (groups.m) return { month: Number(groups.m), day: Number(groups.d) };
  if (groups.month) return { month: monthOf(groups.month), day: Number(groups.d) };
  const [first, second] = [Number(groups.a), Number(groups.b)];
  // Dates with points have the day first wherever they are written.
  if (groups.sign === '.' || order === 'dmy' || first > 12 || first === second)
    return { day: first, month: second };
  return order === 'mdy' || second > 12 ? { day: second, month: first } : null;
}

/** The number of an English month; 0 for another word. */
function monthOf(name: string): number {
  const word = name.toLowerCase();
  const isMonth = fullMonths.split(' ').some((full) => full.startsWith(word));
  return isMonth ? months.indexOf(word.slice(0, 3)) + 1 : 0;
}

/** Milliseconds since midnight; null for a text that is no time. */
function readClock(text: string, half: string | undefined): number | null {
  const [, hours, minutes = '0', seconds = '0', fraction = '0'] = timeForm.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 24 || (half && Number(hours) > 12)) return null;
  if (Number(minutes) > 59 || Number(seconds) > 60) return null;
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours);
  return (
    ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
  );
}
