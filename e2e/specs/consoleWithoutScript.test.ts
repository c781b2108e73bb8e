// @module-tag all
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { consoleLink, follow, newTeam, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();
const plain = { javaScriptEnabled: false };

it('without JavaScript a merchant signs in, chooses a range, reads and downloads orders, and signs out', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const merchant = await people.newPerson({ ...plain, acceptDownloads: true });
  const link = await consoleLink(orderbeacon, teamId);
  await merchant.goto(link);
  await merchant.getByLabel('paste it here').fill(link);
  await follow(merchant.getByRole('button', { name: 'Sign in' }));
  expect(new URL(merchant.url()).pathname).toBe(`/console/${teamId}`);
  await merchant.getByText('Show figures').click();
  expect(await merchant.locator('#figures').innerText()).toContain('Total');
  await merchant.getByText('More', { exact: true }).click();
  await merchant.getByLabel('From', { exact: true }).fill('2024-02-01');
  await merchant.getByLabel('To', { exact: true }).fill('2024-02-29');
  await follow(merchant.getByRole('button', { name: 'Show', exact: true }));
  await merchant.getByText(/No live orders: 1\s?–\s?29 Feb 2024/).waitFor();

  await follow(merchant.getByRole('link', { name: 'Orders', exact: true }));
  expect(await merchant.getByText('Reload this page to see new orders.').isVisible()).toBe(true);
  const download = merchant.waitForEvent('download');
  await merchant.getByRole('link', { name: 'Download CSV' }).click();
  expect(await text(await (await download).createReadStream())).toContain('o-1');
  await merchant.locator('header summary').click();
  await follow(merchant.getByRole('button', { name: 'Sign out', exact: true }));
  expect(new URL(merchant.url()).pathname).toBe('/console/sign-in');
});

it('without JavaScript domains are allowed and removed, and the menu of teams leads to another one', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const [cups, plates] = [await newTeam(orderbeacon, 'Cups'), await newTeam(orderbeacon, 'Plates')];
  const merchant = await people.newMerchant(orderbeacon, plates.teamId, '/setup/domains', plain);
  await merchant.getByLabel('Allow a domain').fill('https://new.example/thanks');
  await follow(merchant.getByRole('button', { name: 'Allow', exact: true }));
  await merchant.getByText('new.example is allowed.').waitFor();
  await merchant.locator('tr', { hasText: 'shop.example' }).locator('summary').click();
  await follow(merchant.getByRole('button', { name: 'Remove shop.example' }));
  expect(await orderbeacon.command('domain', 'list', '--team', plates.teamId)).toEqual([
    { domain: 'new.example', isTest: false },
  ]);

  await merchant.goto(`${orderbeacon.url}/console/sign-in`);
  await merchant.getByLabel('paste it here').fill(await consoleLink(orderbeacon, cups.teamId));
  await follow(merchant.getByRole('button', { name: 'Sign in' }));
  await merchant.locator('header summary', { hasText: 'Cups' }).click();
  await follow(merchant.getByRole('link', { name: 'Plates' }));
  await merchant.locator('header summary', { hasText: 'Plates' }).waitFor();
});

it('without JavaScript refused reports are stored, corrected and discarded', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report, reportRefused } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  for (const orderId of ['a-1', 'a-2']) await reportRefused({ orderId });
  await reportRefused({ orderId: 'b-1', amount: '1.000' }, 'https://shop.example');
  await reportRefused({ orderId: 'c-1' }, 'https://stranger.example');
  const merchant = await people.newMerchant(orderbeacon, teamId, '', plain);
  await follow(merchant.getByRole('link', { name: 'Fix them' }));
  const group = (words: string) => merchant.locator('article').filter({ hasText: words });
  await follow(group('checkout.example').getByRole('button', { name: 'Allow and store 2' }));
  expect(await merchant.getByRole('status').innerText()).toBe('2 live orders are stored.\nSee the orders');

  await follow(group('amount').getByRole('link', { name: 'Open each' }));
  await follow(merchant.locator('tbody a'));
  await merchant.getByLabel('Amount').fill('a thousand');
  await follow(merchant.getByRole('button', { name: 'Store' }));
  expect(await merchant.getByRole('alert').innerText()).toContain('Not stored');
  await merchant.getByLabel('Amount').fill('1000.50');
  await follow(merchant.getByRole('button', { name: 'Store' }));
  expect(await merchant.getByRole('status').innerText()).toBe('1 live order is stored.\nOpen the order');

  await group('stranger.example').getByText('Discard', { exact: true }).click();
  await follow(group('stranger.example').getByRole('button', { name: 'Discard 1 report' }));
  expect(await merchant.getByText('No refused reports need attention.').isVisible()).toBe(true);
  const orders = await orderbeacon.orders(teamId);
  expect(orders.map(({ orderId, amount }) => [orderId, amount]).sort()).toEqual([
    ['a-1', 49.9],
    ['a-2', 49.9],
    ['b-1', 1000.5],
    ['o-1', 49.9],
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
  await follow(merchant.getByRole('button', { name: 'Store 1 live order' }));
  await merchant.getByText('1 live order is stored.').waitFor();
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ orderId: 'gone', email: 'bob@buyer.example' }]);
  await follow(merchant.getByRole('button', { name: 'Undo' }));
  await merchant.getByText('1 live order is removed again.').waitFor();
  expect(await orderbeacon.orders(teamId)).toEqual([]);
});
