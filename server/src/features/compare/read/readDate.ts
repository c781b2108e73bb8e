import { dayMs } from '../../../values/time.js';
import { monthOf } from './monthNames.js';
import { createFindZone, createToUtc, type FindZone, type ToUtc } from './zoneTime.js';

/** The order of day and month in dates such as 05/06/2026. */
export type DateOrder = 'dmy' | 'mdy';

/**
 * A time in milliseconds, or the reason why it cannot be read. If the text states only a day, `dayEndMs` is the end of
 * the day.
 */
export type FileDate =
  | { ms: number; dayEndMs: number | null; problem?: never }
  | { ms?: never; dayEndMs?: never; problem: string };

/** Options for reading dates. */
export interface DateOptions {
  /** Order of day and month in the file's dates; null if it is unknown. */
  order: DateOrder | null;
  /** Converts the clock time of a date without a zone. */
  toUtc: ToUtc;
  findZone: FindZone;
  nowMs: number;
}

const before = String.raw`(?:at|à|às|a las|um|om|alle|ore|kl\.?|klo|o|-|–)`;
const time = String.raw`(?:(?:,? (?:${before} )?| ?T)(?<time>\d[\d:.]*) ?(?<half>[ap]\.? ?m\.?)?(?<zone>.*))?$`;
const iso = new RegExp(String.raw`^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})${time}`, 'iu');
const numbers = new RegExp(
  String.raw`^(?<a>\d{1,2})(?<sign>[-/.])(?<b>\d{1,2})[-/.](?<y>\d{4}|\d\d)${time}`,
  'iu',
);
/** Pattern of a weekday or an article before a date. */
const weekday = String.raw`^(?:\p{L}+\.?,? )?`;
const name = String.raw`(?<month>\p{L}{3,20})\.?`;
const words = [
  new RegExp(
    String.raw`${weekday}${name}[ -](?<d>\d{1,2})(?:st|nd|rd|th)?(?:,? |-)(?<y>\d{4}|\d\d)${time}`,
    'iu',
  ),
  new RegExp(
    String.raw`${weekday}(?<d>\d{1,2})(?:\. ?|(?:er|º|st|nd|rd|th)?[ -])(?:de |d’|of )?${name},?(?:[ -]|(?<=\.))(?:del? )?(?<y>\d{4}|\d\d)${time}`,
    'iu',
  ),
];
const timeForm = /^(\d{1,2})(?:[:.](\d\d))?(?:[:.](\d\d)(?:\.(\d{1,9}))?)?$/;
const textAtMost = 128;
/** Excel's count of days since 1900, with the elapsed part of the day: `46143.4`. */
const serialForm = /^([3-7]\d{4})(?:[.,](\d{1,15}))?$/;
const serialOf1970 = 25_569;

/** Spellings of some programs, and the common spelling of each. */
const spellings: [RegExp, string][] = [
  [/\p{Cf}/gu, ''],
  [/[\s\p{Zs}]+/gu, ' '],
  // The name of a zone: `(Central European Standard Time)`, `[Europe/Berlin]`.
  [/ ?[([].*$/, ''],
  // Java's and Unix' `Sat Nov 21 09:15:00 CET 2026`.
  [/^(\p{L}+ \p{L}+ \d{1,2}) ([\d:]{8}) ((?:\S+ )?)(\d{4})$/u, '$1 $4 $2 $3'],
  [/[年月년월] ?(?=\d)/g, '-'],
  [/[日일]/, ' '],
  [/(\d) ?h ?(\d\d)\b/i, '$1:$2'],
  [/(\d) ?(?:uhr|h|min)$/i, '$1'],
  [/ г\.?(?=[ ,]|$)/, ''],
];

/** Text of databases and spreadsheets for a missing date. */
const noDate = /^(?:0000[-/]00[-/]00.*|00([-/.])00\1(?:00)?00.*|[-–—]+|n\/?a|null|none|nil|nan|nat|\\n|0)$/i;

/** @returns true for text that means a missing date, such as `0000-00-00 00:00:00` */
export function isNoDate(text: string): boolean {
  return text.length <= textAtMost && noDate.test(text);
}

/** @returns true for text with a day, a month and a year */
export function isDateLike(text: string): boolean {
  const groups = matchDate(text);
  return groups !== undefined && (groups.month === undefined || monthOf(groups.month) > 0);
}

/**
 * Creates the function that reads the times of one file from three cells: the date, the clock time, the name of the
 * zone. It returns null for a missing date.
 */
export function createReadTime({
  dateOrder,
  zone,
  nowMs,
}: {
  dateOrder: DateOrder | null;
  zone: string;
  nowMs: number;
}) {
  const toUtc = createToUtc(zone);
  const findZone = createFindZone();
  return function readTime(date: string, clock: string, zoneName: string): FileDate | null {
    if (date === '' || isNoDate(date)) return null;
    const text = date.includes(':') ? date : `${date} ${clock}`.trim();
    return readDate(text, { order: dateOrder, toUtc: findZone(zoneName) ?? toUtc, findZone, nowMs });
  };
}

/** Limits of an order's date: no order is older than the web, and a date in the future is a mistake. */
const earliestMs = Date.UTC(1990, 0);
const aheadMs = 2 * dayMs;

/**
 * Reads a date as shops and spreadsheets write it.
 *
 * Examples: ISO 8601, `2026-05-01 09:50:26 +0200`, `01.05.2026 09:50`, `12/31/25`, `Dec 8, 2024 9:15 AM PST`, `21
 * novembre 2026 à 09h15`, seconds since 1970, Excel's count of days. `05/06/2026` may be in May or June. `order`
 * decides; if it is null, the date is refused.
 */
export function readDate(text: string, { order, toUtc, findZone, nowMs }: DateOptions): FileDate {
  const quoted = `"${text.slice(0, 40)}"`;
  const notDate = { problem: `${quoted} is not a date such as 2026-05-01 or 2026-05-01T09:30:00+02:00` };
  const inBounds = (date: { ms: number; dayEndMs: number | null }): FileDate => {
    if (date.ms < earliestMs) return { problem: `${quoted} is too long ago` };
    return date.ms > nowMs + aheadMs ? { problem: `${quoted} lies ahead` } : date;
  };
  if (/^\d{10}(?:\d{3})?$/.test(text)) return inBounds({ ms: Number(text.padEnd(13, '0')), dayEndMs: null });
  const [, serial, fraction] = serialForm.exec(text) ?? [];
  if (serial !== undefined) {
    const clock = Math.round((Number(`0.${fraction ?? 0}`) * dayMs) / 1000) * 1000;
    const midnight = (Number(serial) - serialOf1970) * dayMs;
    return inBounds({
      ms: toUtc(midnight + clock),
      dayEndMs: fraction === undefined ? toUtc(midnight + dayMs) : null,
    });
  }
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

/** Finds the order of day and month by a date that has a number above 12. Null if no date has one. */
export function dateOrderOf(dates: Iterable<string>): DateOrder | null {
  for (const text of dates) {
    const groups = numbers.exec(spell(text))?.groups;
    if (!groups || groups.sign === '.') continue;
    if (Number(groups.a) > 12) return 'dmy';
    if (Number(groups.b) > 12) return 'mdy';
  }
  return null;
}

/** Converts a date to the common spelling. Empty for a text that is too long. */
function spell(text: string): string {
  if (text.length > textAtMost) return '';
  return spellings.reduce((plain, [found, by]) => plain.replace(found, by), text.normalize('NFC')).trim();
}

function matchDate(text: string): Record<string, string | undefined> | undefined {
  const plain = spell(text);
  for (const form of [iso, numbers, ...words]) {
    const groups = form.exec(plain)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

function monthAndDay(groups: Record<string, string | undefined>, order: DateOrder | null) {
  if (groups.m) return { month: Number(groups.m), day: Number(groups.d) };
  if (groups.month) return { month: monthOf(groups.month), day: Number(groups.d) };
  const [first, second] = [Number(groups.a), Number(groups.b)];
  // Dates with points have the day first in every country.
  if (groups.sign === '.' || order === 'dmy' || first > 12 || first === second)
    return { day: first, month: second };
  return order === 'mdy' || second > 12 ? { day: second, month: first } : null;
}

/** Reads a clock time as milliseconds since midnight; null for another text. */
function readClock(text: string, half: string | undefined): number | null {
  const [, hours, minutes = '0', seconds = '0', fraction = '0'] = timeForm.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 24 || (half && Number(hours) > 12)) return null;
  if (Number(minutes) > 59 || Number(seconds) > 60) return null;
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours);
  return (
    ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
  );
}
