import { expect, test, vi } from 'vitest';
import { newId } from '../src/newId';

test('an id has at most 48 letters, digits and nothing else', () => {
  for (let count = 0; count < 1000; count++) expect(newId(globalThis)).toMatch(/^[0-9a-z]{9,48}$/);
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

test('works without crypto.randomUUID, which insecure origins lack', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(newId(globalThis)).toMatch(/^[0-9a-z]+$/);
  vi.unstubAllGlobals();
});

test('works in a page that has a function named crypto', () => {
  vi.stubGlobal('crypto', () => {});
  const ids = Array.from({ length: 1000 }, () => newId(globalThis));
  vi.unstubAllGlobals();
  for (const id of ids) expect(id).toMatch(/^[0-9a-z]{9,48}$/);
  expect(new Set(ids).size).toBe(1000);
});
