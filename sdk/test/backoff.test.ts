import { expect, test } from 'vitest';
import { backoff } from '../src/backoff';

const tries = Array.from({ length: 40 }, (_, index) => index + 1);

test('waits at least 0.5 s and at most 60 s, whatever chance says', () => {
  for (const random of [0, 0.5, 1]) {
    for (const count of tries) {
      expect(backoff(count, 0, random)).toBeGreaterThanOrEqual(500);
      expect(backoff(count, 0, random)).toBeLessThanOrEqual(60_000);
    }
  }
});

test('waits longer after each failure until it waits about a minute', () => {
  const waits = tries.map((count) => backoff(count, 0, 0));
  expect(waits[0]).toBeLessThan(600);
  expect(waits.slice(0, 12).every((wait, index) => wait < waits[index + 1]!)).toBe(true);
  expect(waits.at(-1)).toBe(54_000);
});

test('three failures in a row cost less than 3 s', () => {
  expect([1, 2, 3].reduce((sum, count) => sum + backoff(count, 0, 1), 0)).toBeLessThan(3000);
});

test('keeps what Retry-After asks for: 2 s are 2.0 to 2.2 s, also after many failures', () => {
  for (const count of tries) {
    expect(backoff(count, 2000, 0)).toBe(2000);
    expect(backoff(count, 2000, 1)).toBeLessThanOrEqual(2200);
  }
});

test('a Retry-After that is no number counts as none', () => {
  expect(backoff(1, Number.NaN, 0)).toBe(backoff(1, 0, 0));
});
