import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createTracker } from '../src/index';
import { type Collector, refuse, startCollector } from './collector';
import { openPage, type Page } from './page';

const teamId = 'team_01h455vb4pex5vsknk084sn02q';
const order = { email: 'ann@shop.example', amount: 49.9, orderId: '1001', currency: 'USD' };

let collector: Collector;
let page: Page;
let stated: string[];

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await collector.close();
  vi.unstubAllGlobals();
});

/**
 * Opens a page with `data-debug`, some waiting orders, and early calls. debug.js is loaded before the tracker starts, as
 * by the script.
 */
async function open(waiting = 0, navigator = {}, calls: string[] = [], head = '') {
  page = openPage('https://shop.example/', navigator);
  document.head.innerHTML = head;
  const stored = [...Array(waiting).fill('{}'), ...calls];
  for (const [at, text] of stored.entries()) localStorage.setItem(`orderbeacon:${at}`, text);
  // Stubbed separately, so that the replacement of debug.js is removed after the test, too.
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('__VERSION__', '1.2.3');
  stated = [];
  vi.spyOn(console, 'info').mockImplementation((text: string) => stated.push(text));
  vi.resetModules();
  await import('../src/debug');
  return createTracker({ teamId, endpoint: collector.origin });
}

const line = (pattern: RegExp) => expect.poll(() => stated).toContainEqual(expect.stringMatching(pattern));

test('prints its version, and how many orders are waiting', async () => {
  await open(2);
  expect(stated).toEqual(['orderbeacon: version 1.2.3 on https://shop.example; orders waiting: 2']);
});

test('prints the answer in a browser without beacons', async () => {
  const { track } = await open(0, { sendBeacon: undefined });
  track('order', order);
  await line(/stored/);
});

test('counts an early order as waiting, of whichever page, and an early consent as none', async () => {
  const calls = [
    ['order', order],
    ['consent', true],
  ];
  await open(
    0,
    {},
    calls.map(([command, value]) => JSON.stringify({ global: 'track', command, value })),
  );
  expect(stated[0]).toMatch(/; orders waiting: 1$/);
});

test.each(['granted', 'true', 1, { analytics_storage: 'granted' }])(
  'prints that the consent %j counts as no, before the script has loaded and after',
  async (given) => {
    const page = globalThis as unknown as Record<string, unknown>;
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      delete page.track;
    });
    page.track = Object.assign(() => {}, { orderbeacon: 1, q: [['consent', given, 'orderbeacon:1']] });
    await open();
    const early = stated.filter((text) => text.includes('counts as no'));
    expect(early).toEqual([
      `orderbeacon: consent ${JSON.stringify(given)} counts as no, and erases the visitor: only true means yes. Call track('consent', true)`,
    ]);
    page.track = Object.assign(vi.fn(), { teamId });
    vi.runAllTimers();
    const track = page.track as (command: string, value: unknown) => void;
    for (const value of [true, false, given]) track('consent', value);
    expect(stated.filter((text) => text.includes('counts as no'))).toEqual([...early, ...early]);
  },
);

test('prints that a data-team-id is no team', async () => {
  await open(0, {}, [], '<script type="text/plain" data-debug data-team-id="my-shop"></script>');
  expect(stated[0]).toBe(
    'orderbeacon: data-team-id "my-shop" is no team: that begins with team_ and has 26 more characters. Setup in the console prints the tag',
  );
});

test('prints that an order is kept and sent, and the number that it is stored under', async () => {
  const { track } = await open();
  track('order', order);
  await line(/order 1001 of 49.9 USD is kept in this browser and sent to http/);
  await line(/order 1001 of 49.9 USD is stored as ORD-1$/);
});

test('prints that an order was known already', async () => {
  collector.answer((response, { reportId }) => {
    const data = { orderNumber: 'ORD-1', isNew: false, reportId };
    response.end(JSON.stringify({ success: true, data }));
  });
  const { track } = await open();
  track('order', order);
  await line(/order 1001 of 49.9 USD is stored as ORD-1, which was known already$/);
});

test('prints each warning of the answer, such as that of a missing currency', async () => {
  collector.answer((response, { reportId }) => {
    const warnings = [
      { path: 'currency', message: 'is missing; USD is taken' },
      { path: 'items.0.sku', message: 'is null; left out' },
    ];
    const data = { orderNumber: 'ORD-1', isNew: true, reportId, warnings };
    response.end(JSON.stringify({ success: true, data }));
  });
  const { track } = await open();
  track('order', { ...order, currency: null });
  await line(/order 1001 of 49.9 \(without currency\) is stored as ORD-1$/);
  await line(/warning: currency is missing; USD is taken$/);
  await line(/warning: items.0.sku is null; left out$/);
});

test('warns about an order without orderId', async () => {
  const { track } = await open();
  await track('order', { ...order, orderId: null });
  await line(/without orderId: reported again, it would be another one/);
});

test('prints the server’s answer to a failed try, and the time of the next one', async () => {
  collector.answer(refuse(503, 'unavailable', 'Later.'));
  const { track } = await open();
  await track('order', order);
  await line(/HTTP 503, unavailable: Later\.$/);
  await line(/was tried 1 times; next in 0\.\d s, or on the next page$/);
});

test('prints that no answer came, and the beacon when the page is hidden', async () => {
  collector.answer((response) => response.destroy());
  const { track } = await open();
  await track('order', order);
  await line(/order 1001 of 49.9 USD got no answer: /);
  await line(/was tried 1 times/);
  page.setHidden(true);
  await line(/the page is hidden: a waiting order was sent as a beacon$/);
});

test('prints that the page has a `const track` of its own, which hides the SDK’s', async () => {
  vi.stubGlobal('track', () => {});
  await open();
  // In a page, a `const` is no property of `window`. Here the test gives them two values.
  vi.stubGlobal('window', { track: { visitorId() {} } });
  page.window.dispatchEvent(new page.window.Event('load'));
  await line(/the page has a const track of its own/);
});

test('prints that Global Privacy Control is on', async () => {
  await open(0, { globalPrivacyControl: true });
  await line(/Global Privacy Control is on: no visitor id without consent$/);
});

test('leaves the other requests of a page alone', async () => {
  await open();
  await globalThis.fetch(`${collector.origin}/cart`, { method: 'POST', body: '{}' });
  // An order without fields would be printed as one "of undefined USD".
  expect(stated).not.toContainEqual(expect.stringContaining('undefined'));
});

test('prints nothing where the shop has silenced its console, and the order is sent', async () => {
  const { track } = await open();
  vi.stubGlobal('console', { log() {} });
  expect(await track('order', order)).toMatchObject({ status: 'delivered' });
});

test('adds the server’s hint, and that the command to allow a host tells of a team that does not exist', async () => {
  collector.answer((response, { reportId }) => {
    const error = { code: 'domain_not_allowed', message: 'Domain not allowed', hint: 'Or no such team.' };
    response.writeHead(403).end(JSON.stringify({ success: false, error, requestId: 'r', reportId }));
  });
  const { track } = await open();
  await track('order', order);
  await line(/HTTP 403, domain_not_allowed: Domain not allowed\. Or no such team\.$/);
  await line(/domain add --team team_\w+ shop\.example \(it says so if this team does not exist\)$/);
});
