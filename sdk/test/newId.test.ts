import { expect, test, vi } from 'vitest';
import { newId } from '../src/newId';

test('an id has at most 28 letters, digits and nothing else', () => {
  for (let count = 0; count < 1000; count++) expect(newId(globalThis)).toMatch(/^[0-9a-z]{9,28}$/);
});

test('ids never repeat, also where a page has seeded Math.random, whose numbers are left to it, and later ones sort behind earlier ones', () => {
  vi.useFakeTimers();
  const random = vi.fn(() => 0.5);
  const seeded = { Date, crypto, Math: { random } };
  const sameMoment = Array.from({ length: 1000 }, () => newId(seeded));
  const later = Array.from({ length: 1000 }, () => {
    vi.advanceTimersByTime(1);
    return newId(seeded);
  });
  vi.useRealTimers();
  expect(new Set([...sameMoment, ...later]).size).toBe(2000);
  expect(random).not.toHaveBeenCalled();
  expect([...later].sort()).toEqual(later);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a function of the page', () => {}],
  ['one that gives nothing', { getRandomValues: () => {} }],
  [
    'one that throws',
    {
      getRandomValues() {
        throw new Error('no');
      },
    },
  ],
])('where crypto is %s, ids have the random numbers that the page has', (_, crypto) => {
  const page = { Date: { now: () => 0 }, Math: { random: () => 0.5 }, crypto: crypto as never };
  expect(newId(page)).toBe('00.5');
});

test('works in a page whose Date.now gives a Date, as datejs makes it', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  at.toString = () => 'replaced';
  expect(newId({ Date: { now: () => at }, Math, crypto })).toMatch(new RegExp(`^${(+at).toString(36)}\\d+$`));
});
