import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTracker } from '../src/index';
import { type Collector, refuse, startCollector } from './collector';
import { openPage, type Page } from './page';

const teamId = 'team_01h455vb4pex5vsknk084sn02q';
const order = { email: 'ann@shop.example', amount: 49.9, orderId: '1001' };

let collector: Collector;
let page: Page;
let said: string[];

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await collector.close();
  vi.unstubAllGlobals();
});

/** Opens a page with `data-debug`, where that many orders wait: the words are there before the tracker starts. */
async function open(waiting = 0, navigator = {}) {
  page = openPage('https://shop.example/', navigator);
  for (let count = 0; count < waiting; count++) localStorage.setItem(`orderbeacon:${count}`, '{}');
  // Stubbed by itself, so that the one that the words put in its place is put away too.
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('__VERSION__', '1.2.3');
  said = [];
  vi.spyOn(console, 'info').mockImplementation((text: string) => said.push(text));
  vi.resetModules();
  await import('../src/debug');
  return createTracker({ teamId, endpoint: collector.origin });
}

const line = (pattern: RegExp) => expect.poll(() => said).toContainEqual(expect.stringMatching(pattern));

test('tells its version, and how many orders wait from before', async () => {
  await open(2);
  expect(said).toEqual(['orderbeacon: version 1.2.3 on https://shop.example; 2 orders wait from before']);
});

test('tells that an order is kept and sent, and what it is stored as', async () => {
  const { track } = await open();
  track('order', order);
  await line(/order 1001 of 49.9 USD is kept in this browser and sent to http/);
  await line(/order 1001 of 49.9 USD is stored as ORD-1$/);
});

test('tells that an order was known already', async () => {
  const data = { orderNumber: 'ORD-1', isNew: false };
  collector.answer((response) => response.end(JSON.stringify({ success: true, data })));
  const { track } = await open();
  track('order', order);
  await line(/order 1001 of 49.9 USD is stored as ORD-1, which was known already$/);
});

test('warns of an order without orderId', async () => {
  const { track } = await open();
  await track('order', { ...order, orderId: null });
  await line(/without orderId: reported again, it would be another one/);
});

test('tells what the server said of a failed try, and when the next one is', async () => {
  collector.answer(refuse(503, 'unavailable', 'Later.'));
  const { track } = await open();
  await track('order', order);
  await line(/HTTP 503, unavailable: Later\.$/);
  await line(/was tried 1 times; next in 0\.\d s, or on the next page$/);
});

test('tells that no answer came, and of the beacon when the page is hidden', async () => {
  collector.answer((response) => response.destroy());
  const { track } = await open();
  await track('order', order);
  await line(/order 1001 of 49.9 USD got no answer: /);
  await line(/was tried 1 times/);
  page.setHidden(true);
  await line(/the page is hidden: what waits went out as a beacon$/);
});

test('tells of Global Privacy Control', async () => {
  await open(0, { globalPrivacyControl: true });
  await line(/Global Privacy Control is on: no visitor id without consent$/);
});

test('leaves the other requests of a page alone', async () => {
  await open();
  await globalThis.fetch(`${collector.origin}/cart`, { method: 'POST', body: '{}' });
  // An order without fields would be told as one "of undefined USD".
  expect(said).not.toContainEqual(expect.stringContaining('undefined'));
});

test('says nothing where the shop has silenced its console, and the order is sent', async () => {
  const { track } = await open();
  vi.stubGlobal('console', { log() {} });
  expect(await track('order', order)).toMatchObject({ status: 'delivered' });
});
