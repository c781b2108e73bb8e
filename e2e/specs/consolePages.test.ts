import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

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
  await orderbeacon.command('key', 'create', '--team', full.teamId, '--name', 'webhook');
  await orderbeacon.command('domain', 'add', '--team', full.teamId, '--test', 'localhost');
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
    await merchant.goto(`${orderbeacon.url}/console/setup`);
    await merchant.getByLabel('Allow a domain').fill('not a host');
    await merchant.getByRole('button', { name: 'Allow', exact: true }).click();
    await merchant.getByRole('alert').waitFor();
    await expectWellShown(merchant, 'not a host');
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

it('the keyboard alone leads through the console, past its head at once if wanted', async () => {
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
  await merchant.getByLabel('Order id, order number or email').focus();
  await merchant.keyboard.type('o-1');
  await merchant.keyboard.press('Enter');
  await merchant.waitForURL((url) => url.searchParams.get('q') === 'o-1');
  while ((await focused()) !== orderNumber) await merchant.keyboard.press('Tab');
  await merchant.keyboard.press('Enter');
  await merchant.getByRole('heading', { level: 1, name: orderNumber }).waitFor();
});
