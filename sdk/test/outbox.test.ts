import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../src/newId';
import { createOutbox } from '../src/outbox';
import { keyPrefix, openStorage } from '../src/storage';
import { openPage } from './page';

const teamId = 'team_1';
/** Opens the outbox of a page, which finds what other pages have stored. */
function open() {
  const outbox = createOutbox(openStorage(globalThis), teamId);
  outbox._refresh();
  return outbox;
}
const report = (fields = {}) => ({
  key: keyPrefix + newId(globalThis),
  body: JSON.stringify({ teamId, visitorId: 'v', amount: 1, ...fields }),
  tries: 1,
  at: 5,
});

/** Makes the storage cut each text. */
function truncate(length: number) {
  const setItem = localStorage.setItem.bind(localStorage);
  vi.spyOn(localStorage, 'setItem').mockImplementation((key, text) => setItem(key, text.slice(0, length)));
}

beforeEach(() => {
  openPage('https://shop.example/');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('keeps a report with its tries for the next page', () => {
  const kept = report();
  open()._put({ ...kept, tries: 7 });
  expect(open()._list()).toEqual([{ ...kept, tries: 7 }]);
});

test('keeps each report under a storage key of its own and leaves those of others alone', () => {
  localStorage.setItem('cart', '{}');
  const [first, second] = [report(), report()];
  open()._put(first);
  open()._put(second);
  open()._remove(first.key);
  expect(Object.keys(localStorage).sort()).toEqual(['cart', second.key]);
});

test('what is no report of this team is never touched', () => {
  const key = 'orderbeacon:cart';
  const foreign = ['{}', 'null', '{broken', '[1]', '"text"', '{"tries":1}', '{"tries":1,"body":"null"}'];
  const otherTeam = JSON.stringify({ ...report({ teamId: 'team_2' }), key });
  for (const value of [...foreign, otherTeam]) {
    localStorage.setItem(key, value);
    const outbox = open();
    const kept = report();
    outbox._put(kept);
    expect(outbox._list()).toEqual([kept]);
    outbox._dropVisitor();
    outbox._remove(kept.key);
    expect(localStorage.getItem(key)).toBe(value);
  }
});

test.each([undefined, 'orderbeacon:another'])(
  'a report that lies under another key than its own (%s) is the one it lies under, so that it can be removed',
  (key) => {
    const kept = report();
    localStorage.setItem(kept.key, JSON.stringify({ ...kept, key }));
    const outbox = open();
    expect(outbox._list()).toEqual([kept]);
    for (const { key } of outbox._list()) outbox._remove(key);
    expect(outbox._list()).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  },
);

test.each<[string, () => void]>([
  ['is blocked', () => vi.stubGlobal('localStorage', null)],
  ['takes a text and does not keep it', () => vi.spyOn(localStorage, 'setItem').mockImplementation(() => {})],
  ['keeps a text only in part', () => truncate(20)],
  ['gives nothing back', () => vi.spyOn(localStorage, 'getItem').mockImplementation(() => null)],
  [
    'is full',
    () =>
      vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
        throw new Error('QuotaExceededError');
      }),
  ],
])('where the storage %s, the page keeps its reports as long as it lives', (_, happen) => {
  happen();
  const outbox = open();
  const kept = report();
  outbox._put(kept);
  outbox._put({ ...kept, tries: 2 });
  expect(outbox._list()).toEqual([{ ...kept, tries: 2 }]);
  outbox._remove(kept.key);
  expect(outbox._list()).toEqual([]);
});

test('where the storage does not remove what it has, a report that was removed does not come back', () => {
  const kept = report();
  open()._put(kept);
  vi.spyOn(localStorage, 'removeItem').mockImplementation(() => {});
  const outbox = open();
  outbox._remove(kept.key);
  expect(outbox._list()).toEqual([]);
});

test('a storage that the shop clears takes no report from the page', () => {
  const outbox = open();
  const kept = report();
  outbox._put(kept);
  localStorage.clear();
  expect(outbox._list()).toEqual([kept]);
});

test('where the storage became full, the newer copy in memory counts', () => {
  const outbox = open();
  const kept = report();
  outbox._put(kept);
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  outbox._put({ ...kept, tries: 2, at: 99 });
  expect(outbox._list()).toEqual([{ ...kept, tries: 2, at: 99 }]);
});

test('takes the visitor out of every report, also as another page sees it', () => {
  const outbox = open();
  outbox._put(report());
  outbox._put(report());
  outbox._dropVisitor();
  expect(
    open()
      ._list()
      .map(({ body }) => JSON.parse(body)),
  ).toEqual([
    { teamId, amount: 1 },
    { teamId, amount: 1 },
  ]);
});
