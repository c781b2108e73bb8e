import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  type Answer = (...outcome: Outcome) => Promise<void>;
  const sent: {
    body: Record<string, unknown>;
    timeoutMs: number;
    outlives: boolean;
    answer: Answer;
    end: Answer;
  }[] = [];
  const beacons: unknown[] = [];
  let takesBeacons = true;
  return {
    sent,
    beacons,
    refuseBeacons: () => {
      takesBeacons = false;
    },
    post: (body: string, timeoutMs: number, outlives: boolean) =>
      new Promise<Outcome>((resolve) => {
        const answer: Answer = async (...outcome) => {
          resolve(outcome);
          await vi.advanceTimersByTimeAsync(1);
        };
        const end: Answer = async (...outcome) => {
          await answer(...outcome);
          // The delivery handles a failure 50 ms later.
          await vi.advanceTimersByTimeAsync(50);
        };
        sent.push({ body: JSON.parse(body), timeoutMs, outlives, answer, end });
      }),
    beacon: (body: string) => takesBeacons && beacons.push(JSON.parse(body)) > 0,
  };
}

/** Web Locks that the tabs of one browser share, with one holder at a time. */
function openLocks() {
  let isHeld = false;
  return {
    request: async (_name: string, _options: object, use: (lock: unknown) => unknown) => {
      if (isHeld) return use(null);
      isHeld = true;
      await use({});
      isHeld = false;
    },
  };
}

const failed = { status: 'pending' } as const;
const delivered = { status: 'delivered', order: {} } as Outcome[0];
const refused = (code: Refusal['code']) =>
  ({ status: 'refused', error: { code, message: 'No.' } }) as Outcome[0];
function outbox() {
  const box = createOutbox(openStorage(globalThis), teamId);
  box.refresh();
  return box;
}
const report = (fields: object = {}): WaitingReport => ({
  key: keyPrefix + newId(globalThis),
  body: JSON.stringify({ teamId, ...fields }),
  tries: 0,
});
const waiting = () => outbox().list();

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
  network.post = () => {
    keptWhenSent.push(waiting().length);
    return new Promise(() => {});
  };
  openTab().send(report());
  expect(keptWhenSent).toEqual([1]);
});

test.each([
  ['delivered', delivered],
  ['refused for good', refused('invalid_request')],
])('a report that was %s is removed, and no other; its final listener is called', async (_, outcome) => {
  const tab = openTab();
  const first = report({ name: 'first' });
  const told: unknown[] = [];
  tab.onFinal(first.key, (result) => told.push(result));
  tab.send(first);
  tab.send(report({ name: 'second' }));
  await network.sent[0]!.end(outcome);
  expect(waiting().map(({ body }) => JSON.parse(body).name)).toEqual(['second']);
  expect(told).toEqual([outcome]);
});

test('no report waits behind another', () => {
  const tab = openTab();
  for (const name of ['first', 'second', 'third']) tab.send(report({ name }));
  expect(network.sent.map(({ body }) => body.name)).toEqual(['first', 'second', 'third']);
});

test('a report that failed is tried again by itself until it is delivered, then never more', async () => {
  const result = openTab().send(report());
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

test('the time that a try may take grows: 6, 12, 24, 48 s', async () => {
  openTab().send(report());
  for (let index = 0; index < 5; index++) {
    await network.sent[index]!.end(failed);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(network.sent.slice(0, 5).map(({ timeoutMs }) => timeoutMs)).toEqual([
    6000, 12_000, 24_000, 48_000, 48_000,
  ]);
});

describe('Retry-After', () => {
  test('is waited for', async () => {
    openTab().send(report());
    await network.sent[0]!.end(failed, 2000);
    await vi.advanceTimersByTimeAsync(1900);
    expect(network.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(350);
    expect(network.sent).toHaveLength(2);
  });

  test('is kept across tabs, pages and visibility', async () => {
    const tab = openTab();
    tab.send(report());
    await network.sent[0]!.end(failed, hourMs);
    for (let count = 0; count < 10; count++) {
      tab.sendBeacons();
      tab.sendWaiting();
      openTab().sendWaiting();
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
  openTab().send(report());
  await network.sent[0]!.end(failed);
  openTab().sendWaiting();
  await vi.advanceTimersByTimeAsync(10);
  expect(network.sent).toHaveLength(2);
  expect(waiting()[0]!.tries).toBe(2);
});

test('a later page does not send a report that the page before has in flight, until its time-out', async () => {
  const left = report();
  outbox().put({ ...left, tries: 1, at: Date.now() + 6500, busy: true });
  const tab = openTab();
  tab.sendWaiting();
  tab.schedule();
  await vi.advanceTimersByTimeAsync(6400);
  expect(network.sent).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(network.sent).toHaveLength(1);
});

describe('a page that may be gone in a moment', () => {
  test('sends each report without an answer as one beacon and by one fetch, and keeps it', async () => {
    const tab = openTab();
    tab.send(report({ name: 'waits' }));
    await network.sent[0]!.end(failed);
    tab.send(report({ name: 'in the air' }));
    tab.sendBeacons();
    tab.sendBeacons();
    const handedOver = ['in the air', 'waits'];
    expect(network.beacons.map((body) => (body as { name: string }).name).sort()).toEqual(handedOver);
    const fetched = network.sent.slice(2);
    // What is in the air has its fetch already.
    expect(fetched.map(({ body, outlives }) => [body.name, outlives])).toEqual([['waits', true]]);
    expect(waiting()).toHaveLength(2);
  });

  test('keeps nothing in flight: the next page sends immediately', async () => {
    openTab().send(report());
    const left = openTab(); // Another page cannot know that this one is gone.
    left.sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    expect(network.sent).toHaveLength(1);
    const leaving = openTab();
    leaving.send(report({ name: 'left' }));
    leaving.sendBeacons();
    const before = network.sent.length;
    openTab().sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    expect(network.sent.slice(before).map(({ body }) => body.name)).toEqual(['left']);
  });

  test('sends a try again that failed just before: Chromium may have cut it off with the page', async () => {
    const tab = openTab();
    tab.send(report());
    await network.sent[0]!.answer(failed);
    tab.sendBeacons();
    expect(network.beacons).toEqual([{ teamId }]);
    expect(waiting()).toHaveLength(1);
  });

  test('keeps a report whose beacon the browser does not take, and tries it again', async () => {
    const tab = openTab();
    tab.send(report());
    await network.sent[0]!.end(failed);
    network.refuseBeacons();
    tab.sendBeacons();
    await network.sent[1]!.end(failed);
    await vi.advanceTimersByTimeAsync(1000);
    expect(network.sent).toHaveLength(3);
  });
});

test('every other try does without keepalive, whose total other tools may have used up', async () => {
  openTab().send(report());
  for (let index = 0; index < 4; index++) {
    await network.sent[index]!.end(failed);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(network.sent.slice(0, 4).map(({ outlives }) => outlives)).toEqual([true, false, true, false]);
});

describe('two tabs', () => {
  test('send each retry once', async () => {
    vi.stubGlobal('navigator', { locks: openLocks() });
    const [one, two] = [openTab(), openTab()];
    one.send(report());
    await network.sent[0]!.end(failed);
    one.sendWaiting();
    two.sendWaiting();
    await vi.advanceTimersByTimeAsync(1000);
    expect(network.sent).toHaveLength(2);
  });

  test('do not bring back a report that the other has delivered meanwhile', async () => {
    const box = outbox();
    const sent = report();
    openTab(box).send(sent);
    box.remove(sent.key);
    await network.sent[0]!.end(failed);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network.sent).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  test('keep out of a retry the visitor that the other has taken out', async () => {
    openTab().send(report({ visitorId: 'v' }));
    outbox().dropVisitor();
    await network.sent[0]!.end(failed);
    await vi.advanceTimersByTimeAsync(600);
    expect(network.sent[1]!.body).toEqual({ teamId });
  });
});

describe('refusals', () => {
  test('a report that is too large is sent again immediately without its items and other long fields', async () => {
    const cart = { lines: 'x'.repeat(70_000) };
    const result = openTab().send(
      report({ amount: 1, items: Array(600).fill({}), cart, name: 'y'.repeat(99_000) }),
    );
    await network.sent[0]!.end(refused('payload_too_large'));
    expect(network.sent[1]!.body).toEqual({ teamId, amount: 1 });
    expect(refusals).toEqual([]);
    await network.sent[1]!.end(delivered);
    expect(await result).toEqual(delivered);
    expect(waiting()).toEqual([]);
  });

  test('a report that is too large is sent without its items where a library extends every object', async () => {
    const objects = Object.prototype as { extend?: () => void };
    objects.extend = () => {};
    openTab().send(report({ amount: 1, items: Array(600).fill({}) }));
    await network.sent[0]!.end(refused('payload_too_large'));
    delete objects.extend;
    expect(network.sent[1]!.body).toEqual({ teamId, amount: 1 });
  });

  test('a report that is too large without items is refused for good', async () => {
    openTab().send(report());
    await network.sent[0]!.end(refused('payload_too_large'));
    expect(refusals).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  test('a report whose refusal can be fixed is kept and tried once an hour at most, for 72 hours', async () => {
    let tries = 0;
    network.post = async () => {
      tries++;
      return [refused('domain_not_allowed'), hourMs];
    };
    const from = Date.now();
    const tab = openTab();
    const result = tab.send(report());
    await vi.advanceTimersByTimeAsync(100);
    expect(await result).toMatchObject({ status: 'refused', error: { code: 'domain_not_allowed' } });
    while (waiting().length > 0) {
      tab.sendWaiting();
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
    outbox().put({ ...old, tries: 3, at: 5, since: 0 });
    openTab().sendWaiting();
    await vi.advanceTimersByTimeAsync(10);
    expect(network.sent).toHaveLength(1);
    await network.sent[0]!.end(delivered);
    expect(refusals).toEqual([]);
    expect(waiting()).toEqual([]);
  });

  test('a report is given up when its first try was 72 hours ago and one more has failed', async () => {
    outbox().put({ ...report(), tries: 3, at: Date.now() - hourMs, since: Date.now() - 72 * hourMs - 1 });
    openTab().sendWaiting();
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
    openTab().send(report());
    await network.sent[0]!.end(failed);
    await vi.advanceTimersByTimeAsync(100);
    vi.setSystemTime(Date.now() + jumpMs);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(network.sent).toHaveLength(2);
    await network.sent[1]!.end(failed);
    await vi.advanceTimersByTimeAsync(100);
    expect(refusals).toEqual([]);
    expect(waiting()).toHaveLength(1);
    // From then on it is given up after two to three days, as any other one.
    expect(Math.abs(waiting()[0]!.since! - Date.now())).toBeLessThan(25 * hourMs);
  });

  test.each([true, false])(
    'a day ahead when the page closed, busy %s: the next page sends immediately',
    async (busy) => {
      outbox().put({ ...report(), tries: 1, at: Date.now() + 24 * hourMs, busy });
      openTab().sendWaiting();
      await vi.advanceTimersByTimeAsync(10);
      expect(network.sent).toHaveLength(1);
    },
  );

  test('set back during a retry: the page goes on', async () => {
    openTab().send(report());
    await network.sent[0]!.end(failed);
    vi.setSystemTime(Date.now() - hourMs / 2);
    await vi.advanceTimersByTimeAsync(600);
    expect(network.sent).toHaveLength(2);
  });
});
