import { expect, it, onTestFinished } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { setUpPeople } from '../harness/console.ts';
import { setUpBrowser } from '../harness/engines.ts';
import { startOrderbeacon } from '../harness/orderbeacon.ts';

const browser = setUpBrowser('chromium');
const people = setUpPeople();

it('the demo page stores an order on load and another at a click, and none twice', async () => {
  const orderbeacon = await startOrderbeacon();
  onTestFinished(() => orderbeacon.close());
  const page = /Demo page:\s+(\S+)/.exec(orderbeacon.output)![1]!;
  const teamId = /team_[0-9a-z]{26}/.exec(orderbeacon.output)![0];
  const tab = await browser.newTab();
  await tab.goto(page);
  const answer = () => tab.run<string>("return document.getElementById('answer').textContent");

  await expect.poll(answer, { timeout: 10_000 }).toMatch(/^Stored as ORD-[0-9A-Z]{10}\.$/);
  await tab.run("document.getElementById('again').click()");
  await expect.poll(answer, { timeout: 10_000 }).toMatch(/^Known already as ORD-/);
  await tab.run("document.getElementById('another').click()");
  await expect.poll(answer, { timeout: 10_000 }).toMatch(/^Stored as ORD-/);

  const orders = await orderbeacon.orders(teamId);
  expect(orders).toHaveLength(2);
  for (const order of orders) {
    expect(order).toMatchObject({ email: 'ann@shop.example', amount: 49.9, currency: 'USD', isTest: true });
    expect(order.orderId).toMatch(/^DEMO-/);
    expect(order.visitorId).toMatch(/\S/);
  }
});

it('the demo page says how to fix a refusal, shows a test as one, and follows an order that waits', async () => {
  const orderbeacon = await startOrderbeacon();
  onTestFinished(() => orderbeacon.close());
  const teamId = /team_[0-9a-z]{26}/.exec(orderbeacon.output)![0];
  const host = new URL(orderbeacon.url).hostname;
  await orderbeacon.command('domain', 'remove', '--team', teamId, host);
  const newcomer = await people.newPerson();
  await newcomer.goto(`${orderbeacon.url}/demo`);
  const answer = newcomer.locator('#answer');
  await newcomer.getByText('Refused: Domain not allowed').waitFor();
  const fix = await newcomer.locator('#fix').innerText();
  expect(fix).toContain(`domain add --team ${teamId} --test ${host}`);
  await orderbeacon.command('domain', 'add', '--team', teamId, '--test', host);
  await newcomer.getByRole('button', { name: 'Report this one again' }).click();
  await newcomer.getByText('Stored as ORD-').waitFor();
  expect(await newcomer.locator('#fix').isVisible()).toBe(false);
  expect(await newcomer.locator('#test').isVisible()).toBe(true);

  await newcomer.route('**/svc-api/**', (route) => route.abort());
  await newcomer.getByRole('button', { name: 'Place another order' }).click();
  await newcomer.getByText('The order waits in this browser').waitFor();
  await newcomer.unroute('**/svc-api/**');
  await newcomer.evaluate("dispatchEvent(new Event('online'))");
  await newcomer.getByText('Stored as ORD-').waitFor();
  expect(await answer.innerText()).toMatch(/^Stored as/);
  expect(await orderbeacon.orders(teamId)).toHaveLength(2);
});

it('the tag of the demo page is copied by a button', async () => {
  const orderbeacon = await startOrderbeacon();
  onTestFinished(() => orderbeacon.close());
  const newcomer = await people.newPerson({ permissions: ['clipboard-read', 'clipboard-write'] });
  await newcomer.goto(`${orderbeacon.url}/demo`);
  await newcomer.getByRole('button', { name: 'Copy' }).last().click();
  await newcomer.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await newcomer.evaluate('navigator.clipboard.readText()')).toContain(
    `<script async src="${orderbeacon.url}/sdk/track.js"`,
  );
});

it('axe finds nothing in the demo page, whatever it says, and it is no wider than a screen: light and dark, wide and narrow', async () => {
  const orderbeacon = await startOrderbeacon();
  onTestFinished(() => orderbeacon.close());
  const teamId = /team_[0-9a-z]{26}/.exec(orderbeacon.output)![0];
  const newcomer = await people.newPerson();
  await newcomer.goto(`${orderbeacon.url}/demo`);
  await newcomer.getByText('Stored as ORD-').waitFor();
  await expectWellShown(newcomer, 'stored');
  await orderbeacon.command('domain', 'remove', '--team', teamId, new URL(orderbeacon.url).hostname);
  await newcomer.getByRole('button', { name: 'Place another order' }).click();
  await newcomer.getByText('Refused: Domain not allowed').waitFor();
  await expectWellShown(newcomer, 'refused');
});
