import { clockOptions, dayMs, hourMs, quarterMs, readClock } from '../../values/time.js';
import { dateFormat } from './viewer.js';

/** A calendar day in any time zone: the number of days since 1 January 1970. */
export type Day = number;

/** Finds the day of a time in a time zone. */
export function dayOf(time: Date, zone: string): Day {
  return Math.floor(clockMs(time, zone) / dayMs);
}

/** Finds the moment of a day with the same time of day as another moment, even if clocks are changed in between. */
export function atSameTime(time: Date, day: Day, zone: string): Date {
  const apartMs = (day - dayOf(time, zone)) * dayMs;
  const near = new Date(time.getTime() + apartMs);
  return new Date(near.getTime() + clockMs(time, zone) + apartMs - clockMs(near, zone));
}

/**
 * Finds the first moment of a day: 0:00, or later if clocks are set forward at 0:00 or the zone left out the day. Node does
 * it and not PostgreSQL, because Node knows each zone that it reads. PostgreSQL on Debian 13 does not know Asia/Calcutta,
 * Chrome's name for India's zone (github.com/docker-library/postgres/issues/1361).
 */
export function startOfDay(day: Day, zone: string): Date {
  // No zone is further from UTC than these offsets, so the day begins in between.
  let [before, from] = [day * dayMs - 15 * hourMs, day * dayMs + 39 * hourMs];
  while (from - before > quarterMs) {
    const middle = before + Math.floor((from - before) / 2 / quarterMs) * quarterMs;
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else from = middle;
  }
  return new Date(from);
}

/** Finds the start of the hour of a time. In UTC it is the start of a quarter of an hour. */
export function startOfHour(time: Date, zone: string): Date {
  const pastMs = clockMs(time, zone) % hourMs;
  return new Date(startOfQuarter(time).getTime() - Math.floor(pastMs / quarterMs) * quarterMs);
}

/** Finds the start of the quarter of an hour of a time. */
export function startOfQuarter(time: Date): Date {
  return new Date(Math.floor(time.getTime() / quarterMs) * quarterMs);
}

/** Finds the first day of a day's month. */
export function startOfMonth(day: Day): Day {
  return addMonths(day, 0, 1);
}

/** Finds the year of a day. */
export function yearOf(day: Day): number {
  return new Date(day * dayMs).getUTCFullYear();
}

/** Finds the same day of another month, or the last one of a shorter month. */
export function addMonths(day: Day, months: number, dayOfMonth = new Date(day * dayMs).getUTCDate()): Day {
  const date = new Date(day * dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  return Math.min(Date.UTC(year, month, dayOfMonth), Date.UTC(year, month + 1, 0)) / dayMs;
}

/** Reads a day that `writeDay` or a date field wrote; null for any other text, such as 31 February. */
export function readDay(text: string): Day | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && writeDay(ms / dayMs) === text ? ms / dayMs : null;
}

/** Writes a day as date fields do: `2026-11-01`. */
export function writeDay(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Reads the clock of a zone, to the minute, as the milliseconds that UTC would have at the same clock time. */
function clockMs(time: Date, timeZone: string): number {
  return readClock(dateFormat('en', { timeZone, ...clockOptions }), time);
}
