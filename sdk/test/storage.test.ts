import { afterEach, expect, test, vi } from 'vitest';
import { openStorage } from '../src/storage';
import { openPage } from './page';

afterEach(() => {
  vi.unstubAllGlobals();
});

function writesReadsAndRemoves() {
  const storage = openStorage();
  storage.set('a', '1');
  storage.set('a', '2');
  storage.set('b', '3');
  expect(storage.all()).toMatchObject({ a: '2', b: '3' });
  storage.set('a');
  expect(storage.all().a).toBeUndefined();
  expect(storage.all().b).toBe('3');
}

test('keeps texts in localStorage', () => {
  openPage('https://shop.example/');
  writesReadsAndRemoves();
  expect(localStorage.getItem('b')).toBe('3');
});

test('keeps texts in memory where the mere mention of localStorage throws', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('SecurityError');
    },
  });
  writesReadsAndRemoves();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test.each([null, undefined])('keeps texts in memory where localStorage is %s', (nothing) => {
  vi.stubGlobal('localStorage', nothing);
  writesReadsAndRemoves();
});

test('keeps the newer text in memory when the storage is full, and forgets both when it is removed', () => {
  openPage('https://shop.example/');
  localStorage.setItem('a', 'old');
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  const storage = openStorage();
  storage.set('a', 'new');
  expect(storage.all()).toEqual({ a: 'new' });
  storage.set('a');
  expect(storage.all()).toEqual({});
});
