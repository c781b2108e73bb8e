import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDelivery } from '../src/delivery';
import { newId } from '../src/newId';
import { createOutbox, outboxPrefix, type Waiting } from '../src/outbox';
import type { TrackResult } from '../src/result';
import { openStorage } from '../src/storage';
import { openPage, type Page } from './page';

/** A network that answers when the test says so. */
function openNetwork() {
  type Answer = (outcome: TrackResult, retryAfterMs?: number) => Promise<void>;
  const sent: { body: string; answer: Answer; end: Answer }[] = [];
  const post = (_url: string, body: string) =>
    new Promise<[TrackResult, number]>((resolve) => {
      const answer: Answer = async (outcome, retryAfterMs = 0) => {
        resolve([outcome, retryAfterMs]);
        await vi.advanceTimersByTimeAsync(1);
      };
      const end: Answer = async (...outcome) => {
        await answer(...outcome);
        // A failure is believed 50 ms later.
        await vi.advanceTimersByTimeAsync(50);
      };
      sent.push({ body, answer, end });
    });
  return { sent, post };
}

/** Web Locks as one browser's tabs share them: one holder at a time, the others wait in line. */
function openLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name: string, use: () => unknown) => {
      last = last.then(use);
      return last;
    },
  };
}

const failed: TrackResult = { status: 'pending' };
const delivered = { status: 'delivered', order: {} } as TrackResult;
const refused: TrackResult = { status: 'refused', error: { code: 'invalid_request', message: '' } };
const outbox = () => createOutbox(openStorage(), () => {});
const report = (body = 'order'): Waiting => ({ key: outboxPrefix + newId(), url: 'u', body, tries: 0 });

let page: Page;
let network: ReturnType<typeof openNetwork>;
const openTab = () => createDelivery(outbox(), network.post, navigator);

beforeEach(() => {
  vi.useFakeTimers();
  page = openPage('https://shop.example/');
  network = openNetwork();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a report is kept before it is sent, and sent before the call returns', () => {
  const keptWhenSent: number[] = [];
  const send = createDelivery(
    outbox(),
    () => {
      keptWhenSent.push(outbox().list().length);
      return new Promise(() => {});
    },
    navigator,
  );
  send(report());
  expect(keptWhenSent).toEqual([1]);
});

test.each([
  ['delivered', delivered],
  ['refused', refused],
])('a report that was %s is forgotten, and no other', async (_, outcome) => {
  const send = openTab();
  send(report('first'));
  send(report('second'));
  await network.sent[0]!.end(outcome);
  expect(
    outbox()
      .list()
      .map(({ body }) => body),
  ).toEqual(['second']);
});

test('no report waits behind another', () => {
  const send = openTab();
  for (const body of ['first', 'second', 'third']) send(report(body));
  expect(network.sent.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
});

test('a report that failed is tried again by itself until it is delivered, then never more', async () => {
  const send = openTab();
  const result = send(report());
  await network.sent[0]!.end(failed);
  expect(await result).toEqual(failed);
  await vi.advanceTimersByTimeAsync(600);
  await network.sent[1]!.end(failed);
  await vi.advanceTimersByTimeAsync(900);
  await network.sent[2]!.end(delivered);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(network.sent).toHaveLength(3);
  expect(outbox().list()).toEqual([]);
});

test('Retry-After is waited for', async () => {
  openTab()(report());
  await network.sent[0]!.end(failed, 2000);
  await vi.advanceTimersByTimeAsync(1900);
  expect(network.sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(350);
  expect(network.sent).toHaveLength(2);
});

test('a try that never ends is given up after 6.5 s', async () => {
  openTab()(report());
  await vi.advanceTimersByTimeAsync(6400);
  expect(network.sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(network.sent).toHaveLength(2);
});

test('a later page delivers at once what waits, and counts the tries on', async () => {
  openTab()(report());
  await network.sent[0]!.end(failed, 60_000);
  openTab();
  await vi.advanceTimersByTimeAsync(10);
  expect(network.sent).toHaveLength(2);
  expect(outbox().list()[0]!.tries).toBe(2);
});

test('a later page lets alone what the page before is still sending, until that would have ended', async () => {
  const left = report();
  outbox().set(left.key, { ...left, tries: 1, at: Date.now() + 6000, busy: true });
  openTab();
  await vi.advanceTimersByTimeAsync(5900);
  expect(network.sent).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(700);
  expect(network.sent).toHaveLength(1);
});

test('what waits goes out at once when the browser is online again', async () => {
  openTab()(report());
  await network.sent[0]!.end(failed, 60_000);
  page.window.dispatchEvent(new page.window.Event('online'));
  await vi.advanceTimersByTimeAsync(10);
  expect(network.sent).toHaveLength(2);
});

test.each<[string, () => void]>([
  ['hidden', () => page.setHidden(true)],
  ['gone', () => page.window.dispatchEvent(new page.window.Event('pagehide'))],
])('a page that is %s hands over what waits as one beacon, and keeps it', async (_, leave) => {
  const send = openTab();
  send(report('waits'));
  await network.sent[0]!.end(failed, 60_000);
  send(report('in the air'));
  leave();
  leave();
  expect(page.beacons).toEqual([{ url: 'u', body: 'waits' }]);
  expect(outbox().list()).toHaveLength(2);
});

test('a try that fails just before the page is gone goes on in Chromium: no beacon doubles it', async () => {
  openTab()(report());
  await network.sent[0]!.answer(failed);
  page.window.dispatchEvent(new page.window.Event('pagehide'));
  expect(page.beacons).toEqual([]);
  expect(outbox().list()).toHaveLength(1);
});

test('a beacon that the browser does not take leaves the report waiting', async () => {
  vi.stubGlobal('navigator', { sendBeacon: () => false });
  openTab()(report());
  await network.sent[0]!.end(failed);
  page.setHidden(true);
  await vi.advanceTimersByTimeAsync(600);
  expect(network.sent).toHaveLength(2);
});

test('two tabs send each retry once', async () => {
  vi.stubGlobal('navigator', { ...navigator, locks: openLocks() });
  const send = openTab();
  openTab();
  send(report());
  await network.sent[0]!.end(failed);
  page.window.dispatchEvent(new page.window.Event('online'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(network.sent).toHaveLength(2);
});

test('a tab whose locks are refused, as in sandboxed frames, sends all the same', async () => {
  vi.stubGlobal('navigator', {
    ...navigator,
    locks: { request: () => Promise.reject(new Error('SecurityError')) },
  });
  openTab()(report());
  await network.sent[0]!.end(failed);
  await vi.advanceTimersByTimeAsync(600);
  expect(network.sent).toHaveLength(2);
});

test('nothing runs while nothing waits', async () => {
  openTab()(report());
  await network.sent[0]!.end(delivered);
  await vi.advanceTimersByTimeAsync(7000);
  expect(vi.getTimerCount()).toBe(0);
});
