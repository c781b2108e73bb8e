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
  for (const key of ['orderbeacon:b', 'cart', 'orderbeacon:a']) storage._write(key, 'text');
  storage._write('orderbeacon:b', 'newer');
  expect(storage._keys()).toEqual(['orderbeacon:a', 'orderbeacon:b']);
  expect(storage._read('orderbeacon:b')).toBe('newer');
  storage._write('orderbeacon:b');
  expect(storage._read('orderbeacon:b') ?? undefined).toBeUndefined();
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
  storage._write('orderbeacon:a', 'text');
  storage._write('orderbeacon:a');
  expect(storage._read('orderbeacon:a')).toBeUndefined();
  expect(storage._keys()).toEqual([]);
  Reflect.deleteProperty(globalThis, 'localStorage');
});
