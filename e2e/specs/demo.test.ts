// @module-tag all
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { clipboardPermissions, holdClipboard } from '../harness/clipboard.ts';
import { consoleLink, openConsole, setUpPeople, stopClock } from '../harness/console.ts';
import { setUpChromium } from '../harness/engines.ts';
import type { OwnOrderbeacon } from '../harness/orderbeacon.ts';
import { startOwnOrderbeacon } from '../harness/shared.ts';

const browser = setUpChromium();
const people = setUpPeople();

let orderbeacon: OwnOrderbeacon;
let teamId: string;
beforeAll(async () => {
  orderbeacon = await startOwnOrderbeacon();
  teamId = /team_[0-9a-z]{26}/.exec(orderbeacon.output)![0];
});
afterAll(() => orderbeacon?.close());

/** Remembers the orders so far. The returned function lists those that were stored later. */
async function countOrders() {
  const known = new Set((await orderbeacon.orders(teamId)).map(({ id }) => id));
  return async () => (await orderbeacon.orders(teamId)).filter(({ id }) => !known.has(id));
}

it('the demo page stores an order on load and another at a click, and none twice', async () => {
  const page = /Demo page:\s+(\S+)/.exec(orderbeacon.output)![1]!;
  const newOrders = await countOrders();
  const tab = await browser.newTab();
  await tab.goto(page);
  const answer = () => tab.run<string>("return document.getElementById('answer').textContent");

  await expect.poll(answer).toMatch(/^Stored as ORD-[0-9A-Z]{13}\.$/);
  await tab.run("document.getElementById('again').click()");
  await expect.poll(answer).toMatch(/^Known already as ORD-/);
  await tab.run("document.getElementById('another').click()");
  await expect.poll(answer).toMatch(/^Stored as ORD-/);

  const orders = await newOrders();
  expect(orders).toHaveLength(2);
  for (const order of orders) {
    expect(order).toMatchObject({ email: 'ann@shop.example', amount: 49.9, currency: 'USD', isTest: true });
    expect(order.orderId).toMatch(/^DEMO-/);
    expect(order.visitorId).toMatch(/\S/);
  }
});

it('the demo page says how to fix a refusal, and shows a test as one', async () => {
  const newOrders = await countOrders();
  const host = new URL(orderbeacon.url).hostname;
  await orderbeacon.command('domain', 'remove', '--team', teamId, host);
  const newcomer = await people.newPerson();
  await newcomer.goto(`${orderbeacon.url}/demo`);
  await newcomer.getByText('Refused: Domain not allowed').waitFor();
  const fix = await newcomer.locator('#fix').innerText();
  expect(fix).toContain(`domain add --team ${teamId} --test ${host}`);
  await orderbeacon.command('domain', 'add', '--team', teamId, '--test', host);
  await newcomer.getByRole('button', { name: 'Report this one again' }).click();
  await newcomer.getByText('Stored as ORD-').waitFor();
  expect(await newcomer.locator('#fix').isVisible()).toBe(false);
  expect(await newcomer.locator('#test').isVisible()).toBe(true);
  expect(await newOrders()).toHaveLength(1);
});

/** Opens the demo page as a new person. `look` reads the address that the page recommends. */
async function openDemo() {
  const newcomer = await people.newPerson();
  await newcomer.goto(`${orderbeacon.url}/demo`);
  await newcomer.getByText('Stored as ORD-').waitFor();
  const click = (name: string) => newcomer.getByRole('button', { name }).click();
  const look = () => newcomer.locator('#look-link').getAttribute('href');
  return { newcomer, click, look };
}

it('“Go offline and order” keeps the order in the browser, where the page says to look, and sends it online', async () => {
  const { newcomer, click, look } = await openDemo();
  const newOrders = await countOrders();
  await click('Go offline and order');
  await newcomer.getByText('The order waits in this browser').waitFor();
  expect(await newcomer.locator('#look').innerText()).toContain('localStorage');
  const orderId = await newcomer.locator('#order-id').innerText();
  expect(await newcomer.evaluate('JSON.stringify(localStorage)')).toContain(orderId);
  expect(await newOrders()).toEqual([]);
  await click('Go online again');
  await newcomer.getByText('Stored as ORD-').waitFor();
  expect(await newOrders()).toMatchObject([{ orderId }]);
  expect(await look()).toBe(`${orderbeacon.url}/console/${teamId}/orders?q=${orderId}`);
});

it('“Break the amount” is refused, kept, and found where the page says to look', async () => {
  const { newcomer, click, look } = await openDemo();
  await click('Break the amount');
  await newcomer.getByText('Refused: Invalid: amount.').waitFor();
  // The fault is named once.
  expect((await newcomer.getByRole('main').innerText()).split('amount must be').length).toBe(2);
  const orderId = await newcomer.locator('#order-id').innerText();
  expect(await look()).toBe(`${orderbeacon.url}/console/${teamId}/refused`);
  const refused = await orderbeacon.command<object[]>('refused', 'list', '--team', teamId);
  expect(JSON.stringify(refused)).toContain(orderId);
});

it('the console of the demo team opens on a month of sample orders, and leads to what removes them', async () => {
  const newcomer = await people.newPerson();
  await openConsole(newcomer, await consoleLink(orderbeacon, teamId));
  expect(await newcomer.locator('nav[aria-label=Range] [aria-current]').innerText()).toBe('30 days');
  expect(await newcomer.locator('svg[role=img]').count()).toBe(1);
  expect(await newcomer.locator('main').innerText()).toContain('Among these are sample orders.');
  for (const source of ['newsletter', 'instagram', 'google'])
    expect(await newcomer.locator('main').innerText()).toContain(source);
  await expectWellShown(newcomer, 'overview of the demo');
  await newcomer.getByRole('link', { name: 'Remove the samples' }).click();
  await newcomer.locator('summary', { hasText: 'Remove the samples' }).waitFor();
});

it('the demo page tells its story in one screen: an order, its outcome, and each button', async () => {
  const { newcomer, click } = await openDemo();
  await newcomer.setViewportSize({ width: 1280, height: 800 });
  await click('Break the amount');
  await newcomer.getByText('Refused: Invalid: amount.').waitFor();
  for (const shown of [
    newcomer.locator('#order-id'),
    newcomer.locator('#look-link'),
    newcomer.getByRole('button', { name: 'Report this one again' }),
    newcomer.getByRole('button', { name: 'Go offline and order' }),
    newcomer.getByRole('link', { name: 'Orders on the console' }),
  ]) {
    const { bottom } = await shown.evaluate((element) => element.getBoundingClientRect());
    expect(bottom).toBeLessThan(800);
  }
});

it('the tag of the demo page is copied by a button', async () => {
  await holdClipboard();
  const newcomer = await people.newPerson({ permissions: clipboardPermissions });
  // The button says “Copied” for 3 s.
  await stopClock(newcomer, Date.now());
  await newcomer.goto(`${orderbeacon.url}/demo`);
  await newcomer.getByRole('button', { name: 'Copy' }).last().click();
  await newcomer.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await newcomer.evaluate('navigator.clipboard.readText()')).toContain(
    `<script async src="${orderbeacon.url}/sdk/track.js"`,
  );
});

it('axe finds nothing in the demo page, whatever it says, and it is no wider than a screen: light and dark, wide and narrow', async () => {
  const newcomer = await people.newPerson();
  await newcomer.goto(`${orderbeacon.url}/demo`);
  await newcomer.getByText('Stored as ORD-').waitFor();
  await expectWellShown(newcomer, 'stored');
  const host = new URL(orderbeacon.url).hostname;
  await orderbeacon.command('domain', 'remove', '--team', teamId, host);
  onTestFinished(() => orderbeacon.command('domain', 'add', '--team', teamId, '--test', host));
  await newcomer.getByRole('button', { name: 'Place another order' }).click();
  await newcomer.getByText('Refused: Domain not allowed').waitFor();
  await expectWellShown(newcomer, 'refused');
});
