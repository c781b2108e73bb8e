import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Outcome } from '../src/answer';
import type { BrowserApis } from '../src/browser';
import { createDelivery } from '../src/delivery';
import { newId } from '../src/newId';
import { createOutbox, type WaitingReport } from '../src/outbox';
import type { Refusal } from '../src/result';
import { keyPrefix, openStorage } from '../src/storage';
import { openPage } from './page';

const teamId = 'team_1';
const hourMs = 3_600_000;

/** A network whose answers a test sends. */
function openNetwork() {
  type Answer = (result?: Outcome[1], retryAfterMs?: number) => Promise<void>;
  const sent: {
    body: Record<string, unknown>;
    timeoutMs: number;
    outlives: boolean;
    answer: Answer;
    end: Answer;
  }[] = [];
  const beacons: unknown[] = [];
  return {
    sent,
    beacons,
    _post: ({ body }: { body: string }, timeoutMs: number, outlives: boolean) =>
      new Promise<Outcome>((resolve) => {
        const answer: Answer = async (result, retryAfterMs) => {
          resolve(result ? [retryAfterMs, result] : [retryAfterMs]);
          await vi.advanceTimersByTimeAsync(1);
        };
        const end: Answer = async (...outcome) => {
          await answer(...outcome);
          // The delivery handles a failure 50 ms later.
          await vi.advanceTimersByTimeAsync(50);
        };
        sent.push({ body: JSON.parse(body), timeoutMs, outlives, answer, end });
      }),
    _beacon: (body: string) => beacons.push(JSON.parse(body)) > 0,
  };
}

const failed = undefined;
const delivered = { status: 'delivered', order: {} } as Outcome[1];
const refused = (code: Refusal['code']) =>
  ({ status: 'refused', error: { code, message: 'No.' } }) as Outcome[1];
function outbox() {
  const box = createOutbox(openStorage(globalThis), teamId);
  box._refresh();
  return box;
}
const report = (fields: object = {}): WaitingReport => ({
  key: keyPrefix + newId(globalThis),
  body: JSON.stringify({ teamId, ...fields }),
  tries: 0,
});
const waiting = () => outbox()._list();

let network: ReturnType<typeof openNetwork>;
let refusals: Refusal[];
const openTab = (box = outbox()) =>
  createDelivery(globalThis as unknown as BrowserApis, box, network, (error) => {
    refusals.push(error);
    return { status: 'refused', error };
  });

beforeEach(() => {
  vi.useFakeTimers();
  openPage('https://shop.example/');
  network = openNetwork();
  refusals = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a report is kept before it is sent, and sent before the call returns', () => {
  const keptWhenSent: number[] = [];
  network._post = () => {
    keptWhenSent.push(waiting().length);
    return new Promise(() => {});
  };
  openTab()._send(report());
  expect(keptWhenSent).toEqual([1]);
});

test.each([
  ['delivered', delivered],
  ['refused for good', refused('invalid_request')],
])('a report that was %s is removed, and no other; its final listener is called', async (_, outcome) => {
  const tab = openTab();
  const first = report({ name: 'first' });
  const notices: unknown[] = [];
  tab._finalListeners[first.key] = (result) => notices.push(result);
  tab._send(first);
  tab._send(report({ name: 'second' }));
  await network.sent[0]!.end(outcome);
  expect(waiting().map(({ body }) => JSON.parse(body).name)).toEqual(['second']);
  expect(notices).toEqual([outcome]);
});

describe('the time between two tries', () => {
  const counts = Array.from({ length: 40 }, (_, count) => count);

  /** Measures the waits after each number of failures, and the time limit of the next try. */
  async function waitsOf(random: number, retryAfterMs?: number) {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    onTestFinished(() => void vi.restoreAllMocks());
    const waits = [];
    for (const tries of counts) {
      const left = { ...report(), tries };
      openTab()._send(left);
      await network.sent.at(-1)!.end(failed, retryAfterMs);
      waits.push(outbox()._get(left.key)!.at! - Date.now());
      outbox()._remove(left.key);
    }
    return waits.map((wait) => wait + 1);
  }

  test('is at least 0.5 s, grows with each failure until it is 48 s, and a tenth is added by chance', async () => {
    const waits = await waitsOf(0);
    expect(waits[0]).toBeGreaterThanOrEqual(500);
    expect(waits[0]).toBeLessThan(600);
    expect(waits.slice(0, 11).every((wait, at) => wait < waits[at + 1]!)).toBe(true);
    expect(waits.at(-1)).toBe(48_000);
    const longest = await waitsOf(1);
    expect(longest.slice(0, 3).reduce((sum, wait) => sum + wait)).toBeLessThan(3000);
    expect(Math.round(longest.at(-1)!)).toBe(52_800);
  });

  test('is what Retry-After asks for, also after many failures: 2 s are 2.0 to 2.2 s', async () => {
    for (const wait of [...(await waitsOf(0, 2000)), ...(await waitsOf(1, 2000))]) {
      expect(wait).toBeGreaterThanOrEqual(2000);
      expect(wait).toBeLessThanOrEqual(2201);
    }
  });

  test('a try may take 6, 12, 24 and then 48 s', () => {
    for (const tries of [0, 1, 2, 3, 4, 500]) openTab()._send({ ...report(), tries });
    expect(network.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([
      6000, 12_000, 24_000, 48_000, 48_000, 48_000,
    ]);
  });
});

test('no report waits behind another', () => {
  const tab = openTab();
  for (const name of ['first', 'second', 'third']) tab._send(report({ name }));
  expect(network.sent.map(({ body }) => body.name)).toEqual(['first', 'second', 'third']);
});

test('a report that failed is tried again by itself until it is delivered, then never more', async () => {
  const result = openTab()._send(report());
  await network.sent[0]!.end(failed);
  expect(await result).toEqual(failed);
  await vi.advanceTimersByTimeAsync(600);
  await network.sent[1]!.end(failed);
  await vi.advanceTimersByTimeAsync(900);
  await network.sent[2]!.end(delivered);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(network.sent).toHaveLength(3);
  expect(waiting()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

describe('Retry-After', () => {
  test('is kept across tabs, pages and visibility', async () => {
    const tab = openTab();
    tab._send(report());
    await network.sent[0]!.end(failed, hourMs);
    for (let count = 0; count < 10; count++) {
      tab._sendBeacons();
      tab._sendWaiting();
      openTab()._sendWaiting();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect([network.sent.length, network.beacons.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(hourMs - 20_000);
    expect(network.sent).toHaveLength(1);
    while (network.sent.length === 1) await vi.advanceTimersByTimeAsync(1000);
    expect(network.sent).toHaveLength(2);
  });
});

test('a later page sends the waiting reports immediately, and continues to count their tries', async () => {
  openTab()._send(report());
  await network.sent[0]!.end(failed);
  openTab()._sendWaiting();
  await vi.advanceTimersByTimeAsync(10);
  expect(network.sent).toHaveLength(2);
  expect(waiting()[0]!.tries).toBe(2);
});

test('a later page does not send a report that the page before has in flight, until its time-out', async () => {
  const left = report();
  outbox()._put({ ...left, tries: 1, at: Date.now() + 6500, busy: true });
  const tab = openTab();
  tab._sendWaiting();
  tab._schedule();
  await vi.advanceTimersByTimeAsync(6400);
  expect(network.sent).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(network.sent).toHaveLength(1);
});

describe('a page that may be gone in a moment', () => {
  test('sends each report without an answer as one beacon and by one fetch, and keeps it', async () => {
    const tab = openTab();
    tab._send(report({ name: 'waits' }));
    await network.sent[0]!.end(failed);
    tab._send(report({ name: 'in the air' }));
    tab._sendBeacons();
    tab._sendBeacons();
    const handedOver = ['in the air', 'waits'];
    expect(network.beacons.map((body) => (body as { name: string }).name).sort()).toEqual(handedOver);
    const fetched = network.sent.slice(2);
    // A report in flight has its fetch already.
    expect(fetched.map(({ body, outlives }) => [body.name, outlives])).toEqual([['waits', true]]);
    expect(waiting()).toHaveLength(2);
  });

  test('keeps nothing in flight: the next page sends immediately', async () => {
    openTab()._send(report());
    const left = openTab(); // Another page cannot know that this one is gone.
    left._sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    expect(network.sent).toHaveLength(1);
    const leaving = openTab();
    leaving._send(report({ name: 'left' }));
    leaving._sendBeacons();
    const before = network.sent.length;
    openTab()._sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    expect(network.sent.slice(before).map(({ body }) => body.name)).toEqual(['left']);
  });

  test('sends a try again that failed just before: Chromium may have cut it off with the page', async () => {
    const tab = openTab();
    tab._send(report());
    await network.sent[0]!.answer(failed);
    tab._sendBeacons();
    expect(network.beacons).toEqual([{ teamId }]);
    expect(waiting()).toHaveLength(1);
  });
});

test('every other try does without keepalive, whose total other tools may have used up', async () => {
  openTab()._send(report());
  for (let index = 0; index < 4; index++) {
    await network.sent[index]!.end(failed);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(network.sent.slice(0, 4).map(({ outlives }) => outlives)).toEqual([true, false, true, false]);
});

describe('two tabs', () => {
  test('send each retry once', async () => {
    const [one, two] = [openTab(), openTab()];
    one._send(report());
    await network.sent[0]!.end(failed);
    one._sendWaiting();
    two._sendWaiting();
    await vi.advanceTimersByTimeAsync(1000);
    expect(network.sent).toHaveLength(2);
  });

  test('do not bring back a report that the other has delivered meanwhile', async () => {
    const box = outbox();
    const sent = report();
    openTab(box)._send(sent);
    box._remove(sent.key);
    await network.sent[0]!.end(failed);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network.sent).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  test('keep out of a retry the visitor that the other has taken out', async () => {
    openTab()._send(report({ visitorId: 'v' }));
    outbox()._dropVisitor();
    await network.sent[0]!.end(failed);
    await vi.advanceTimersByTimeAsync(600);
    expect(network.sent[1]!.body).toEqual({ teamId });
  });
});

describe('refusals', () => {
  test('a report that is too large is sent again immediately without its items and other long fields', async () => {
    const cart = { lines: 'x'.repeat(70_000) };
    const result = openTab()._send(
      report({ amount: 1, items: Array(600).fill({}), cart, name: 'y'.repeat(99_000) }),
    );
    await network.sent[0]!.end(refused('payload_too_large'));
    expect(network.sent[1]!.body).toEqual({ teamId, amount: 1, cart: {} });
    expect(refusals).toEqual([]);
    await network.sent[1]!.end(delivered);
    expect(await result).toEqual(delivered);
    expect(waiting()).toEqual([]);
  });

  test('a report that is too large without items is refused for good', async () => {
    openTab()._send(report());
    await network.sent[0]!.end(refused('payload_too_large'));
    expect(refusals).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  test('a report whose refusal can be fixed is kept and tried once an hour at most, for 72 hours', async () => {
    let tries = 0;
    network._post = async () => {
      tries++;
      return [hourMs, refused('domain_not_allowed')!];
    };
    const from = Date.now();
    const tab = openTab();
    const result = tab._send(report());
    await vi.advanceTimersByTimeAsync(100);
    expect(await result).toMatchObject({ status: 'refused', error: { code: 'domain_not_allowed' } });
    while (waiting().length > 0) {
      tab._sendWaiting();
      await vi.advanceTimersByTimeAsync(hourMs / 4);
    }
    const hours = (Date.now() - from) / hourMs;
    expect(hours).toBeGreaterThan(71);
    expect(hours).toBeLessThan(75);
    expect(tries).toBeLessThanOrEqual(hours + 1);
    expect(tries).toBeGreaterThan(hours / 2);
    expect(refusals.at(-1)).toEqual({ code: 'unavailable', message: 'unavailable' });
  });
});

describe('clocks that jump', () => {
  test('a report from years ago, by a clock that was wrong, is tried before it is given up', async () => {
    const old = report();
    outbox()._put({ ...old, tries: 3, at: 5, since: 0 });
    openTab()._sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    expect(network.sent).toHaveLength(1);
    await network.sent[0]!.end(delivered);
    expect(refusals).toEqual([]);
    expect(waiting()).toEqual([]);
  });

  test('a report is given up when its first try was 72 hours ago and one more has failed', async () => {
    outbox()._put({ ...report(), tries: 3, at: Date.now() - hourMs, since: Date.now() - 72 * hourMs - 1 });
    openTab()._sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    await network.sent[0]!.end(failed);
    expect(refusals).toEqual([{ code: 'unavailable', message: 'unavailable' }]);
    expect(waiting()).toEqual([]);
  });

  test.each([
    ['four days back', -96 * hourMs],
    ['four days ahead', 96 * hourMs],
    ['years ahead', 40 * 8_760 * hourMs],
  ])('a clock that is set %s between two tries makes no report too old', async (_, jumpMs) => {
    openTab()._send(report());
    await network.sent[0]!.end(failed);
    await vi.advanceTimersByTimeAsync(100);
    vi.setSystemTime(Date.now() + jumpMs);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(network.sent).toHaveLength(2);
    await network.sent[1]!.end(failed);
    await vi.advanceTimersByTimeAsync(100);
    expect(refusals).toEqual([]);
    expect(waiting()).toHaveLength(1);
    // After that it is given up after two to three days, like any other.
    expect(Math.abs(waiting()[0]!.since! - Date.now())).toBeLessThan(25 * hourMs);
  });
});
