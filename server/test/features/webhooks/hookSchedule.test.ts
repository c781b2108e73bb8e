import { expect, it } from 'vitest';
import { nextDelayMs } from '../../../src/features/webhooks/schedule.js';

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;
const dayMs = 24 * hourMs;

/** Computes the ages at which a delivery is attempted if it always fails. */
function attemptedAt(retryAfterMs: number | null, lateMs = 0, random = 0): number[] {
  const ages = [0];
  for (let attempts = 1; ; attempts++) {
    const ageMs = ages.at(-1)!;
    const delayMs = nextDelayMs({ attempts, ageMs, retryAfterMs }, random);
    if (delayMs === null) return ages;
    ages.push(ageMs + delayMs + lateMs);
  }
}

it('a delivery that always fails is attempted on the schedule of Standard Webhooks, and last after three days', () => {
  const hours = attemptedAt(null).map((ms) => ms / hourMs);
  const delays = hours.slice(1).map((hour, at) => Math.round((hour - hours[at]!) * 3_600));
  expect(delays.slice(0, 8)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000]);
  expect(hours.at(-1)).toBe(72);
  expect(attemptedAt(null, 0, 1).at(-1)).toBe(3 * dayMs);
});

it('no attempt is planned for later than three days after the first, whatever Retry-After and a late server do', () => {
  expect(attemptedAt(dayMs)).toEqual([0, dayMs, 2 * dayMs, 3 * dayMs]);
  expect(attemptedAt(10 * dayMs)).toEqual([0, dayMs, 2 * dayMs, 3 * dayMs]);
  const lateMs = 13 * hourMs;
  const planned = attemptedAt(null, lateMs).map((ms) => ms - lateMs);
  expect(planned).toHaveLength(6);
  expect(Math.max(...planned)).toBeLessThanOrEqual(3 * dayMs);
});

it('Retry-After brings the next attempt forward, too: eight times, and to 5 s at the least', () => {
  const minuteMs = 60 * secondMs;
  const soon = attemptedAt(minuteMs);
  expect(soon.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((minutes) => minutes * minuteMs));
  expect(soon.slice(9, 11)).toEqual([38 * minuteMs, 158 * minuteMs]);
  expect(soon.at(-1)).toBe(3 * dayMs);
  expect(attemptedAt(0).slice(0, 3)).toEqual([0, 5 * secondMs, 10 * secondMs]);
});

it('claims of servers that were killed before they had an outcome take nothing from the schedule', () => {
  const delaysMs = [1, 4, 9, 40].map((attempts) =>
    nextDelayMs({ attempts, ageMs: 0, retryAfterMs: null }, 0),
  );
  expect(delaysMs).toEqual([5_000, 5_000, 5_000, 5_000]);
  expect(nextDelayMs({ attempts: 40, ageMs: 6_000, retryAfterMs: null }, 0)).toBe(300_000);
});
