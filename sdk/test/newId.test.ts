import { expect, test, vi } from 'vitest';
import { newId } from '../src/newId';

test('an id has at most 28 letters, digits and nothing else', () => {
  for (let count = 0; count < 1000; count++) expect(newId(globalThis)).toMatch(/^[0-9a-z]{9,28}$/);
});

test('ids never repeat, and later ones sort behind earlier ones', () => {
  vi.useFakeTimers();
  const ids = Array.from({ length: 1000 }, () => {
    vi.advanceTimersByTime(1);
    return newId(globalThis);
  });
  vi.useRealTimers();
  expect(new Set(ids).size).toBe(1000);
  expect([...ids].sort()).toEqual(ids);
});

test('works in a page whose Date.now gives a Date, as datejs makes it', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  at.toString = () => 'replaced';
  expect(newId({ Date: { now: () => at }, Math })).toMatch(new RegExp(`^${(+at).toString(36)}\\d+$`));
});
