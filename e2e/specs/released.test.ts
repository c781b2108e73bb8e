import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { setUpChromium } from '../harness/engines.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';

const releasedFolder = new URL('../../sdk/released/', import.meta.url);
const versions = readdirSync(releasedFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const shop = await setUpShop();
const browser = setUpChromium();
afterEach(() => shop.network.onReport(() => 'pass'));

/** Two lines of a tag, without its example order, as they stand in this shop's pages. */
const fillIn = (tag: string) =>
  tag
    .split('\n')
    .filter((line) => !line.includes('ann@shop.example'))
    .join('\n')
    .replace('https://orders.shop.example', shop.endpoint)
    .replace('team_…', shop.teamId);

const body = `<script>
  const errors = [];
  addEventListener('error', (event) => errors.push(event.message));
  addEventListener('unhandledrejection', (event) => errors.push('unhandled ' + event.reason));
  const report = (name, more) => track('order', { email: 'ann@shop.example', amount: 49.9, name, ...more });
  const params = new URLSearchParams(location.search);
  if (params.has('name')) report(params.get('name'), { orderId: params.get('name') });
</script>`;

const call = (name: string) => `void report(${JSON.stringify(name)})`;

it('there is a release, and 0.1.0 is among them', () => {
  expect(versions).toContain('0.1.0');
});

async function open(page: string): Promise<Tab> {
  const tab = await browser.newTab();
  await tab.goto(page);
  return tab;
}

describe.each(versions)('a page whose tag is pinned to %s', (version) => {
  let page: string;
  beforeAll(() => {
    const tag = readFileSync(new URL(`${version}/tag.html`, releasedFolder), 'utf8');
    expect(tag).toContain(`/sdk/${version}/track.js`);
    expect(tag).toContain(' integrity="sha384-');
    page = shop.page(`/pinned-${version}`, 'anywhere.html', { head: fillIn(tag), body });
  });

  it('delivers an order, with a visitor', async () => {
    const [name] = orderNames(`delivered by ${version}`, 1);
    const tab = await open(page);
    expect(await tab.run(`return ${answerTo(`report('${name}')`)}`)).toMatchObject({ status: 'delivered' });
    const [order] = await shop.expectStoredOnce([name!]);
    expect(order).toMatchObject({ email: 'ann@shop.example', amount: 49.9, reportedBy: 'browser' });
    expect(order!.visitorId).toEqual(expect.any(String));
    expect(await tab.run('return errors')).toEqual([]);
  });

  it('delivers what was called before the script was there', async () => {
    const [name] = orderNames(`early by ${version}`, 1);
    await open(`${page}?name=${encodeURIComponent(name!)}`);
    await shop.expectStoredOnce([name!]);
  });

  it('reports an order again when it is loaded again, and it stays one', async () => {
    const [name] = orderNames(`reloaded by ${version}`, 1);
    const url = `${page}?name=${encodeURIComponent(name!)}`;
    const tab = await open(url);
    await shop.expectStoredOnce([name!]);
    const reports = () => shop.network.seen.filter((seen) => seen.name === name).length;
    const before = reports();
    await tab.goto(url);
    await expect.poll(reports).toBeGreaterThan(before);
    const known = `return ${answerTo(`report('${name}', { orderId: '${name}' })`)}`;
    expect(await tab.run(known)).toMatchObject({ order: { isNew: false } });
    await shop.expectStoredOnce([name!]);
  });

  it('tries again after a 503, and after an answer that was lost', async () => {
    const names = orderNames(`retried by ${version}`, 2);
    const tab = await open(page);
    shop.network.onReport((attempt) => (attempt === 0 ? { status: 503 } : 'pass'));
    await tab.run(call(names[0]!));
    await shop.expectStoredOnce([names[0]!]);
    shop.network.onReport((attempt) => (attempt === 0 ? 'drop answer' : 'pass'));
    await tab.run(call(names[1]!));
    const attempts = () => shop.network.seen.filter((seen) => seen.name === names[1]).length;
    await expect.poll(attempts).toBeGreaterThan(1);
    await shop.expectStoredOnce(names);
  });

  it('keeps an order while the browser is offline, and delivers it when it is online', async () => {
    const [name] = orderNames(`offline by ${version}`, 1);
    const tab = await open(page);
    await browser.setOffline!(true);
    try {
      await tab.run(call(name!));
      await expect.poll(() => tab.run('return navigator.onLine')).toBe(false);
    } finally {
      await browser.setOffline!(false);
    }
    await shop.expectStoredOnce([name!]);
  });

  /** Leaves an order waiting in the shop's storage: the server is down, and the tab is closed. */
  async function leaveWaiting(name: string) {
    const tab = await open(page);
    await shop.network.goDown();
    try {
      await tab.run(call(name));
      const waiting = `return Object.values(localStorage).some((value) => value.includes(${JSON.stringify(name)}))`;
      await expect.poll(() => tab.run(waiting)).toBe(true);
      await tab.close();
    } finally {
      await shop.network.comeUp();
    }
  }

  it('leaves an order for the next page while the server is down', async () => {
    const [name] = orderNames(`later page by ${version}`, 1);
    await leaveWaiting(name!);
    await open(page);
    await shop.expectStoredOnce([name!]);
  });

  it('leaves an order for the next page also where that has the script of today', async () => {
    const { html } = await shop.orderbeacon.command<{ html: string }>('tag', '--team', shop.teamId);
    const head = fillIn(html.replace(/src="[^"]*\/sdk\//, 'src="https://orders.shop.example/sdk/'));
    const today = shop.page('/today', 'anywhere.html', { head, body });
    const [name] = orderNames(`upgraded from ${version}`, 1);
    await leaveWaiting(name!);
    await open(today);
    await shop.expectStoredOnce([name!]);
  });
});
