import { dayMs } from '../../../values/time.js';
import { monthOf } from './monthNames.js';
import { createFindZone, createToUtc, type FindZone, type ToUtc } from './zoneTime.js';

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

const before = String.raw`(?:at|à|às|a las|um|om|alle|ore|kl\.?|klo|o|-|–)`;
const time = String.raw`(?:(?:,? (?:${before} )?| ?T)(?<time>\d[\d:.]*) ?(?<half>[ap]\.? ?m\.?)?(?<zone>.*))?$`;
const iso = new RegExp(String.raw`^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})${time}`, 'iu');
const numbers = new RegExp(
  String.raw`^(?<a>\d{1,2})(?<sign>[-/.])(?<b>\d{1,2})[-/.](?<y>\d{4}|\d\d)${time}`,
  'iu',
);
/** A weekday, or an article. */
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
/** Days since 1900 as Excel counts them, with the part of the day that has gone: `46143.4`. */
const serialForm = /^([3-7]\d{4})(?:[.,](\d{1,15}))?$/;
const serialOf1970 = 25_569;

/** What programs write in a way of their own, and how others write it. */
const spellings: [RegExp, string][] = [
  [/\p{Cf}/gu, ''],
  [/[\s\p{Zs}]+/gu, ' '],
  // The name of a zone: `(Central European Standard Time)`, `[Europe/Berlin]`.
  [/ ?[([].*$/, ''],
  // `Sat Nov 21 09:15:00 CET 2026` of Java and Unix.
  [/^(\p{L}+ \p{L}+ \d{1,2}) ([\d:]{8}) ((?:\S+ )?)(\d{4})$/u, '$1 $4 $2 $3'],
  [/[年月년월] ?(?=\d)/g, '-'],
  [/[日일]/, ' '],
  [/(\d) ?h ?(\d\d)\b/i, '$1:$2'],
  [/(\d) ?(?:uhr|h|min)$/i, '$1'],
  [/ г\.?(?=[ ,]|$)/, ''],
];

/** What databases and spreadsheets write for no date. */
const noDate = /^(?:0000[-/]00[-/]00.*|00([-/.])00\1(?:00)?00.*|[-–—]+|n\/?a|null|none|nil|nan|nat|\\n|0)$/i;

/** True for a text that says that there is no date, such as `0000-00-00 00:00:00`. */
export function isNoDate(text: string): boolean {
  return text.length <= textAtMost && noDate.test(text);
}

/** @returns true for a text that has a day, a month and a year */
export function isDateLike(text: string): boolean {
  const groups = matchDate(text);
  return groups !== undefined && (groups.month === undefined || monthOf(groups.month) > 0);
}

/** Makes the function that reads the times of one file: a date, the clock beside it, the name of its zone. Null for none. */
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

/** No order is older than the web, and a date ahead of now is a mistake. */
const earliestMs = Date.UTC(1990, 0);
const aheadMs = 2 * dayMs;

/**
 * Reads a date as shops and spreadsheets write it: ISO 8601, `2026-05-01 09:50:26 +0200`, `01.05.2026 09:50`, `12/31/25`,
 * `Dec 8, 2024 9:15 AM PST`, `21 novembre 2026 à 09h15`, seconds since 1970, days as Excel counts them. `05/06/2026` may be May or June: it is read by the
 * order of day and month, and refused where nothing tells.
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

/** The order of day and month that dates of a file tell: one of them has a number above 12. Null where none does. */
export function dateOrderOf(dates: Iterable<string>): DateOrder | null {
  for (const text of dates) {
    const groups = numbers.exec(spell(text))?.groups;
    if (!groups || groups.sign === '.') continue;
    if (Number(groups.a) > 12) return 'dmy';
    if (Number(groups.b) > 12) return 'mdy';
  }
  return null;
}

/** Writes a date as most programs do; empty for a text that is too long for one. */
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
  // Dates with points have the day first wherever they are written.
  if (groups.sign === '.' || order === 'dmy' || first > 12 || first === second)
    return { day: first, month: second };
  return order === 'mdy' || second > 12 ? { day: second, month: first } : null;
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
