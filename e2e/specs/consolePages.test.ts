import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page. */
async function findFaults(page: Page): Promise<string[]> {
  // Past the page's policy, which lets no such script in.
  await page.evaluate(axe);
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
  ['dark', 320],
] as const)(
  'axe finds nothing in any page and state, and nothing is wider than the page: %s, %i px',
  async (colorScheme, width) => {
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
    await orderbeacon.command('key', 'create', '--team', full.teamId, '--name', 'webhook');
    await orderbeacon.command('domain', 'add', '--team', full.teamId, '--test', 'localhost');
    await orderbeacon.command('domain', 'remove', '--team', empty.teamId, 'shop.example');

    const visit = async (page: Page, path: string) => {
      await page.goto(orderbeacon.url + path);
      await page.waitForLoadState('load');
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([path, await findFaults(page), overflow]).toEqual([path, [], 0]);
    };
    const options = { colorScheme, viewport: { width, height: 800 } };
    const stranger = await people.newPerson(options);
    await visit(stranger, '/demo');
    await visit(stranger, '/console/sign-in');
    await stranger.getByLabel('paste it here').fill('wrong');
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').waitFor();
    expect(await findFaults(stranger)).toEqual([]);

    for (const [team, paths] of [
      [
        empty,
        ['/console', '/console/orders', '/console/orders?q=nothing', '/console/setup', '/console/nowhere'],
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
          '/console/setup',
        ],
      ],
    ] as const) {
      const merchant = await people.newPerson(options);
      await openConsole(merchant, await consoleLink(orderbeacon, team.teamId));
      for (const path of paths) await visit(merchant, path);
      await merchant.goto(`${orderbeacon.url}/console/setup`);
      await merchant.getByLabel('Allow a domain').fill('not a host');
      await merchant.getByRole('button', { name: 'Allow' }).click();
      await merchant.getByRole('alert').waitFor();
      expect(await findFaults(merchant)).toEqual([]);
    }
  },
);

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
