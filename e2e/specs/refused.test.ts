// @module-tag all
import { expect, it, onTestFinished } from 'vitest';
import { newTeam, setUpPeople } from '../harness/console.ts';
import { startPageServer } from '../harness/pages.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';
import { stub } from '../harness/stub.ts';

const people = setUpPeople();
const dayMs = 24 * 60 * 60_000;

it('an order of a host that nobody allowed is stored by one press, and the browser that kept it stores it no second time', {
  tags: ['slow'],
}, async () => {
  const [orderbeacon, pages] = [await sharedOrderbeacon(), await startPageServer()];
  onTestFinished(pages.close);
  const { teamId } = await newTeam(orderbeacon);
  pages.serve('/thanks', 'confirmation.html', { teamId, endpoint: orderbeacon.url, stub });
  const thanks = `http://checkout.localhost:${pages.port}/thanks`;
  const buyer = await people.newPerson();
  const startedMs = Date.now();
  await buyer.goto(thanks);
  const order = { email: 'buyer@buyer.example', amount: 51.34, orderId: 'o-1' };
  const refused = await buyer.evaluate(
    `report('Buyer', ${JSON.stringify(order)}).then(async ({ status, final }) => (await final)?.status ?? status)`,
  );
  expect([refused, await orderbeacon.orders(teamId)]).toEqual(['refused', []]);
  const endedMs = Date.now();

  // Anybody can use the name of this host, so it is offered for tests.
  const merchant = await people.newMerchant(orderbeacon, teamId, '?mode=test');
  await merchant.getByRole('link', { name: 'Fix them' }).click();
  await merchant.getByLabel('As test orders').uncheck();
  await merchant.getByRole('button', { name: 'Allow and store' }).click();
  await merchant.getByText('1 live order is stored.').waitFor();

  // A day later the buyer comes back. The browser has kept the order and sends it again.
  await buyer.clock.setSystemTime(Date.now() + dayMs);
  const answer = buyer.waitForResponse((response) => response.url().includes('/svc-api/v1/orders?'));
  await buyer.goto(thanks);
  expect(await (await answer).json()).toMatchObject({ success: true, data: { isNew: false } });
  const orders = await orderbeacon.orders(teamId);
  expect(orders).toMatchObject([{ ...order, isTest: false, reportedBy: 'browser' }]);
  expect(orders[0]!.visitorId).toMatch(/\S/);
  const createdMs = new Date(orders[0]!.createdAt).getTime();
  // By now the buyer's clock is a day ahead of the server's.
  expect([createdMs + dayMs >= startedMs, createdMs <= endedMs]).toEqual([true, true]);
});

it('a refused report appears by itself on its page, where its host is allowed, and its order on the list', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, reportRefused } = await newTeam(orderbeacon);
  const merchant = await people.newMerchant(orderbeacon, teamId, '/refused');
  const orders = await merchant.context().newPage();
  await orders.goto(`${orderbeacon.url}/console/${teamId}/orders`);
  await orders.getByText('New orders appear automatically.').waitFor();
  await reportRefused({ orderId: 'try-1' });
  await merchant.getByRole('button', { name: 'Allow and store 1 order of checkout.example' }).click();
  await merchant.getByText('1 live order is stored.').waitFor();
  await orders.locator('#orders tbody tr').filter({ hasText: 'try-1' }).waitFor();
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ orderId: 'try-1', isTest: false }]);
});
