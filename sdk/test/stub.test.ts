import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';

const text = readFileSync(new URL('../dist/stub.js', import.meta.url), 'utf8').trim();
const order = { email: 'ann@shop.example', amount: 1 };

/** Opens a page that runs the built stub. Its storage is a Map. */
function openPage(globals: Record<string, unknown> = {}) {
  const stored = new Map<string, string>();
  const localStorage = { setItem: (key: string, value: string) => stored.set(key, value) };
  // biome-ignore lint/suspicious/noExplicitAny: a page may have anything.
  const window: any = { localStorage, document: {}, crypto, Uint32Array, Promise, ...globals };
  window.window = window;
  runInNewContext(text, window);
  return { window, stored };
}

test('writes each call to the storage under an id of its own, in the order of the calls', () => {
  vi.useFakeTimers();
  const { window, stored } = openPage({ Date });
  window.track('order', order);
  vi.advanceTimersByTime(1);
  window.track('consent', false);
  vi.useRealTimers();
  const keys = [...stored.keys()];
  expect([...keys].sort()).toEqual(keys);
  for (const key of keys) expect(key).toMatch(/^orderbeacon:[0-9a-z]{9,52}$/);
  expect([...stored.values()].map((value) => JSON.parse(value))).toEqual([
    { global: 'track', command: 'order', value: order },
    { global: 'track', command: 'consent', value: false },
  ]);
});

test('the keys of one millisecond, and of a clock that is set back, have the order of the calls', () => {
  let now = Date.UTC(2026, 10);
  const { window } = openPage({ Date: { now: () => now } });
  for (let count = 0; count < 50; count++) window.track('consent', count % 2 === 0);
  now -= 60_000;
  window.track('consent', false);
  const keys = window.track.q.map((call: unknown[]) => call[2]);
  expect([...keys].sort()).toEqual(keys);
});

test('stores an order with a BigInt as text, and without fields that cannot be written', () => {
  const cart: Record<string, unknown> = { lines: 0 };
  cart.cart = cart;
  const { window, stored } = openPage();
  window.track('order', { ...order, block: 19_000_000n, cart, items: [{ units: 2n }], gift: false });
  const value = { ...order, block: '19000000', gift: false };
  expect([...stored.values()].map((text) => JSON.parse(text).value)).toEqual([value]);
  expect(window.track.q[0][1]).toEqual(value);
});

test.each<[string, object]>([
  ['a page has seeded Math.random', { Math: Object.create(Math, { random: { value: () => 0.42 } }) }],
  ['a page has a function named crypto', { crypto: () => {} }],
  ['a page has a crypto that gives nothing', { crypto: { getRandomValues: () => {} } }],
])('keys of one moment differ where %s', (_, globals) => {
  const keys = Array.from({ length: 100 }, () => {
    const { window, stored } = openPage({ ...globals, Date: { now: () => 5 } });
    window.track('order', order);
    return [...stored.keys()][0];
  });
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^orderbeacon:5\d{1,22}$/);
});

test('also queues each call in memory, with the key that the storage has', () => {
  const { window, stored } = openPage();
  window.track('order', order);
  expect(window.track.q).toEqual([['order', order, [...stored.keys()][0], expect.any(Function)]]);
});

test('its promise resolves immediately, and never hangs or rejects', async () => {
  const { window } = openPage();
  expect(await window.track('order', order)).toEqual({ status: 'pending', final: expect.any(Promise) });
  expect(await window.track('consent', true)).toMatchObject({ status: 'pending' });
});

test('has every method of the script', () => {
  expect(openPage().window.track.visitorId()).toBeUndefined();
});

const blocked = {
  get localStorage() {
    throw new Error('SecurityError');
  },
};
const unreadable = {
  get amount() {
    throw new Error('no amount');
  },
};

test.each<[string, object, unknown]>([
  ['blocked', blocked, order],
  ['missing', { localStorage: null }, order],
  [
    'full',
    {
      localStorage: {
        setItem() {
          throw new Error('QuotaExceededError');
        },
      },
    },
    order,
  ],
  ['in order, and the call no JSON', {}, unreadable],
])('queues the call in memory where the storage is %s', async (_, globals, value) => {
  const window = Object.defineProperties(
    { Promise, document: {} } as never,
    Object.getOwnPropertyDescriptors(globals),
  ) as never as {
    track: ((...call: unknown[]) => Promise<object>) & { q: unknown[][] };
    window: unknown;
  };
  window.window = window;
  runInNewContext(text, window);
  expect(await window.track('order', value)).toMatchObject({ status: 'pending' });
  expect(window.track.q[0]!.slice(0, 2)).toEqual(['order', value]);
});

test('does not throw in a browser without Promise', () => {
  expect(openPage({ Promise: undefined }).window.track('order', order)).toBeUndefined();
});

test('a second stub keeps the calls of the first', () => {
  const { window } = openPage();
  window.track('order', order);
  runInNewContext(text, window);
  expect(window.track.q).toHaveLength(1);
});

test('carries a mark, by which the script knows it', () => {
  expect(openPage().window.track.orderbeacon).toBe(1);
});

test('leaves alone what the page owns, and shadows an element', () => {
  const own = () => {};
  expect(openPage({ track: own }).window.track).toBe(own);
  const slider = { slide: () => {} };
  expect(openPage({ track: slider }).window.track).toBe(slider);
  const withElement = Object.create({ track: { id: 'track' } });
  new Function('window', text)(withElement);
  expect(withElement.track).toBeTypeOf('function');
});

test('is short, ECMAScript 5, and safe to paste between script tags', async () => {
  const { parse } = await import('acorn');
  expect(() => parse(text, { ecmaVersion: 5 })).not.toThrow();
  expect(text.length).toBeLessThan(750);
  expect(text).not.toMatch(/<|\n/);
});

test.each([
  'guides/tag.md',
  'recipes/html.md',
  'recipes/next.md',
  'recipes/tag-manager.md',
  'recipes/woocommerce.md',
])('is the text that %s has, and no other', (path) => {
  const shown = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').match(/^.*\("track"\);$/gm);
  expect(shown?.map((line) => line.trim())).toEqual([text]);
});
