import { afterEach, expect, test, vi } from 'vitest';
import { openStorage } from '../src/storage';
import { openPage } from './page';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('writes, reads and removes, and lists our keys alone', () => {
  openPage('https://shop.example/');
  const storage = openStorage(globalThis);
  localStorage.setItem('orderbeacons', 'foreign');
  for (const key of ['orderbeacon:b', 'cart', 'orderbeacon:a']) storage.write(key, 'text');
  storage.write('orderbeacon:b', 'newer');
  expect(storage.keys()).toEqual(['orderbeacon:a', 'orderbeacon:b']);
  expect(storage.read('orderbeacon:b')).toBe('newer');
  storage.write('orderbeacon:b');
  expect(storage.read('orderbeacon:b') ?? undefined).toBeUndefined();
  expect(localStorage.getItem('orderbeacons')).toBe('foreign');
});

test.each<[string, () => void]>([
  ['null, as in some Android WebViews', () => vi.stubGlobal('localStorage', null)],
  [
    'forbidden to read, as in sandboxed frames',
    () =>
      Object.defineProperty(globalThis, 'localStorage', {
        configurable: true,
        get: () => {
          throw new Error('SecurityError');
        },
      }),
  ],
])('never throws where localStorage is %s', (_, happen) => {
  happen();
  const storage = openStorage(globalThis);
  storage.write('orderbeacon:a', 'text');
  storage.write('orderbeacon:a');
  expect(storage.read('orderbeacon:a')).toBeUndefined();
  expect(storage.keys()).toEqual([]);
  Reflect.deleteProperty(globalThis, 'localStorage');
});
