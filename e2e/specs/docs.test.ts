// @module-tag all
import { chromium, type Page, type Browser as Playwright } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { patientMs } from '../browsers/patience.ts';
import { sharedBrowser, sharedOrderbeacon } from '../harness/shared.ts';

const orderbeacon = await sharedOrderbeacon();
let browser: Playwright;
let page: Page;
const requests: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  browser = await chromium.connect(await sharedBrowser('chromium'));
  page = await browser.newPage();
  page.setDefaultTimeout(patientMs);
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
});
afterAll(() => browser?.close());

it('the API reference reads a product with a pasted key, and sends no request to another site', async () => {
  const { id: teamId } = await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop');
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId, '--test');
  await orderbeacon.importProducts(teamId, [
    { title: 'Docs tee', slug: 'docs-tee', type: 'PHYSICAL', price: 24.95 },
  ]);

  await page.goto(`${orderbeacon.url}/docs/api`);
  await page.locator('.btn.authorize').click();
  await page.locator('.auth-container input').fill(key);
  await page.locator('.auth-container button[type=submit]').click();
  await page.locator('.btn-done').click();

  const operation = page.locator('#operations-Products-getProduct');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('tr[data-param-name=id] input').fill('docs-tee');
  await operation.locator('.btn.execute').click();
  const live = operation.locator('.live-responses-table');
  await live.waitFor();
  expect(await live.locator('.response-col_status').nth(1).innerText()).toMatch(/^200/);
  expect(await live.innerText()).toContain('Docs tee');

  const strangers = requests.filter(
    (url) => !url.startsWith(`${orderbeacon.url}/`) && !url.startsWith('data:'),
  );
  expect(strangers).toEqual([]);
  expect(requests).toContain(`${orderbeacon.url}/svc-api/v1/products/docs-tee`);
  expect(complaints).toEqual([]);
});

it('the API reference reports its example order as it stands there, without a key, and the order is stored', async () => {
  const before = complaints.length;
  await page.goto(`${orderbeacon.url}/docs/api`);
  const operation = page.locator('#operations-Orders-reportOrder');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.btn.execute').click();
  const live = operation.locator('.live-responses-table');
  await live.waitFor();
  expect(await live.locator('.response-col_status').nth(1).innerText()).toMatch(/^200/);

  const teamId = /team_[0-9a-z]{26}/.exec(orderbeacon.output)![0];
  const listed = await orderbeacon.command<{ orderId: string }[]>('order', 'list', '--team', teamId);
  // The demo's samples are orders, too.
  expect(listed.filter(({ orderId }) => !orderId.startsWith('SAMPLE-'))).toMatchObject([
    { orderId: 'A-1001', email: 'ann@shop.example', amount: 49.9, isTest: true },
  ]);
  expect(complaints.slice(before)).toEqual([]);
});
