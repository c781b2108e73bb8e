import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../src/newId';
import { createOutbox, outboxPrefix } from '../src/outbox';
import { openStorage } from '../src/storage';
import { openPage } from './page';

let lost = 0;
const open = () => createOutbox(openStorage(), () => lost++);
const report = (body = 'x') => ({ key: outboxPrefix + newId(), url: 'u', body, tries: 1, at: 5 });

beforeEach(() => {
  lost = 0;
  openPage('https://shop.example/');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('keeps a report with its attempts for the next page', () => {
  const kept = report();
  open().set(kept.key, { ...kept, tries: 7 });
  expect(open().list()).toEqual([{ ...kept, tries: 7 }]);
});

test('keeps each report under a storage key of its own and leaves those of others alone', () => {
  localStorage.setItem('cart', '{}');
  const [first, second] = [report(), report()];
  open().set(first.key, first);
  open().set(second.key, second);
  open().set(first.key);
  expect(Object.keys(localStorage).sort()).toEqual(['cart', second.key]);
});

test('holds the 50 newest reports, whatever their order in storage, and tells of each one that it gives up', () => {
  const reports = Array.from({ length: 53 }, (_, index) => {
    vi.advanceTimersByTime(1);
    return report(String(index));
  });
  const outbox = open();
  for (const each of reports.reverse()) outbox.set(each.key, each);
  expect(outbox.list().map(({ body }) => body)).toEqual(
    Array.from({ length: 50 }, (_, index) => String(index + 3)),
  );
  expect(lost).toBe(3);
  expect(localStorage.length).toBe(50);
});

test('gives a report up after 72 hours, not before', () => {
  const outbox = open();
  const kept = report();
  outbox.set(kept.key, kept);
  vi.advanceTimersByTime(72 * 3_600_000 - 1);
  expect(outbox.list()).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(outbox.list()).toEqual([]);
  expect(lost).toBe(1);
  expect(localStorage.length).toBe(0);
});

test('what is no report is cleared away and stops no other', () => {
  localStorage.setItem(`${outboxPrefix}${newId()}`, '{broken');
  const kept = report();
  open().set(kept.key, kept);
  expect(open().list()).toEqual([kept]);
  expect(localStorage.length).toBe(1);
});
