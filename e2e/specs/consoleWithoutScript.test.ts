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
