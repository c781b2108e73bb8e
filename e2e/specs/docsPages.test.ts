// @module-tag all
import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { clipboardPermissions, holdClipboard } from '../harness/clipboard.ts';
import { setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('axe finds nothing in the documentation, and nothing is wider than the page: light and dark, wide and narrow', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  // The contents, a guide with tables and code, and a guide with a picture.
  for (const name of ['', '/sdk/orders', '/how-orders-become-one']) {
    await reader.goto(`${orderbeacon.url}/docs${name}`);
    await expectWellShown(reader, `/docs${name}`);
  }
});

it('axe finds nothing in the API reference, closed, open and answered: light and dark, wide and narrow', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  await reader.goto(`${orderbeacon.url}/docs/api`);
  await reader.locator('#operations-Products-getProduct').waitFor();
  await expectWellShown(reader, 'closed');
  await reader.setViewportSize({ width: 1200, height: 800 });
  for (const operation of ['Products-getProduct', 'Orders-reportOrder'])
    await reader.locator(`#operations-${operation} .opblock-summary-control`).click();
  await reader.locator('#operations-Orders-reportOrder .btn.execute').click();
  await reader.locator('.live-responses-table').waitFor();
  await reader.locator('.models-control').click();
  await expectWellShown(reader, 'open');
  await reader.setViewportSize({ width: 1200, height: 800 });
  await reader.locator('.btn.authorize').click();
  await reader.locator('.auth-container input').waitFor();
  await expectWellShown(reader, 'the form for a key');
});

it('a reader goes from the contents to a heading of a guide, and on to a picture that is shown', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  const complaints: string[] = [];
  reader.on('console', (message) => complaints.push(message.text()));
  await reader.goto(`${orderbeacon.url}/docs`);
  await reader.getByRole('main').getByRole('link', { name: 'When reports contradict each other' }).click();
  await reader.waitForURL(`${orderbeacon.url}/docs/how-orders-become-one#when-reports-contradict-each-other`);
  const picture = reader.getByRole('img');
  const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  await reader.getByRole('link', { name: 'order_conflict' }).click();
  await reader.waitForURL(`${orderbeacon.url}/docs/errors#order_conflict`);
  await reader.getByRole('heading', { name: 'order_conflict' }).waitFor();
  expect(complaints).toEqual([]);
});

it('a reader finds a guide by words of its headings or its text from any page, and copies its code', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  await reader.goto(`${orderbeacon.url}/docs/settings`);
  const search = reader.getByRole('searchbox', { name: 'Search the documentation' });
  await search.fill('hostname zebra');
  await search.press('Enter');
  await reader.getByText(/^0 of \d+ documents$/).waitFor();
  for (const word of ['currency', 'nginx', 'docker', 'csp', 'GDPR', 'utm']) {
    await search.fill(word);
    await reader.getByText(/^[1-9]\d* of \d+ documents$/).waitFor();
  }
  await search.fill('nginx proxy_set_header');
  await reader.getByText(/^2 of \d+ documents$/).waitFor();
  expect(await reader.locator('main li:not([hidden])').first().innerText()).toMatch(/… .*nginx.* …/s);
  await search.fill('container START docker build');
  await reader.getByText(/^[1-9]\d* of \d+ documents$/).waitFor();
  await reader.getByRole('main').getByRole('link', { name: 'Container', exact: true }).click();
  await reader.waitForURL(`${orderbeacon.url}/docs/deploying#container`);
  await holdClipboard();
  await reader.context().grantPermissions(clipboardPermissions);
  await reader.getByRole('button', { name: 'Copy' }).nth(1).click();
  await reader.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(
    'docker build --tag orderbeacon --file server/Dockerfile .packages',
  );
});

it('a search finds what a reader typed before the script of its page came', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const reader = await people.newPerson();
  let send = () => {};
  const typed = new Promise<void>((resolve) => {
    send = resolve;
  });
  await reader.route(/pages\.js/, async (route) => {
    await typed;
    await route.continue();
  });
  await reader.goto(`${orderbeacon.url}/docs?q=zebra`, { waitUntil: 'commit' });
  const search = reader.getByRole('searchbox', { name: 'Search the documentation' });
  await search.fill('currency');
  send();
  await reader.getByText(/^[1-9]\d* of \d+ documents$/).waitFor();
  expect(await search.inputValue()).toBe('currency');
});
