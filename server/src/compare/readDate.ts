import { dayMs } from '../values/timeUnits.js';

/** The order of day and month in dates such as 05/06/2026, where a file's user has named it. */
export type DateOrder = 'dmy' | 'mdy';

/** A time in milliseconds and if the text names a whole day, or the reason why it cannot be read. */
export type FileDate =
  | { ms: number; isDay: boolean; problem?: never }
  | { ms?: never; isDay?: never; problem: string };

const isoForm =
  /^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})(?:[T ]+(?<time>[\d:.]+) ?(?<half>[ap]m)?(?<zone>.*))?$/i;
const otherForm =
  /^(?<a>\d{1,2})(?<sign>[-/.])(?<b>\d{1,2})[-/.](?<y>\d{4})(?:,?[T ]+(?<time>[\d:.]+) ?(?<half>[ap]m)?(?<zone>.*))?$/i;
const timeForm = /^(\d{1,2})(?::(\d\d))?(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const zoneForm = /^ ?(?:(Z|UTC|GMT)|([+-])(\d\d):?(\d\d)?)$/i;

/** No order is older than the web, and a date ahead of now is a mistake. */
const earliestMs = Date.UTC(1990, 0);
const aheadMs = 2 * dayMs;

/**
 * Reads a date as shops and spreadsheets write it: ISO 8601, `2026-05-01 09:50:26 +0200`, `01.05.2026 09:50`. Without a zone
 * it is in UTC. `05/06/2026` may be May or June: it is read by the named order, and refused where none is named and the day
 * does not tell.
 */
export function readDate(text: string, order: DateOrder | null, nowMs: number): FileDate {
  const quoted = `"${text.slice(0, 40)}"`;
  const groups = (text.length <= 64 && (isoForm.exec(text) ?? otherForm.exec(text))?.groups) || null;
  const notDate = { problem: `${quoted} is not a date such as 2026-05-01 or 2026-05-01T09:30:00+02:00` };
  if (!groups) return notDate;
  const months = groups.m ? { month: Number(groups.m), day: Number(groups.d) } : monthAndDay(groups, order);
  if (!months) return { problem: `${quoted} may be two dates; name the order of day and month` };
  const midnight = Date.UTC(Number(groups.y), months.month - 1, months.day);
  const isDay = new Date(midnight).getUTCDate() === months.day && months.month <= 12;
  const time = groups.time === undefined ? 0 : timeMs(groups.time, groups.half, groups.zone ?? '');
  if (!isDay || time === null) return notDate;
  const ms = midnight + time;
  if (ms < earliestMs) return { problem: `${quoted} is too long ago` };
  if (ms > nowMs + aheadMs) return { problem: `${quoted} lies ahead` };
  return { ms, isDay: groups.time === undefined };
}

function monthAndDay({ a, b, sign }: Record<string, string>, order: DateOrder | null) {
  const [first, second] = [Number(a), Number(b)];
  // Dates with points have the day first wherever they are written.
  if (sign === '.' || order === 'dmy' || first > 12 || first === second) return { day: first, month: second };
  if (order === 'mdy' || second > 12) return { day: second, month: first };
  return null;
}

/** Milliseconds since midnight in UTC; null for a text that is no time. */
function timeMs(time: string, half: string | undefined, zone: string): number | null {
  const [, hours, minutes = '0', seconds = '0', fraction = '0'] = timeForm.exec(time) ?? [];
  const [isZone, isUtc, sign, zoneHours, zoneMinutes = '0'] = zoneForm.exec(zone) ?? [];
  if (hours === undefined || (zone.trim() !== '' && !isZone)) return null;
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours);
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 60) return null;
  const offset =
    isZone && !isUtc ? (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) : 0;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000);
  return ((hour * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1000 + ms;
}
