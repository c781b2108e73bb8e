import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { consoleLink, follow, newTeam, openConsole, setUpPeople, watchTroubles } from '../harness/console.ts';
import { sharedOrderbeacon, startOwnOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('a link to the demo team’s console, printed by a command, shows the demo order as it arrives', async () => {
  const orderbeacon = await startOwnOrderbeacon();
  onTestFinished(() => orderbeacon.close());
  const [, demoTeam] = /^Demo team: +(team_\w+)$/m.exec(orderbeacon.output)!;
  const link = await consoleLink(orderbeacon, demoTeam!);
  const newcomer = await people.newPerson();
  await newcomer.goto(orderbeacon.url);
  await expect.poll(() => newcomer.url()).toBe(`${orderbeacon.url}/console/sign-in`);
  await openConsole(newcomer, link);
  await newcomer.getByRole('link', { name: 'Orders', exact: true }).click();
  await newcomer.getByText('New orders appear here by themselves.').waitFor();
  expect(await newcomer.locator('#orders tbody tr').first().innerText()).toContain('SAMPLE-');

  const shop = await newcomer.context().newPage();
  await shop.goto(`${orderbeacon.url}/demo`);
  const row = newcomer.locator('#orders tbody tr').filter({ hasText: 'ann@shop.example' });
  await row.waitFor();
  expect(await row.count()).toBe(1);
  expect(await row.innerText()).toMatch(/test[\s\S]*\$49\.90[\s\S]*Browser only/);

  const other = await people.newPerson();
  await other.goto(link);
  await other.getByRole('alert').waitFor();
  expect(await other.getByRole('alert').innerText()).toContain('used before');
  expect(other.url()).not.toContain('#');
  // The browser that has used it is signed in already.
  await newcomer.goto('about:blank');
  await openConsole(newcomer, link);
});

it('an empty list of orders says so until the first order arrives', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.getByRole('link', { name: 'Orders', exact: true }).click();
  await merchant.getByText('New orders appear here by themselves.').waitFor();
  expect(await merchant.getByText('No orders yet.').isVisible()).toBe(true);
  await report({ orderId: 'first' });
  await merchant.locator('#orders tbody tr').filter({ hasText: 'first' }).waitFor();
  expect(await merchant.getByText('No orders yet.').isVisible()).toBe(false);
});

it('a merchant finds an order, sees all of it, and downloads the very selection', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  for (let n = 0; n < 60; n++) await report({ orderId: `o-${n}`, name: `Buyer ${n}` });
  const merchant = await people.newPerson({ acceptDownloads: true });
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  expect(await merchant.getByRole('heading', { level: 2 }).first().innerText()).toContain('Live orders');
  expect(await merchant.locator('#chart canvas').count()).toBe(1);
  await follow(merchant.getByRole('link', { name: 'Orders', exact: true }));
  expect(await merchant.locator('#orders tbody tr').count()).toBe(50);
  await follow(merchant.getByRole('link', { name: 'Older' }));
  expect(await merchant.locator('#orders tbody tr').count()).toBe(10);

  await merchant.getByLabel('Order id, order number, email or name').fill('o-7');
  await merchant.keyboard.press('Enter');
  await merchant.waitForURL((url) => url.searchParams.get('q') === 'o-7');
  expect(await merchant.locator('#orders tbody tr').count()).toBe(1);
  const download = merchant.waitForEvent('download');
  await merchant.getByRole('link', { name: 'Download these as CSV' }).click();
  const csv = await text(await (await download).createReadStream());
  expect(csv.trim().split('\n')).toHaveLength(2);
  expect(csv).toContain('o-7,');
  await follow(merchant.locator('#orders tbody a'));
  expect(await merchant.locator('dl').first().innerText()).toContain('Buyer 7');
  expect(await merchant.locator('dl time').first().getAttribute('title')).toMatch(/GMT\+1|CET|CEST|GMT\+2/);
  expect(await merchant.getByText('Times in Europe/').count()).toBe(1);
});

it('two people who are signed in to two teams see one team each', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const [one, other] = [await newTeam(orderbeacon, 'One'), await newTeam(orderbeacon, 'Other')];
  const [ann, bob] = [await people.newPerson(), await people.newPerson()];
  await openConsole(ann, await consoleLink(orderbeacon, one.teamId));
  await openConsole(bob, await consoleLink(orderbeacon, other.teamId));
  for (const page of [ann, bob]) {
    await page.goto(`${orderbeacon.url}/console/orders`);
    await page.getByText('New orders appear here by themselves.').waitFor();
  }
  const [first, second] = [await one.report({ orderId: 'o-1' }), await other.report({ orderId: 'o-1' })];
  await ann.getByText(first.orderNumber).waitFor();
  await bob.getByText(second.orderNumber).waitFor();
  expect(await ann.getByText(second.orderNumber).count()).toBe(0);
  expect(await bob.getByText(first.orderNumber).count()).toBe(0);
  await bob.goto(`${orderbeacon.url}/console/orders/${first.id}`);
  expect(await bob.getByRole('heading', { level: 1 }).innerText()).toBe('This did not work');
});

it('who is signed out by the command sees nothing more, on an open page neither', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.goto(`${orderbeacon.url}/console/orders`);
  await merchant.getByText('New orders appear here by themselves.').waitFor();
  await orderbeacon.command('console', 'revoke', '--team', teamId);
  await merchant.getByText('The connection is lost').waitFor();
  const { orderNumber } = await report({ orderId: 'o-1' });
  await merchant.reload();
  expect(new URL(merchant.url()).pathname).toBe('/console/sign-in');
  expect(await merchant.content()).not.toContain(orderNumber);
});

it('no text in any field of an order runs, loads or breaks anything', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon, '<script>window.pwned=1</script>\u202eteam');
  const merchant = await people.newPerson();
  const troubles = watchTroubles(merchant, orderbeacon.url);
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.goto(`${orderbeacon.url}/console/orders`);
  await merchant.getByText('New orders appear here by themselves.').waitFor();

  const evil = `"'><script>window.pwned=1</script><img src=//evil.example onerror="window.pwned=1">\u202e`;
  const wide = 'W'.repeat(255);
  const hostile = await report({
    orderId: `${evil}1`,
    name: wide,
    visitorId: evil,
    items: [{ sku: evil, name: wide, variant: evil, category: evil, [evil]: { [evil]: [evil] } }],
  });
  await merchant.getByText(hostile.orderNumber).waitFor();
  const pages = [
    '/console/orders',
    `/console/orders/${hostile.id}`,
    '/console/setup',
    '/console',
    `/console/orders?q=${encodeURIComponent(evil)}`,
  ];
  for (const path of pages) {
    await merchant.goto(orderbeacon.url + path);
    expect([path, await merchant.evaluate('window.pwned'), troubles]).toEqual([path, undefined, []]);
    const overflow = await merchant.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect([path, overflow]).toEqual([path, 0]);
  }
  await merchant.goto(`${orderbeacon.url}/console/orders/${hostile.id}`);
  expect(await merchant.getByText(evil.slice(0, 40)).first().isVisible()).toBe(true);
});

it('everything but the live part works without JavaScript', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const merchant = await people.newPerson({ javaScriptEnabled: false, acceptDownloads: true });
  const link = await consoleLink(orderbeacon, teamId);
  await merchant.goto(link);
  await merchant.getByLabel('paste it here').fill(link);
  await follow(merchant.getByRole('button', { name: 'Sign in' }));
  expect(new URL(merchant.url()).pathname).toBe('/console');
  await merchant.getByText('Show figures').click();
  expect(await merchant.locator('#figures').innerText()).toContain('Together');
  await merchant.getByLabel('Range').selectOption('7 days');
  expect(await merchant.getByLabel('From').isVisible()).toBe(false);
  await follow(merchant.getByRole('button', { name: 'Show', exact: true }));
  // Today, and the six days without orders.
  expect(await merchant.locator('#figures tbody tr').count()).toBe(2);
  await merchant.getByLabel('Range').selectOption('Custom');
  await merchant.getByLabel('From').fill('2024-02-01');
  await merchant.getByLabel('To', { exact: true }).fill('2024-02-29');
  await follow(merchant.getByRole('button', { name: 'Show', exact: true }));
  expect(await merchant.getByText(/No live orders in 1\s?–\s?29 Feb 2024/).isVisible()).toBe(true);
  await merchant.getByLabel('To', { exact: true }).fill('2024-01-31');
  await follow(merchant.getByRole('button', { name: 'Show', exact: true }));
  expect(await merchant.getByRole('alert').innerText()).toContain('after the last one');
  expect(await merchant.getByLabel('To', { exact: true }).inputValue()).toBe('2024-01-31');

  await follow(merchant.getByRole('link', { name: 'Orders', exact: true }));
  expect(await merchant.locator('#orders tbody tr').count()).toBe(1);
  const { orderNumber } = await report({ orderId: 'o-2' });
  expect(await merchant.getByText('Reload this page to see new orders.').isVisible()).toBe(true);
  await merchant.reload();
  expect(await merchant.getByText(orderNumber).count()).toBe(1);
  const download = merchant.waitForEvent('download');
  await merchant.getByRole('link', { name: 'Download these as CSV' }).click();
  expect(await text(await (await download).createReadStream())).toContain(orderNumber);

  await merchant.getByRole('link', { name: 'Setup', exact: true }).click();
  await merchant.getByLabel('Allow a domain').fill('https://new.example/thanks');
  await merchant.getByRole('button', { name: 'Allow' }).click();
  await merchant.getByText('Allowed new.example.').waitFor();
  await merchant.getByRole('button', { name: 'Remove shop.example' }).click();
  await merchant.getByRole('heading', { name: 'Remove shop.example?' }).waitFor();
  await follow(merchant.getByRole('button', { name: 'Remove shop.example' }));
  const domains = await orderbeacon.command('domain', 'list', '--team', teamId);
  expect(domains).toEqual([{ domain: 'new.example', isTest: false }]);
  await follow(merchant.getByRole('button', { name: 'Sign out', exact: true }));
  expect(new URL(merchant.url()).pathname).toBe('/console/sign-in');
});
