// @module-tag slow
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import type { Orderbeacon } from '../harness/orderbeacon.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';
import { addSource, signInBase64 } from '../harness/source.ts';

const people = setUpPeople();

it('axe finds nothing in any page and state, and nothing is wider than the page: light and dark, wide and narrow', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const [empty, full] = [
    await newTeam(orderbeacon, 'Empty'),
    await newTeam(orderbeacon, 'A shop with a name'),
  ];
  let last = { id: '' };
  for (let n = 0; n < 60; n++) {
    last = await full.report({
      orderId: `o-${n}`,
      name: 'Ann',
      currency: n % 2 ? 'USD' : 'EUR',
      items: [{ sku: 'TEE', name: 'T-shirt', price: 24.95, quantity: 2, gift: true }],
    });
  }
  await full.reportRefused({ orderId: 'r-1' });
  await full.reportRefused({ orderId: 'r-2', email: 'no email' }, 'https://shop.example');
  await full.reportRefused({ orderId: 'o-1', email: 'other@buyer.example' }, 'https://shop.example');
  await full.reportRefused({ items: ['x'.repeat(70_000)] }, 'https://shop.example');
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', full.teamId);
  const refunded = await fetch(`${orderbeacon.url}/svc-api/v1/orders/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ orderId: last.id, refundId: 'r-1', amount: 20, reason: 'It came late.' }),
  });
  expect(refunded.status).toBe(200);
  await orderbeacon.command('domain', 'add', '--team', full.teamId, '--test', 'localhost');
  await addSources(orderbeacon, full.teamId);
  await orderbeacon.command('domain', 'remove', '--team', empty.teamId, 'shop.example');

  const visit = async (page: Page, path: string) => {
    await page.goto(orderbeacon.url + path);
    await expectWellShown(page, path);
  };
  const stranger = await people.newPerson();
  await visit(stranger, '/console/sign-in');
  await stranger.getByLabel('paste it here').fill('wrong');
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  await stranger.getByRole('alert').waitFor();
  await expectWellShown(stranger, 'a wrong link');

  for (const [team, paths] of [
    [
      empty,
      [
        '/console',
        '/console/orders',
        '/console/orders?q=nothing',
        '/console/refused',
        '/console/refused?stored=2',
        '/console/refused/ref_x',
        '/console/setup',
        '/console/nowhere',
      ],
    ],
    [
      full,
      [
        '/console',
        '/console?range=30d&show=EUR',
        '/console?range=7d&mode=test',
        '/console?range=12m',
        '/console?range=custom&from=2026-02-31',
        '/console/orders?range=last-month',
        `/console/orders?from=${new Date().toISOString().slice(0, 10)}`,
        '/console/orders',
        '/console/orders?mode=test',
        `/console/orders/${last.id}`,
        '/console/refused',
        '/console/refused?stored=1&refused=2&left=3',
        '/console/refused?reason=domain_not_allowed&host=checkout.example&field=',
        '/console/setup',
      ],
    ],
  ] as const) {
    const merchant = await people.newPerson();
    await openConsole(merchant, await consoleLink(orderbeacon, team.teamId));
    for (const path of paths) await visit(merchant, path);
    if (team === full) {
      await merchant.goto(`${orderbeacon.url}/console?range=30d`);
      await merchant.getByText('Show figures').click();
      await expectWellShown(merchant, 'the figures');
    }
    await merchant.goto(`${orderbeacon.url}/console/setup`);
    await merchant.getByLabel('Allow a domain').fill('not a host');
    await merchant.getByRole('button', { name: 'Allow', exact: true }).click();
    await merchant.getByRole('alert').waitFor();
    await expectWellShown(merchant, 'not a host');
    await merchant.getByLabel('Its signing secret').fill('not one');
    await merchant.getByRole('button', { name: 'Add the source' }).click();
    await merchant.getByText('Not saved').waitFor();
    await expectWellShown(merchant, 'no secret of Stripe');
    await merchant.goto(`${orderbeacon.url}/console/setup`);
    await merchant.getByLabel('Address of a page with the tag').fill(`${orderbeacon.url}/docs`);
    await merchant.getByRole('button', { name: 'Check my page' }).click();
    await merchant.getByText('The tag: a problem').waitFor();
    await expectWellShown(merchant, 'a checked page');
    await merchant.getByLabel('Address of a page with the tag').fill('ftp://shop.example');
    await merchant.getByRole('button', { name: 'Check my page' }).click();
    await merchant.getByRole('alert').waitFor();
    await expectWellShown(merchant, 'a text that is no address');
    if (team === empty) continue;

    await merchant.goto(`${orderbeacon.url}/console/refused`);
    await merchant.locator('article').filter({ hasText: 'email' }).getByText('See each one').click();
    await merchant.locator('tbody a').click();
    await merchant.getByText('Discard', { exact: true }).click();
    await merchant.getByRole('button', { name: 'Store' }).click();
    await merchant.getByRole('alert').waitFor();
    await expectWellShown(merchant, 'a report that is not stored');
  }
});

/** Adds a source of each kind, one of which has orders of other ids than pages. */
async function addSources(orderbeacon: Orderbeacon, teamId: string) {
  const secret = 'a secret of the merchant';
  await orderbeacon.command('source', 'add', '--team', teamId, 'stripe');
  await orderbeacon.command('source', 'add', '--team', teamId, 'shopify', '--test');
  const source = await addSource(orderbeacon, teamId, 'woocommerce', secret);
  const billing = { email: 'ann@buyer.example' };
  const body = JSON.stringify({ id: 723, status: 'processing', total: '49.90', currency: 'EUR', billing });
  const signature = signInBase64(body, secret);
  const headers = { 'X-WC-Webhook-Topic': 'order.updated', 'X-WC-Webhook-Signature': signature };
  expect(await source.send(body, headers)).toBe(200);
}

it('the longest values are shown whole at 320 px too, and no amount breaks within its digits', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(5).slice(0, 255);
  const host = `${['h', 'i', 'j'].map((letter) => letter.repeat(63)).join('.')}.example`;
  const { teamId, report, reportRefused } = await newTeam(orderbeacon, long);
  const email = `${'b'.repeat(64)}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(53)}.example`;
  expect(email.length).toBe(254);
  const way = `${Date.now()} ${host} utm_source=mail&utm_campaign=${'k'.repeat(255)} /p`;
  const order = { orderId: 'o'.repeat(128), email, name: long, amount: 1e12 };
  let first = { id: '' };
  for (const currency of [
    'ISK',
    'USD',
    'JPY',
    'KWD',
    'GBP',
    'CHF',
    'SEK',
    'USDC',
    'IDR',
    'VND',
    'BTC',
    'EUR',
  ]) {
    const rest = { orderId: `${currency}-${'o'.repeat(120)}`, landings: Buffer.from(way).toString('base64') };
    first = await report({
      ...order,
      ...rest,
      currency,
      note: 'n'.repeat(4000),
      items: [{ name: long, price: 1e12 }],
    });
  }
  await reportRefused({ ...order, currency: 'EUR' }, `https://${host}`);
  const { key } = await orderbeacon.command<{ key: string }>(
    'key',
    'create',
    '--team',
    teamId,
    '--name',
    long,
  );
  const refund = { orderId: first.id, refundId: 'r'.repeat(128), amount: 999_999_999_999.99, reason: long };
  const refunded = await fetch(`${orderbeacon.url}/svc-api/v1/orders/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(refund),
  });
  expect(refunded.status).toBe(200);
  await orderbeacon.command('domain', 'add', '--team', teamId, host);
  await addSources(orderbeacon, teamId);

  const merchant = await people.newPerson({ locale: 'de-DE' });
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await expectWellShown(merchant, 'sums');
  for (const width of [320, 768, 1280]) {
    await merchant.setViewportSize({ width, height: 800 });
    const heights = await merchant
      .locator('.sums dd:not(.before)')
      .evaluateAll((figures) => figures.map((figure) => figure.getBoundingClientRect().height));
    expect([width, new Set(heights).size]).toEqual([width, 1]);
  }
  await report({ ...order, orderId: 'tiny', amount: 1e-20, currency: 'EUR' });
  const usual = 'first.lastname@mail.example';
  await report({ orderId: 'usual', email: usual });
  await merchant.reload();
  await expectWellShown(merchant, 'a sum of more digits than a phone is wide');
  await merchant.goto(`${orderbeacon.url}/console/setup`);
  await report({ ...order, orderId: 'long host' }, orderbeacon.url, `https://${host}`);
  await merchant.getByRole('button', { name: `Remove ${host}` }).click();
  await merchant.getByRole('link', { name: 'Keep it' }).waitFor();
  await expectWellShown(merchant, 'a domain with a long name that is asked about');
  await merchant.getByRole('link', { name: 'Keep it' }).click();
  await merchant.getByLabel('What the new key is for').fill(long);
  await merchant.getByRole('button', { name: 'Make a signing key' }).click();
  await merchant.getByRole('heading', { level: 1, name: 'The new signing key' }).waitFor();
  await expectWellShown(merchant, 'a new signing key');
  await merchant.getByRole('link', { name: 'Back to the setup' }).click();
  const revoke = merchant.getByRole('button', { name: /^Revoke …\S+ for ever/ });
  await merchant.getByText('Revoke', { exact: true }).waitFor();
  expect(await revoke.isVisible()).toBe(false);
  await expectWellShown(merchant, 'keys with long names');
  await merchant.setViewportSize({ width: 1280, height: 800 });
  for (const name of ['domains', 'keys', 'signing']) {
    const table = merchant.locator(`section[aria-labelledby=${name}]`);
    expect([name, await table.evaluate((box) => box.scrollWidth - box.clientWidth)]).toEqual([name, 0]);
  }
  await merchant.getByRole('button', { name: 'Refuse orders that are not signed' }).click();
  await merchant.getByRole('button', { name: 'Accept orders that are not signed' }).waitFor();
  await merchant.getByText('Revoke', { exact: true }).click();
  await revoke.click();
  await revoke.waitFor({ state: 'detached' });
  await expectWellShown(merchant, 'a revoked signing key');
  for (const path of ['?by=campaign', '/orders', `/orders/${first.id}`, '/refused']) {
    await merchant.goto(`${orderbeacon.url}/console${path}`);
    await expectWellShown(merchant, path);
    await merchant.setViewportSize({ width: 1280, height: 800 });
    const emails = merchant.locator('td').getByText(usual, { exact: true });
    for (const email of await emails.all())
      expect([path, await email.evaluate((text) => text.getClientRects().length)]).toEqual([path, 1]);
  }
});

it('the keyboard alone leads through the console, past its head immediately if wanted', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  const { orderNumber } = await report({ orderId: 'o-1' });
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  const focused = () => merchant.evaluate<string>('document.activeElement.textContent.trim()');
  await merchant.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  expect(
    await merchant.getByText('Skip to the content').evaluate((link) => link.getBoundingClientRect().left),
  ).toBeGreaterThanOrEqual(0);
  while ((await focused()) !== 'Orders') await merchant.keyboard.press('Tab');
  await merchant.keyboard.press('Enter');
  await merchant.waitForURL((url) => url.pathname === '/console/orders');
  await merchant.getByLabel('Order id, order number, email or name').focus();
  await merchant.keyboard.type('o-1');
  await merchant.keyboard.press('Enter');
  await merchant.waitForURL((url) => url.searchParams.get('q') === 'o-1');
  while ((await focused()) !== orderNumber) await merchant.keyboard.press('Tab');
  await merchant.keyboard.press('Enter');
  await merchant.getByRole('heading', { level: 1, name: orderNumber }).waitFor();
});
