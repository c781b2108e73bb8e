import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { consoleLink, follow, newTeam, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();
const plain = { javaScriptEnabled: false };

it('without JavaScript a merchant signs in, chooses a range, reads and downloads orders, and signs out', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  const { orderNumber } = await report({ orderId: 'o-1' });
  const merchant = await people.newPerson({ ...plain, acceptDownloads: true });
  const link = await consoleLink(orderbeacon, teamId);
  await merchant.goto(link);
  await merchant.getByLabel('paste it here').fill(link);
  await follow(merchant.getByRole('button', { name: 'Sign in' }));
  expect(new URL(merchant.url()).pathname).toBe(`/console/${teamId}`);
  await merchant.getByText('Show figures').click();
  expect(await merchant.locator('#figures').innerText()).toContain('Together');
  await merchant.getByLabel('Range').selectOption('7 days');
  expect(await merchant.getByLabel('From').isVisible()).toBe(false);
  await follow(merchant.getByRole('button', { name: 'Show', exact: true }));
  await merchant.getByLabel('Range').selectOption('Custom');
  await merchant.getByLabel('From').fill('2024-02-01');
  await merchant.getByLabel('To', { exact: true }).fill('2024-02-29');
  await follow(merchant.getByRole('button', { name: 'Show', exact: true }));
  expect(await merchant.getByText(/No live orders in 1\s?–\s?29 Feb 2024/).isVisible()).toBe(true);
  // Going back shows the choices of the page that it leads back to.
  await merchant.goBack();
  expect(await merchant.getByLabel('Range').inputValue()).toBe('7d');

  await follow(merchant.getByRole('link', { name: 'Orders', exact: true }));
  expect(await merchant.getByText('Reload this page to see new orders.').isVisible()).toBe(true);
  expect(await merchant.getByText(orderNumber).count()).toBe(1);
  const download = merchant.waitForEvent('download');
  await merchant.getByRole('link', { name: 'Download these as CSV' }).click();
  expect(await text(await (await download).createReadStream())).toContain(orderNumber);
  await follow(merchant.getByRole('button', { name: 'Sign out', exact: true }));
  expect(new URL(merchant.url()).pathname).toBe('/console/sign-in');
});

it('without JavaScript domains are allowed and removed, and the menu of teams leads to another one', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const [cups, plates] = [await newTeam(orderbeacon, 'Cups'), await newTeam(orderbeacon, 'Plates')];
  await plates.report({ orderId: 'o-1' });
  const merchant = await people.newMerchant(orderbeacon, plates.teamId, '/setup', plain);
  await merchant.getByLabel('Allow a domain').fill('https://new.example/thanks');
  await follow(merchant.getByRole('button', { name: 'Allow', exact: true }));
  await merchant.getByText('new.example is allowed.').waitFor();
  await merchant.locator('tr', { hasText: 'shop.example' }).locator('summary', { hasText: 'Remove' }).click();
  await follow(merchant.getByRole('button', { name: 'Remove shop.example' }));
  expect(await orderbeacon.command('domain', 'list', '--team', plates.teamId)).toEqual([
    { domain: 'new.example', isTest: false },
  ]);

  await merchant.goto(`${orderbeacon.url}/console/sign-in`);
  await merchant.getByLabel('paste it here').fill(await consoleLink(orderbeacon, cups.teamId));
  await follow(merchant.getByRole('button', { name: 'Sign in' }));
  await merchant.locator('summary', { hasText: 'Cups' }).click();
  await follow(merchant.getByRole('link', { name: 'Plates' }));
  await merchant.locator('summary', { hasText: 'Plates' }).waitFor();
});

it('without JavaScript refused reports are stored, corrected and discarded', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, reportRefused } = await newTeam(orderbeacon);
  for (const orderId of ['a-1', 'a-2']) await reportRefused({ orderId });
  await reportRefused({ orderId: 'b-1', amount: '1.000,50' }, 'https://shop.example');
  await reportRefused({ orderId: 'c-1' }, 'https://stranger.example');
  const merchant = await people.newMerchant(orderbeacon, teamId, '', plain);
  await merchant.getByRole('link', { name: '4 refused reports need attention' }).click();
  const group = (text: string) => merchant.locator('article').filter({ hasText: text });
  await follow(group('checkout.example').getByRole('button', { name: 'Allow and store' }));
  expect(await merchant.getByRole('status').innerText()).toBe('2 orders are stored.');

  await group('amount').getByText('See each one').click();
  await merchant.locator('tbody a').click();
  await merchant.getByLabel('Amount').fill('a thousand');
  await follow(merchant.getByRole('button', { name: 'Store' }));
  expect(await merchant.getByRole('alert').innerText()).toContain('Not stored');
  await merchant.getByLabel('Amount').fill('1000.50');
  await follow(merchant.getByRole('button', { name: 'Store' }));
  expect(await merchant.getByRole('status').innerText()).toBe('1 order is stored.');

  await group('stranger.example').getByText('Discard', { exact: true }).click();
  await follow(group('stranger.example').getByRole('button', { name: 'Discard this report' }));
  expect(await merchant.getByText('No refused reports need attention.').isVisible()).toBe(true);
  const orders = await orderbeacon.orders(teamId);
  expect(orders.map(({ orderId, amount }) => [orderId, amount]).sort()).toEqual([
    ['a-1', 49.9],
    ['a-2', 49.9],
    ['b-1', 1000.5],
  ]);
});

it('without JavaScript a file is compared, and what is missing is stored', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  const merchant = await people.newMerchant(orderbeacon, teamId, '/compare', plain);
  const csv = 'orderId,amount,currency,email\ngone,5,EUR,bob@buyer.example\n';
  await merchant
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await follow(merchant.getByRole('button', { name: 'Compare' }));
  await follow(merchant.getByRole('button', { name: 'Store the missing order' }));
  await merchant.getByText('1 order is stored.').waitFor();
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ orderId: 'gone', email: 'bob@buyer.example' }]);
});
