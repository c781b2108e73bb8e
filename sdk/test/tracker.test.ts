import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTracker } from '../src/index';
import { wireTracker } from '../src/tracker';
import { accept, type Collector, refuse, startCollector } from './collector';
import { openPage, type Page } from './page';

const teamId = 'team_01h455vb4pex5vsknk084sn02q';
const order = { email: 'ann@shop.example', amount: 49.9, orderId: '1001' };

let collector: Collector;
let page: Page;
beforeEach(async () => {
  collector = await startCollector();
  page = openPage('https://shop.example/thanks');
});
afterEach(async () => {
  await collector.close();
  vi.unstubAllGlobals();
});

const create = () => createTracker({ teamId, endpoint: collector.origin });
const waiting = () => Object.keys(localStorage).filter((key) => key.startsWith('orderbeacon:'));

test('an order is delivered with team, visitor, report id and version, and the answer comes back', async () => {
  const tracker = create();
  const result = await tracker.track('order', { ...order, source: 'stripe' });
  expect(result).toMatchObject({ status: 'delivered', order: { orderNumber: 'ORD-1', amount: 49.9 } });
  expect(collector.received.map(({ report }) => report)).toEqual([
    {
      ...order,
      source: 'stripe',
      teamId,
      visitorId: tracker.visitorId,
      landings: expect.stringMatching(/^[\w+/]+=*$/),
      reportId: expect.stringMatching(/^orderbeacon:\w{9,52}$/),
      sdkVersion: 'dev',
    },
  ]);
  expect(waiting()).toEqual([]);
  expect(page.beacons).toEqual([]);
});

test('the signature of a signed page is sent as it was given', async () => {
  const signature = 'ab'.repeat(32);
  await create().track('order', { ...order, amount: '49.90', currency: 'EUR', signature });
  expect(collector.received[0]!.report).toMatchObject({
    ...order,
    amount: '49.90',
    currency: 'EUR',
    signature,
  });
});

test('it is text, so that no preflight is needed across origins', async () => {
  await create().track('order', order);
  expect(collector.received[0]!.contentType).toBe('text/plain;charset=UTF-8');
});

test('each try says when it is sent, and the report’s id when the call was made, both by the page’s clock', async () => {
  const calledMs = Date.UTC(2026, 4, 1);
  vi.useFakeTimers({ toFake: ['Date'], now: calledMs });
  onTestFinished(() => void vi.useRealTimers());
  collector.answer(refuse(503, 'unavailable', 'Later.'));
  await create().track('order', order);
  const laterMs = calledMs + 3_600_000;
  vi.setSystemTime(laterMs);
  collector.answer(accept);
  create();
  await collector.until(2);
  expect(collector.received.slice(0, 2).map(({ path }) => path)).toEqual([
    `/svc-api/v1/orders?${calledMs}`,
    `/svc-api/v1/orders?${laterMs}`,
  ]);
  expect(collector.received[1]!.report.reportId).toMatch(`orderbeacon:${calledMs.toString(36)}`);
});

test('a beacon says so, too', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  create().track('order', order);
  page.setHidden(true);
  expect(page.beacons.map(({ url }) => url)).toEqual([
    expect.stringMatching(/\/svc-api\/v1\/orders\?\d{13}$/),
  ]);
});

test('a proxy’s page that asks for time is heeded', async () => {
  collector.answer((response) => response.writeHead(503, { 'Retry-After': '600' }).end('<h1>Busy</h1>'));
  await create().track('order', order);
  const { at, busy } = JSON.parse(localStorage.getItem(waiting()[0]!)!);
  expect([busy, at > Date.now() + 500_000]).toEqual([true, true]);
});

test('an order costs three writes to the storage: before it is sent, and two when it was answered', async () => {
  const tracker = create();
  const written = [vi.spyOn(localStorage, 'setItem'), vi.spyOn(localStorage, 'removeItem')];
  expect(await tracker.track('order', order)).toMatchObject({ status: 'delivered' });
  const ofOrders = written.map(({ mock }) => mock.calls.filter(([key]) => key.startsWith('orderbeacon:')));
  expect(ofOrders.map((calls) => calls.length)).toEqual([2, 1]);
});

test('an order that was answered leaves no timer', async () => {
  // Counts only this tracker's timers, because trackers of other tests may still try again.
  const timers = new Set<unknown>();
  const browser = Object.assign(Object.create(page.window), {
    setTimeout(run: () => void, ms: number) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
      return timer;
    },
    clearTimeout(timer: NodeJS.Timeout) {
      timers.delete(timer);
      clearTimeout(timer);
    },
    // Node's fetch rejects the signal of another window.
    AbortController,
    fetch,
  });
  const track = wireTracker(browser, teamId, collector.origin, false);
  expect(await track('order', order)).toMatchObject({ status: 'delivered' });
  expect(timers.size).toBe(0);
});

describe('tried again with the same report id, until it is delivered', () => {
  test.each<[string, Parameters<Collector['answer']>[0]]>([
    ['503', refuse(503, 'unavailable', 'later')],
    ['a proxy’s 404', (response) => response.writeHead(404).end('<h1>Not found</h1>')],
    [
      'a redirect that leads to a page',
      (response) => response.writeHead(302, { Location: 'data:text/html,hi' }).end(),
    ],
    [
      'an answer that is cut off',
      (response) => response.writeHead(200, { 'Content-Length': 99 }).write('{', () => response.destroy()),
    ],
    ['a connection that breaks', (response) => response.destroy()],
  ])('%s', async (fault, answer) => {
    collector.answer(answer);
    const result = await create().track('order', order);
    expect(result).toEqual({ status: 'pending', final: expect.any(Promise) });
    expect(waiting()).toHaveLength(1);
    collector.answer(accept);
    expect(await (result as { final: Promise<unknown> }).final).toMatchObject({ status: 'delivered' });
    const [first, second] = collector.received;
    expect(second!.report).toEqual(first!.report);
    expect(waiting()).toEqual([]);
    // If a server has not answered at all, the browser itself prints a line.
    const isForeign = ['a proxy’s 404', 'an answer that is cut off'].includes(fault);
    expect(page.errors).toEqual(
      isForeign ? [`orderbeacon: no orderbeacon: ${collector.origin}/svc-api/v1/orders`] : [],
    );
  });
});

describe('refused', () => {
  test('for good: the page and the console are told, once, and nothing waits', async () => {
    const error = { code: 'invalid_request', message: 'Invalid: email.' };
    collector.answer(refuse(400, error.code, error.message));
    expect(await create().track('order', order)).toEqual({ status: 'refused', error });
    expect(page.errors).toEqual([`orderbeacon: order refused: ${error.message}`]);
    expect(waiting()).toEqual([]);
    expect(collector.received).toHaveLength(1);
  });

  test('a domain that is not allowed: the console says so, and the report is kept', async () => {
    collector.answer(refuse(403, 'domain_not_allowed', 'Domain not allowed'));
    expect(await create().track('order', order)).toMatchObject({ error: { code: 'domain_not_allowed' } });
    expect(page.errors).toEqual(['orderbeacon: order refused: Domain not allowed']);
    expect(waiting()).toHaveLength(1);
    create();
    await vi.waitFor(() => expect(waiting()).toHaveLength(1));
    expect(collector.received).toHaveLength(1);
  });

  test.each([
    ['as their characters tell: they are never sent', 'x'.repeat(200), 1],
    ['as the server says', '\u20ac'.repeat(100), 2],
  ])('an order whose items are too many bytes arrives without them, %s', async (_, name, requests) => {
    collector.answer((response, report) =>
      report.items ? refuse(413, 'payload_too_large', 'Large.')(response, report) : accept(response, report),
    );
    const items = Array.from({ length: 400 }, () => ({ name }));
    expect(await create().track('order', { ...order, items })).toMatchObject({ status: 'delivered' });
    expect(collector.received).toHaveLength(requests);
    const { report } = collector.received.at(-1)!;
    expect(report).toEqual({ ...collector.received[0]!.report, items: undefined });
    expect(report).toMatchObject(order);
    expect(page.errors).toEqual([]);
  });

  test('a call that is none of ours is never sent', async () => {
    const { track } = create();
    expect(await track('purchase' as 'order', order)).toMatchObject({ status: 'refused' });
    expect(page.errors).toEqual(['orderbeacon: order refused: track() has no purchase']);
    expect(collector.received).toEqual([]);
  });

  test('an order that throws when it is read is refused, whatever it throws', async () => {
    const { track } = create();
    for (const thrown of [new Error('no'), null, undefined]) {
      const ownKeys = () => {
        throw thrown;
      };
      const hostile = new Proxy(order, { ownKeys });
      expect(await track('order', hostile)).toMatchObject({ status: 'refused' });
    }
    expect(collector.received).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['is gone', () => vi.stubGlobal('console', {})],
    [
      'throws',
      () =>
        vi.spyOn(console, 'error').mockImplementation(() => {
          throw new Error('no console');
        }),
    ],
  ])('a page whose console %s gets its orders stored, and its refusals as results', async (_, happen) => {
    const { track } = create();
    happen();
    expect(await track('order', { ...order, orderId: null })).toMatchObject({ status: 'delivered' });
    collector.answer(refuse(400, 'invalid_request', 'Invalid: email.'));
    expect(await track('order', order)).toMatchObject({ status: 'refused' });
    expect(await track('purchase' as 'order', order)).toMatchObject({ status: 'refused' });
  });
});

test.each([undefined, null, '', '  '])('an orderId of %j warns always', async (orderId) => {
  const { track } = create();
  await track('order', { ...order, orderId });
  await track('order', { ...order, orderId });
  expect(page.errors).toEqual(Array(2).fill('orderbeacon: no orderId'));
  expect(collector.received).toHaveLength(2);
});

describe('consent', () => {
  test.each(['denied', 'false', 'true', 1, { granted: true }, null, undefined])('%j is no', async (given) => {
    const tracker = create();
    await tracker.track('consent', given as never);
    expect(tracker.visitorId).toBeUndefined();
    await tracker.track('order', order);
    expect(collector.received[0]!.report).not.toHaveProperty('visitorId');
  });

  test('true is yes', async () => {
    const tracker = create();
    await tracker.track('consent', false);
    await tracker.track('consent', true);
    expect(tracker.visitorId).toMatch(/^\w{9,}$/);
  });

  test('a report that still waits loses its visitor when consent goes', async () => {
    collector.answer((response) => response.destroy());
    const { track } = create();
    await track('order', order);
    expect(collector.received[0]!.report).toHaveProperty('visitorId');
    await track('consent', false);
    collector.answer(accept);
    await collector.until(2);
    expect(collector.received[1]!.report).not.toHaveProperty('visitorId');
    expect(collector.received[1]!.report).not.toHaveProperty('landings');
  });
});

test('a fetch that never ends, and knows no signal, holds up nobody for more than 6 s', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const result = create().track('order', order);
  await vi.advanceTimersByTimeAsync(6100);
  vi.useRealTimers();
  expect(await result).toMatchObject({ status: 'pending' });
  expect(waiting()).toHaveLength(1);
});

describe('pages odder still', () => {
  const storageEvent = (key: string, newValue: string | null) =>
    page.window.dispatchEvent(Object.assign(new page.window.Event('storage'), { key, newValue }));

  test('another tab that clears the storage key by key takes no order that waits here', async () => {
    collector.answer((response) => response.destroy());
    const { track } = create();
    await track('order', order);
    const [key] = waiting();
    localStorage.removeItem(key!);
    storageEvent(key!, null);
    collector.answer(accept);
    await collector.until(2);
    expect(collector.received[1]!.report.reportId).toBe(key);
    await expect.poll(() => localStorage.getItem(key!)).toBeNull();
  });

  test('an order that another tab has delivered is not sent again, nor kept if this page stored it meanwhile', async () => {
    collector.answer((response) => response.destroy());
    const { track } = create();
    await track('order', order);
    const [key] = waiting();
    storageEvent(key!, '0');
    expect(localStorage.getItem(key!)).toBeNull();
    storageEvent(key!, null);
    page.setHidden(true);
    expect(page.beacons).toEqual([]);
    await expect.poll(() => localStorage.getItem(key!)).toBeNull();
    expect(collector.received).toHaveLength(1);
  });

  test('the removal of an answered order is told to other tabs by a text that no clearing writes', async () => {
    const written = vi.spyOn(localStorage, 'setItem');
    const removed = vi.spyOn(localStorage, 'removeItem');
    await create().track('order', order);
    const [key, text] = written.mock.lastCall!;
    expect([key, text]).toEqual([removed.mock.lastCall![0], '0']);
  });

  test.each<[string, object]>([
    ['has no AbortController', { AbortController: undefined }],
    [
      'has an AbortController that throws',
      {
        AbortController: class {
          constructor() {
            throw new TypeError('Illegal constructor');
          }
        },
      },
    ],
    [
      'has a fetch whose answers have no headers',
      {
        async fetch(url: string, init: RequestInit) {
          const answer = await fetch(url, init);
          return { status: answer.status, json: () => answer.json() };
        },
      },
    ],
    [
      'has a Date.now that gives a Date without a usable toString',
      {
        Date: {
          now() {
            const date = new Date();
            date.toString = () => {
              throw new TypeError('replace is not a function');
            };
            return date;
          },
        },
      },
    ],
  ])('a page that %s delivers, also after a failure', async (_, odd) => {
    const browser = Object.assign(Object.create(globalThis, { crypto: { value: crypto } }), odd);
    collector.answer((response) => response.destroy());
    const track = wireTracker(browser, teamId, collector.origin, false);
    const result = (await track('order', order)) as { final: Promise<unknown> };
    collector.answer(accept);
    expect(await result.final).toMatchObject({ status: 'delivered' });
  });

  test('20,000 keys of the shop are looked at when the page opens, and by no call', async () => {
    for (let count = 0; count < 20_000; count++) localStorage.setItem(`shop:${count}`, 'x');
    const { track } = create();
    const listed = vi.spyOn(Object, 'keys');
    await track('order', order);
    expect(listed.mock.calls.filter(([object]) => object === localStorage)).toEqual([]);
  });

  test('team, visitor and ids come first in a report, before what may be cut off', async () => {
    await create().track('order', { ...order, cart: 'x'.repeat(30_000) } as never);
    expect(Object.keys(collector.received[0]!.report).slice(0, 5)).toEqual([
      'teamId',
      'visitorId',
      'landings',
      'reportId',
      'sdkVersion',
    ]);
  });
});

test('a page whose fetch and beacon throw keeps the report, and throws nothing itself', async () => {
  const broken = () => {
    throw new Error('no');
  };
  vi.stubGlobal('fetch', broken);
  page = openPage('https://shop.example/', { sendBeacon: broken });
  expect(await create().track('order', order)).toMatchObject({ status: 'pending' });
  page.setHidden(true);
  expect(waiting()).toHaveLength(1);
});

test.each([
  [{ teamId: '', endpoint: 'https://x.example' }, 'teamId'],
  [{ teamId: 'team_1', endpoint: 'https://x.example' }, 'teamId'],
  [{ endpoint: 'https://x.example' }, 'teamId'],
  [{ teamId, endpoint: '' }, 'endpoint'],
  [{ teamId, endpoint: 'x.example' }, 'endpoint'],
  [{ teamId, endpoint: 'x.example:8787' }, 'endpoint'],
  [{ teamId, endpoint: 'https://x.example/?a=1' }, 'endpoint'],
  [{ teamId, endpoint: 'https://x.example', visitor: 'on' }, 'visitor'],
  [undefined, 'teamId'],
])(
  'with options %j the page works as without a tracker, and one console line names the option',
  async (options, name) => {
    const { track, visitorId } = createTracker(options as never);
    expect(page.errors).toEqual([expect.stringMatching(`^orderbeacon: ${name} must be `)]);
    const message = expect.stringContaining(name);
    expect(await track('order', order)).toEqual({
      status: 'refused',
      error: { code: 'invalid_request', message },
    });
    expect([await track('consent', true), visitorId, document.cookie, waiting()]).toEqual([
      undefined,
      undefined,
      '',
      [],
    ]);
  },
);

test.each(['/base', '/base/', '/base//', '/base/\n'])(
  'an endpoint may have a path and slashes at its end: %j',
  async (path) => {
    createTracker({ teamId, endpoint: collector.origin + path }).track('order', order);
    await collector.until(1);
    expect(collector.received[0]!.path).toMatch(/^\/base\/svc-api\/v1\/orders\?\d{13}$/);
  },
);

test('another tab’s stub: a call that it left in the storage is sent by an open page, 10 s later', async () => {
  vi.stubGlobal('window', globalThis);
  const call = { global: 'track', command: 'order', value: order };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  wireTracker(globalThis as never, teamId, collector.origin, false, 'track');
  localStorage.setItem('orderbeacon:m0a1', JSON.stringify(call));
  const event = Object.assign(new page.window.Event('storage'), { key: 'orderbeacon:m0a1', newValue: 'x' });
  page.window.dispatchEvent(event);
  await vi.advanceTimersByTimeAsync(9900);
  expect(collector.received).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await collector.until(1);
  expect(collector.received[0]!.report).toMatchObject({ ...order, reportId: 'orderbeacon:m0a1' });
});
