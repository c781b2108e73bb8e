import { expect, it, onTestFinished } from 'vitest';
import { setUpBrowser } from '../harness/engines.ts';
import { startOrderbeacon } from '../harness/orderbeacon.ts';

const browser = setUpBrowser('chromium');

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
