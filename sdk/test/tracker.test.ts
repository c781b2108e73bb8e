import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTracker } from '../src/index';
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
const waiting = () => Object.keys(localStorage).filter((key) => key.startsWith('ob:'));

test('an order is delivered with team, visitor and a report id, and the answer comes back', async () => {
  const tracker = create();
  const result = await tracker.track('order', { ...order, source: 'stripe', amount: '49.90' });
  expect(result).toMatchObject({ status: 'delivered', order: { orderNumber: 'ORD-1', amount: 49.9 } });
  expect(collector.received.map(({ report }) => report)).toEqual([
    {
      ...order,
      source: 'STRIPE',
      teamId,
      visitorId: tracker.visitorId,
      reportId: expect.stringMatching(/^\S{9,64}$/),
    },
  ]);
  expect(waiting()).toEqual([]);
});

test('across origins it is text, so that no preflight is needed; on the same origin it is JSON', async () => {
  await create().track('order', order);
  vi.unstubAllGlobals();
  openPage(`${collector.origin}/thanks`);
  await create().track('order', order);
  expect(collector.received.map(({ contentType }) => contentType)).toEqual([
    'text/plain;charset=UTF-8',
    'application/json',
  ]);
});

test('two calls are two reports', async () => {
  const { track } = create();
  await Promise.all([track('order', order), track('order', order)]);
  expect(new Set(collector.received.map(({ report }) => report.reportId)).size).toBe(2);
});

describe('tried again with the same report id, until it is delivered', () => {
  test.each<[string, Parameters<Collector['answer']>[0]]>([
    ['503', refuse(503, 'unavailable', 'later')],
    ['500', refuse(500, 'internal', 'oops')],
    ['429', refuse(429, 'rate_limited', 'slowly')],
    ['408', refuse(408, 'timeout', 'late')],
    ['the login page of a hotel', (response) => response.end('<h1>Welcome</h1>')],
    ['JSON of something else', (response) => response.end('{"ok":true}')],
    [
      'an answer that is cut off',
      (response) => response.writeHead(200, { 'Content-Length': 99 }).write('{', () => response.destroy()),
    ],
    ['a connection that breaks', (response) => response.destroy()],
  ])('%s', async (_, fault) => {
    collector.answer(fault);
    expect(await create().track('order', order)).toEqual({ status: 'pending' });
    expect(waiting()).toHaveLength(1);
    collector.answer(accept);
    await collector.until(2);
    const [first, second] = collector.received;
    expect(second!.report).toEqual(first!.report);
    expect(page.errors).toEqual([]);
    await expect.poll(waiting).toEqual([]);
  });
});

describe('refused for good', () => {
  test.each([
    [400, 'invalid_request', 'Invalid: email.'],
    [409, 'order_conflict', 'This orderId is known with another buyer.'],
    [413, 'payload_too_large', 'The body is over 64 KiB.'],
    [403, 'origin_required', 'Origin required'],
  ])('%i: the page and the console are told, once, and nothing waits', async (status, code, message) => {
    collector.answer(refuse(status, code, message));
    expect(await create().track('order', order)).toEqual({ status: 'refused', error: { code, message } });
    expect(page.errors).toEqual([`orderbeacon: order refused: ${message}`]);
    expect(waiting()).toEqual([]);
    expect(collector.received).toHaveLength(1);
  });

  test('a domain that is not allowed: the console says what to run', async () => {
    collector.answer(refuse(403, 'domain_not_allowed', 'Domain not allowed'));
    await create().track('order', order);
    expect(page.errors[0]).toContain(`orderbeacon domain add --team ${teamId} shop.example`);
  });

  test('a sandboxed frame: the console names the reason', async () => {
    vi.stubGlobal('origin', 'null');
    collector.answer(refuse(403, 'domain_not_allowed', 'Domain not allowed'));
    await create().track('order', order);
    expect(page.errors[0]).toContain('sandboxed frame');
    expect(page.errors[0]).not.toContain('domain add');
  });

  test('a server that is none of ours: by its status', async () => {
    collector.answer((response) => response.writeHead(404).end('<h1>Not found</h1>'));
    expect(await create().track('order', order)).toEqual({
      status: 'refused',
      error: { code: 'http_error', message: 'HTTP 404' },
    });
  });

  test('what cannot be right is never sent', async () => {
    const { track } = create();
    const circular: unknown[] = [];
    circular.push(circular);
    const wrong = [
      { ...order, amount: '49,90' },
      { ...order, items: circular },
      { ...order, orderId: 1n },
      undefined,
    ];
    for (const input of wrong) {
      expect(await track('order', input as never)).toMatchObject({ status: 'refused' });
    }
    expect(await track('purchase' as 'order', order)).toMatchObject({ status: 'refused' });
    expect(page.errors).toHaveLength(5);
    expect(page.errors[4]).toBe('orderbeacon: order refused: bad call');
    expect(collector.received).toEqual([]);
  });
});

test('listens to nothing that keeps a page out of the back/forward cache', async () => {
  const listened: string[] = [];
  vi.stubGlobal('addEventListener', (type: string) => listened.push(type));
  await create().track('order', order);
  expect(listened.sort()).toEqual(['online', 'pagehide', 'visibilitychange']);
});

test('without consent orders are reported without a visitor', async () => {
  const tracker = create();
  await tracker.track('consent', false);
  expect(tracker.visitorId).toBeUndefined();
  await tracker.track('order', order);
  expect(collector.received[0]!.report).not.toHaveProperty('visitorId');
});

test('an order of a page that could not deliver it is delivered by the next page', async () => {
  const { origin } = collector;
  await collector.close();
  expect(await create().track('order', order)).toEqual({ status: 'pending' });
  collector = await startCollector(Number(new URL(origin).port));
  create();
  await collector.until(1);
  expect(collector.received[0]!.report).toMatchObject(order);
});

test('a browser without fetch sends a beacon at once and keeps the report', async () => {
  vi.stubGlobal('fetch', undefined);
  expect(await create().track('order', order)).toEqual({ status: 'pending' });
  expect(page.beacons).toHaveLength(1);
  expect(JSON.parse(page.beacons[0]!.body)).toMatchObject(order);
  expect(waiting()).toHaveLength(1);
});

test.each([
  [{ teamId: '', endpoint: 'https://x.example' }, 'teamId'],
  [{ teamId: 'team_1', endpoint: 'https://x.example' }, 'teamId'],
  [{ teamId, endpoint: '' }, 'endpoint'],
  [{ teamId, endpoint: 'x.example' }, 'endpoint'],
  [{ teamId, endpoint: 'https://x.example/?a=1' }, 'endpoint'],
  [{ teamId, endpoint: 'https://x.example', visitor: 'on' }, 'visitor'],
])('options %j are refused at creation', (options, name) => {
  expect(() => createTracker(options as never)).toThrow(name);
});

test('an endpoint may have a path and slashes at its end', async () => {
  createTracker({ teamId, endpoint: `${collector.origin}/base//` }).track('order', order);
  await collector.until(1);
  expect(collector.received[0]!.path).toBe('/base/svc-api/v1/orders');
});
