import { dayMs, hourMs, minuteMs } from '../../values/time.js';

const secondMs = 1_000;

/** Time after the first attempt at which the last one begins at the latest. */
export const atMostMs = 3 * dayMs;

/**
 * Delays between the attempts of a delivery, as Standard Webhooks recommend (standardwebhooks.com, specification 1.0.0,
 * "Retry schedule"). The last attempt is at the end of three days.
 */
const delaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
];

/** Ages of a delivery at its attempts after the first one. */
const agesMs = delaysMs.map((_, at) => delaysMs.slice(0, at + 1).reduce((sum, delayMs) => sum + delayMs));

/** Random part that is added to a delay, so that deliveries that failed together are not all attempted together. */
const jitter = 0.1;

/** A failed attempt of a delivery. */
export interface FailedAttempt {
  /** Number of attempts, including claims by a server that was killed; 1 or more. */
  attempts: number;
  /** Time since the first attempt. */
  ageMs: number;
  /** Delay that the receiver has asked for, of which at most a day counts; null if it has not. */
  retryAfterMs: number | null;
}

/**
 * Calculates the delay until the attempt after a failed one; null if that was the last one.
 * @param random from 0 to 1
 */
export function nextDelayMs(
  { attempts, ageMs, retryAfterMs }: FailedAttempt,
  random = Math.random(),
): number | null {
  const leftMs = atMostMs - ageMs;
  if (leftMs <= 0) return null;
  // `attempts` includes claims without an attempt, which take no time of the schedule.
  const step = Math.min(attempts - 1, agesMs.filter((planned) => planned <= ageMs).length);
  const plannedMs = Math.round((delaysMs[step] ?? leftMs) * (1 + jitter * random));
  if (retryAfterMs === null) return Math.min(plannedMs, leftMs);
  // A receiver that always asks for a second gets no more requests than the schedule has.
  const leastMs = attempts <= delaysMs.length ? delaysMs[0]! : plannedMs;
  return Math.min(Math.max(leastMs, Math.min(retryAfterMs, dayMs)), leftMs);
}

/** Statuses with which `Retry-After` counts (RFC 6585, section 4, and RFC 9110, section 15.6.4). */
const busy = [429, 503];

/**
 * Reads the header `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
 * @returns milliseconds from 0 to a day; null if the header is missing or invalid, or does not count with the status
 */
export function parseRetryAfter(status: number, text: string | undefined, nowMs: number): number | null {
  if (text === undefined || !busy.includes(status)) return null;
  // Some programs write a fraction of seconds, which `Date.parse` would read as a date long ago.
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), dayMs);
}
