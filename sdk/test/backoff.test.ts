import { expect, test } from 'vitest';
import { backoff, timeoutMs } from '../src/backoff';

const tries = Array.from({ length: 40 }, (_, index) => index + 1);

test('waits at least 0.5 s and at most 60 s, whatever chance says', () => {
  for (const random of [0, 0.5, 1]) {
    for (const count of tries) {
      expect(backoff(count, undefined, random)).toBeGreaterThanOrEqual(500);
      expect(backoff(count, undefined, random)).toBeLessThanOrEqual(60_000);
    }
  }
});

test('waits longer after each failure until it waits about a minute', () => {
  const waits = tries.map((count) => backoff(count, undefined, 0));
  expect(waits[0]).toBeLessThan(600);
  expect(waits.slice(0, 12).every((wait, index) => wait < waits[index + 1]!)).toBe(true);
  expect(waits.at(-1)).toBe(54_000);
});

test('three failures in a row cost less than 3 s', () => {
  expect([1, 2, 3].reduce((sum, count) => sum + backoff(count, undefined, 1), 0)).toBeLessThan(3000);
});

test('keeps what Retry-After asks for: 2 s are 2.0 to 2.2 s, also after many failures', () => {
  for (const count of tries) {
    expect(backoff(count, 2000, 0)).toBe(2000);
    expect(backoff(count, 2000, 1)).toBeLessThanOrEqual(2200);
  }
});

test('a try may take 6, 12, 24 and then 48 s', () => {
  expect([1, 2, 3, 4, 5, 500].map(timeoutMs)).toEqual([6000, 12_000, 24_000, 48_000, 48_000, 48_000]);
});
