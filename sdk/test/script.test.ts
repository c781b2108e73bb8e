import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from './collector';
import { openPage, type Page } from './page';

const teamId = 'team_01h455vb4pex5vsknk084sn02q';
const order = { email: 'ann@shop.example', amount: 1 };

let collector: Collector;
let page: Page;
// biome-ignore lint/suspicious/noExplicitAny: whatever a page has under a name.
const globals = globalThis as unknown as Record<string, any>;

beforeEach(async () => {
  collector = await startCollector();
  page = openPage('https://shop.example/');
});
afterEach(async () => {
  await collector.close();
  vi.unstubAllGlobals();
  for (const name of ['track', 'other']) delete globals[name];
});

/** Runs the script as a page does whose tag has these attributes. */
async function load(attributes: Record<string, string>, query = '', isModule = false) {
  const tag = document.createElement('script');
  for (const [name, value] of Object.entries(attributes)) tag.setAttribute(name, value);
  // Not attached with a source, or the DOM would fetch it.
  Object.defineProperty(tag, 'src', { value: `${collector.origin}/sdk/track.js${query}` });
  tag.type = 'text/plain';
  document.body.append(tag);
  Object.defineProperty(document, 'currentScript', { configurable: true, value: isModule ? null : tag });
  vi.resetModules();
  await import('../src/script');
}

function stub(name: string) {
  const calls: unknown[] = [];
  globals[name] = Object.assign((...call: unknown[]) => calls.push(call), { q: calls });
}

test('delivers to the origin it came from what was called before it loaded, and what is called after', async () => {
  stub('track');
  globals.track('order', { ...order, orderId: 'before' });
  await load({ 'data-team-id': teamId });
  expect(await globals.track('order', { ...order, orderId: 'after' })).toMatchObject({ status: 'delivered' });
  await collector.until(2);
  expect(collector.received.map(({ report }) => [report.teamId, report.orderId])).toEqual([
    [teamId, 'before'],
    [teamId, 'after'],
  ]);
});

test('a second tag does nothing', async () => {
  stub('track');
  globals.track('order', order);
  await load({ 'data-team-id': teamId });
  const { track } = globals;
  await load({ 'data-team-id': teamId });
  expect(globals.track).toBe(track);
  await track('order', order);
  expect(collector.received).toHaveLength(2);
});

test('the team may stand behind the file name, where tag managers strip data-*', async () => {
  await load({}, `?team=${teamId}`);
  await globals.track('order', order);
  expect(collector.received[0]!.report.teamId).toBe(teamId);
});

test('finds its tag as a module, which is no current script', async () => {
  await load({ 'data-team-id': teamId }, '', true);
  await globals.track('order', order);
  expect(collector.received[0]!.report.teamId).toBe(teamId);
});

test('data-global leaves a track of the page alone', async () => {
  globals.track = 'the page’s own';
  stub('other');
  globals.other('order', order);
  await load({ 'data-team-id': teamId, 'data-global': 'other' });
  await collector.until(1);
  expect(globals.track).toBe('the page’s own');
});

test.each(['/base', '/base/', '/base//'])('data-endpoint sends elsewhere, to %s', async (path) => {
  await load({ 'data-team-id': teamId, 'data-endpoint': collector.origin + path });
  await globals.track('order', order);
  expect(collector.received[0]!.path).toBe('/base/svc-api/v1/orders');
});

test('data-visitor="off" keeps no visitor id until there is consent', async () => {
  await load({ 'data-team-id': teamId, 'data-visitor': 'off' });
  expect(globals.track.visitorId()).toBeUndefined();
  await globals.track('consent', true);
  expect(globals.track.visitorId()).toMatch(/\w{9}/);
});

test('without a team the console is told and nothing is sent', async () => {
  await load({});
  expect(await globals.track('order', order)).toMatchObject({ status: 'refused' });
  expect(page.errors).toEqual(['orderbeacon: order refused: no data-team-id']);
  expect(collector.received).toEqual([]);
});
