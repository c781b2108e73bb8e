import { dayMs, hourMs, minuteMs } from '../values/time.js';
import { UsageError } from './command.js';

/** A moment that an option names. */
export interface Moment {
  at: Date;
  /** Set if the text has no zone, so that UTC was assumed. */
  isZoneAssumed: boolean;
}

/** Help text for an option that `parseMoment` reads. */
export const momentHelp =
  'a date or time such as 2026-11-01 or 2026-11-01T09:30+01:00, UTC without a zone; or a span before now such as 30m, 36h or 7d';

const unitMs = { m: minuteMs, h: hourMs, d: dayMs };
const datePattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;
// No order is older, and PostgreSQL reads no year before 1.
const earliestMs = 0;

/**
 * Reads a date, a time (ISO 8601) or a span before `nowMs`. A time without a zone is in UTC, as in lists and exports. If it
 * were in the machine's zone, the same command would have different results on two machines.
 * @param name the option's name, for the error
 * @param nowMs time of the database, whose clock dates all rows
 * @throws UsageError
 */
export function parseMoment(name: string, text: string, nowMs: number): Moment {
  const spanMs = parseSpan(text);
  if (spanMs !== null) return moment(nowMs - spanMs, false);
  const [, date, time = '00:00', zone] = datePattern.exec(text) ?? [];
  const ms = date && isCalendarDate(date) ? Date.parse(`${date}T${time}${zoneOf(zone)}`) : Number.NaN;
  if (Number.isNaN(ms)) throw new UsageError(`${name} must be ${momentHelp}; not "${text}".`);
  return moment(ms, zone === undefined);
}

/** Reads a span such as 15m, 36h or 7d, in milliseconds; null for any other text. */
export function parseSpan(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return count ? Number(count) * unitMs[unit as keyof typeof unitMs] : null;
}

function moment(ms: number, isZoneAssumed: boolean): Moment {
  return { at: new Date(Math.max(earliestMs, ms)), isZoneAssumed };
}

/** Writes a zone in the form that JavaScript reads: `+01:00` for `+0100`. */
function zoneOf(zone = 'Z'): string {
  return zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
}

/** @returns false for dates such as 30 February, which JavaScript reads as 2 March */
function isCalendarDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}
