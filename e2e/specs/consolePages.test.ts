// @module-tag all
// @module-tag slow
import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import type { Orderbeacon } from '../harness/orderbeacon.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';
import { addSource, signInBase64 } from '../harness/source.ts';

const people = setUpPeople();

/** Values of the greatest lengths. */
const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(5).slice(0, 255);
const host = `${['h', 'i', 'j'].map((letter) => letter.repeat(63)).join('.')}.example`;
const email = `${'b'.repeat(64)}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(53)}.example`;
const campaign = 'k'.repeat(255);
const currencies = ['ISK', 'USD', 'JPY', 'KWD', 'GBP', 'CHF', 'SEK', 'USDC', 'IDR', 'VND', 'BTC', 'EUR'];

let orderbeacon: Orderbeacon;
/** A team without anything, and a team with everything that a page can show, with the longest values. */
let empty: string;
let full: string;
let order: { id: string };

beforeAll(async () => {
  orderbeacon = await sharedOrderbeacon();
  empty = (await newTeam(orderbeacon, 'Empty')).teamId;
  await orderbeacon.command('domain', 'remove', '--team', empty, 'shop.example');
  const shop = await newTeam(orderbeacon, long);
  full = shop.teamId;
  const hook = ['hook', 'add', '--team', full, 'http://127.0.0.1:9/', '--allow-private'];
  await orderbeacon.command(...hook);

  const landing = `${Date.now()} ${host} utm_source=mail&utm_campaign=${campaign} /p`;
  const landings = Buffer.from(landing).toString('base64');
  const item = { sku: 'TEE', name: long, price: 1e12, quantity: 2, gift: true };
  const largest = { email, name: long, amount: 1e12, note: 'n'.repeat(4000), items: [item], landings };
  const [first] = await Promise.all(
    currencies.map((currency) =>
      shop.report({ ...largest, orderId: `${currency}-${'o'.repeat(120)}`, currency }),
    ),
  );
  order = first!;
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => shop.report({ orderId: `o-${n}`, currency: 'EUR' })),
  );
  await shop.reportRefused({ ...largest, orderId: 'r-1' });
  await shop.reportRefused({ orderId: 'r-2', email: 'no email' }, 'https://shop.example');
  await shop.reportRefused({ orderId: 'o-1', email: 'other@buyer.example' }, 'https://shop.example');
  await orderbeacon.command('domain', 'add', '--team', full, host);
  await orderbeacon.command('domain', 'add', '--team', full, '--live', 'localhost');
  await shop.report({ ...largest, orderId: 'host' }, orderbeacon.url, `https://${host}`);

  const named = ['key', 'create', '--team', full, '--name', long];
  const { key } = await orderbeacon.command<{ key: string }>(...named);
  const refund = { orderId: order.id, refundId: 'r'.repeat(128), amount: 999_999_999_999.99, reason: long };
  const refunded = await fetch(`${orderbeacon.url}/svc-api/v1/orders/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(refund),
  });
  expect(refunded.status).toBe(200);
  await addSources(full);
});

/** Adds a source of each kind. One of them has orders with other ids than those of pages. */
async function addSources(teamId: string) {
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

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

/** Fills in a field and presses a button. */
const enter = (label: string, text: string, button: string) => async (page: Page) => {
  await page.getByLabel(label).fill(text);
  await press(page, button);
};

/** Each page, without data and with the longest values, and the step after which it is checked. */
const pages: [
  state: string,
  team: 'nobody' | 'empty' | 'full',
  path: string,
  step?: (page: Page) => unknown,
][] = [
  ['a wrong link', 'nobody', '/sign-in', enter('paste it here', 'wrong', 'Sign in')],
  ['an overview without orders', 'empty', ''],
  ['a list without orders', 'empty', '/orders'],
  ['no refused report', 'empty', '/refused'],
  ['no webhook', 'empty', '/webhooks'],
  ['a page that is not there', 'empty', '/nowhere'],
  [
    'the overview with its figures',
    'full',
    '?by=campaign&range=30d',
    (page) => page.getByText('Show figures').click(),
  ],
  ['a range that is none', 'full', '/orders?range=custom&from=2026-02-31'],
  ['orders', 'full', '/orders'],
  [
    'an order and its forms',
    'full',
    '/orders/…',
    (page) => page.locator('summary', { hasText: 'Refund' }).click(),
  ],
  ['groups of refused reports', 'full', '/refused'],
  ['a report that is not stored', 'full', '/refused', storeInvalid],
  ['the tag for Tag Manager', 'full', '/setup/install?platform=tag-manager'],
  ['the plugin for WooCommerce', 'empty', '/setup/install?platform=woocommerce'],
  ['the plugin of a source that there is', 'full', '/setup/install?platform=woocommerce', openDownload],
  ['a checked page', 'full', '/setup/install', checkPage],
  ['a text that is no domain', 'full', '/setup/domains', enter('Allow a domain', 'not a host', 'Allow')],
  [
    'no secret of Stripe',
    'full',
    '/setup/sources',
    enter('Signing secret, if you have it', 'not one', 'Add the source'),
  ],
  ['keys and colleagues', 'full', '/setup/keys'],
  ['a new link', 'full', '/setup/keys', (page) => press(page, 'Make a link')],
  ['webhooks and deliveries', 'full', '/webhooks', failed],
  ['a delivery', 'full', '/webhooks', (page) => page.locator('.delivery > summary').first().click()],
  ['no webhook of that address', 'full', '/webhooks', addWebhook],
  ['differences of an export', 'full', '/compare', compare],
  ['two teams', 'full', '', openSecondTeam],
];

it.each(pages)('%s is well shown, wide and narrow', async (state, team, path, step) => {
  const at = path.replace('…', order.id);
  const teamId = team === 'full' ? full : empty;
  const page = await (team === 'nobody'
    ? people.newPerson()
    : people.newMerchant(orderbeacon, teamId, at, { locale: 'de-DE' }));
  if (team === 'nobody') await page.goto(`${orderbeacon.url}/console${at}`);
  await step?.(page);
  await expectWellShown(page, state);
});

async function addWebhook(page: Page) {
  await page.getByText('Add a webhook').click();
  await page.getByLabel('Endpoint URL').fill('https://127.0.0.1/');
  await press(page, 'Add the webhook');
  await page.getByRole('alert').waitFor();
}

async function storeInvalid(page: Page) {
  await page.locator('article').filter({ hasText: 'email' }).getByRole('link', { name: 'Open each' }).click();
  await page.locator('tbody a').first().click();
  await press(page, 'Store');
  await page.getByRole('alert').waitFor();
}

async function openDownload(page: Page) {
  await page.locator('summary', { hasText: 'Download the plugin' }).click();
}

async function checkPage(page: Page) {
  await enter('Address of a page with the tag', `${orderbeacon.url}/docs`, 'Check my page')(page);
  await page.getByText('The tag: failed').waitFor();
}

/** Waits until the webhook is marked as failing, which happens after its first delivery. */
async function failed(page: Page) {
  const marked = async () => {
    await page.reload();
    return page.getByText('Every attempt has failed since').count();
  };
  await expect.poll(marked).toBeGreaterThan(0);
}

async function compare(page: Page) {
  const rows = [
    'orderId,amount,currency,email,createdAt',
    `${'g'.repeat(128)},1000000000000,EUR,${email},2026-05-01`,
  ];
  rows.push('o-1,66,EUR,,2026-05-01', 'lost,1.2.3,EUR,,2026-05-01', `${long},5,EUR,,2026-05-01`);
  const buffer = Buffer.from(rows.join('\n'));
  const file = page.getByLabel('File', { exact: true });
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
  await press(page, 'Compare with your live orders');
  await page.getByRole('heading', { name: 'Missing here' }).waitFor();
}

async function openSecondTeam(page: Page) {
  await openConsole(page, await consoleLink(orderbeacon, empty));
  await page.locator('summary', { hasText: 'Empty' }).click();
}

it('no amount breaks within its digits, at any width that they fit in', async () => {
  const merchant = await people.newMerchant(orderbeacon, full, '/orders', { locale: 'de-DE' });
  for (const width of [320, 768, 1280]) {
    await merchant.setViewportSize({ width, height: 800 });
    const heights = await merchant
      .locator('#orders td.value')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect([width, heights.length > 10, Math.max(...heights) < 45]).toEqual([width, true, true]);
  }
});

it('no open menu leaves the screen of a small phone', async () => {
  const merchant = await people.newMerchant(orderbeacon, full);
  await merchant.setViewportSize({ width: 320, height: 800 });
  for (const path of ['', '/orders', '/refused', '/webhooks', '/setup/domains', '/setup/keys']) {
    await merchant.goto(`${orderbeacon.url}/console/${full}${path}`);
    const outside = await merchant.locator('details.dropdown').evaluateAll((menus) =>
      menus.filter((menu) => {
        menu.setAttribute('open', '');
        const { left, right } = menu.querySelector('ul')!.getBoundingClientRect();
        menu.removeAttribute('open');
        return left < 0 || right > 320;
      }),
    );
    expect([path, outside.length]).toEqual([path, 0]);
  }
});

it('the keyboard alone leads through the console, past its head immediately if wanted', async () => {
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const merchant = await people.newMerchant(orderbeacon, teamId);
  const focused = () => merchant.evaluate<string>('document.activeElement.textContent.trim()');
  await merchant.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  const skip = merchant.getByText('Skip to the content');
  expect(await skip.evaluate((link) => link.getBoundingClientRect().left)).toBeGreaterThanOrEqual(0);
  while ((await focused()) !== 'Orders') await merchant.keyboard.press('Tab');
  await merchant.keyboard.press('Enter');
  await merchant.waitForURL((url) => url.pathname.endsWith('/orders'));
  await merchant.getByLabel('Order id, order number, email or name').focus();
  await merchant.keyboard.type('o-1');
  await merchant.keyboard.press('Enter');
  await merchant.waitForURL((url) => url.searchParams.get('q') === 'o-1');
  while ((await focused()) !== 'o-1') await merchant.keyboard.press('Tab');
  await merchant.keyboard.press('Enter');
  await merchant.getByRole('heading', { level: 1, name: 'Orders / o-1' }).waitFor();
});
