// @module-tag all
import { expect, it } from 'vitest';
import { newTeam, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('a filter applies when it changes and keeps the focus; a custom range has a button for its two days', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const merchant = await people.newMerchant(orderbeacon, teamId, '/orders');
  const show = merchant.getByRole('button', { name: 'Show', exact: true });
  const choose = (label: string, words: string) => merchant.getByLabel(label).selectOption(words);
  expect(await show.isVisible()).toBe(false);
  await choose('Range', '7 days');
  await merchant.waitForURL(/range=7d/);
  expect(await merchant.evaluate('document.activeElement.name')).toBe('range');
  // Going back shows the filters of the page to which it leads.
  await merchant.goBack();
  expect(await merchant.getByLabel('Range').inputValue()).toBe('');
  await choose('Range', 'Custom');
  await merchant.getByLabel('From').fill('2024-02-01');
  await merchant.getByLabel('To', { exact: true }).fill('2024-02-29');
  await show.click();
  await merchant.getByText('No orders in this time.').waitFor();
  await merchant.waitForLoadState();
  await choose('Range', 'Any time');
  await merchant.getByRole('link', { name: 'o-1' }).waitFor();
  await merchant.waitForLoadState();
  await choose('Reported by', 'Not by a page');
  await merchant.waitForURL(/by=key/);
  expect(await merchant.locator('#orders tbody tr').count()).toBe(0);
});

it('live and test are one switch for all pages, and a tile shows its chart, whose bars say their figures', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  for (const orderId of ['o-1', 'o-2']) await report({ orderId });
  const merchant = await people.newMerchant(orderbeacon, teamId, '?range=7d');
  expect(await merchant.locator('svg[role=img] title').last().textContent()).toMatch(
    /2 orders, \$99\.80\. 0 confirmed, 2 browser only\.$/,
  );
  await merchant.getByRole('link', { name: /^Gross/ }).click();
  await merchant.getByRole('heading', { name: 'Gross in USD by day' }).first().waitFor();
  await merchant.getByText('Show figures').click();
  expect(await merchant.locator('#figures').isVisible()).toBe(true);
  await merchant.getByRole('link', { name: 'Test', exact: true }).click();
  await merchant.waitForURL(/mode=test/);
  await merchant.getByRole('link', { name: 'Orders', exact: true }).click();
  await merchant.getByText('No orders yet.').waitFor();
  expect(new URL(merchant.url()).searchParams.get('mode')).toBe('test');
  expect(await merchant.locator('html').getAttribute('data-mode')).toBe('test');
  await merchant.getByRole('link', { name: 'Live', exact: true }).click();
  await merchant.getByRole('link', { name: 'o-1' }).waitFor();
});
