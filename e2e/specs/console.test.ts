import { expect, it } from 'vitest';
import { clipboardPermissions, holdClipboard } from '../harness/clipboard.ts';
import {
  consoleLink,
  newTeam,
  openConsole,
  setUpPeople,
  stopClock,
  watchTroubles,
} from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('a link that a command printed signs one browser in, leaves no token in the address, and times are in the shop’s zone', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const link = await consoleLink(orderbeacon, teamId);
  const newcomer = await people.newPerson();
  await newcomer.goto(orderbeacon.url);
  await expect.poll(() => newcomer.url()).toContain(`${orderbeacon.url}/console/sign-in?to=`);
  await openConsole(newcomer, link);
  await newcomer.getByText('Times in UTC').waitFor();
  const time = newcomer.locator('#orders time').first();
  expect(await time.getAttribute('title')).toMatch(/UTC/);

  const other = await people.newPerson();
  await other.goto(link);
  await other.getByRole('alert').getByText('used before').waitFor();
  expect(other.url()).not.toContain('#');
  // The browser that has used the link is signed in already.
  await newcomer.goto('about:blank');
  await openConsole(newcomer, link);
});

it('a button that is pressed twice before the answer comes adds one webhook', { tags: ['all'] }, async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  const merchant = await people.newMerchant(orderbeacon, teamId, '/webhooks');
  let sent = 0;
  const pressedTwice = merchant.waitForEvent('console', (message) => message.text() === 'pressed twice');
  // The server gets the form immediately. Its answer arrives after both presses.
  await merchant.route('**/webhooks', async (route) => {
    sent++;
    const response = await route.fetch();
    await pressedTwice;
    await route.fulfill({ response }).catch(() => {});
  });
  await merchant.getByText('Add a webhook').click();
  await merchant.getByLabel('Endpoint URL').fill('https://hooks.example/');
  // The page itself clicks, because Playwright waits for an answer between two clicks.
  await merchant.getByRole('button', { name: 'Add the webhook' }).evaluate((button) => {
    (button as HTMLElement).click();
    setTimeout(() => {
      (button as HTMLElement).click();
      console.log('pressed twice');
    }, 300);
  });
  await merchant.getByText(/^whsec_/).waitFor();
  expect(sent).toBe(1);
  expect(await orderbeacon.command('hook', 'list', '--team', teamId)).toHaveLength(1);
});

it('the pieces of a platform are found by keyboard and copied by a button, which says so once', {
  tags: ['all'],
}, async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  await holdClipboard();
  const merchant = await people.newMerchant(orderbeacon, teamId, '/setup/install', {
    permissions: clipboardPermissions,
  });
  const tab = merchant.getByRole('navigation', { name: 'Platform' }).getByText('Tag Manager');
  await tab.focus();
  await merchant.keyboard.press('Enter');
  await merchant.getByRole('link', { name: 'More on Tag Manager' }).waitFor();
  expect(await tab.getAttribute('aria-current')).toBe('true');
  // A button says “Copied” for 3 s.
  await stopClock(merchant, Date.now());
  await merchant.reload();
  const copy = (name: string) => merchant.getByRole('button', { name });
  const clipboard = () => merchant.evaluate(() => navigator.clipboard.readText());
  await copy('Copy the piece for every page').click();
  await copy('Copied the piece for every page').waitFor();
  expect(await clipboard()).toContain(`/sdk/track.js?team=${teamId}`);
  await copy('Copy the piece for the confirmation page').click();
  await copy('Copied the piece for the confirmation page').waitFor();
  expect(await merchant.getByText('Copied').count()).toBe(1);
  expect(await clipboard()).toContain("track('order'");
});

it('no text of an order or a refused report runs, loads or breaks anything, nor does it live', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const evil = `"'></pre></script><script>window.pwned=1</script><img src=//evil.example onerror="window.pwned=1">\u202e`;
  const wide = 'W'.repeat(5000);
  const shop = await newTeam(orderbeacon, `${evil}team`);
  const merchant = await people.newMerchant(orderbeacon, shop.teamId, '/setup/install');
  const troubles = watchTroubles(merchant, orderbeacon.url);
  await merchant.getByText('New orders appear automatically.').waitFor();

  const items = [{ sku: evil, name: wide, variant: evil, category: evil, [evil]: { [evil]: [evil] } }];
  const { id } = await shop.report({ orderId: `${evil}1`, name: wide.slice(0, 255), visitorId: evil, items });
  const host = `https://${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(63)}.example`;
  const texts = { name: evil, source: evil, visitorId: evil, items: [evil, { [evil]: wide }], [evil]: evil };
  await shop.reportRefused({ ...texts, orderId: evil, email: evil, amount: evil, currency: evil }, host);
  await shop.reportRefused({ orderId: { [evil]: [evil] }, email: [evil], amount: { [wide]: 1 } });
  await shop.reportRefused({ orderId: wide, email: wide, amount: wide, currency: wide }, host);
  await merchant.locator('#orders tbody tr').waitFor();

  const look = async (path: string) => {
    if (path !== 'live') await merchant.goto(orderbeacon.url + path);
    const overflow = await merchant.evaluate('document.documentElement.scrollWidth - innerWidth');
    const pwned = await merchant.evaluate('window.pwned');
    expect([path, pwned, troubles, overflow]).toEqual([path, undefined, [], 0]);
  };
  await look('live');
  for (const path of ['', '/setup/domains', '/orders', `/orders/${id}`, '/refused'])
    await look(`/console${path}`);
  const hrefs = () =>
    merchant
      .locator('main a[href*="/refused"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  const groups = (await hrefs()).filter((href) => href.includes('reason='));
  expect(groups).toHaveLength(3);
  for (const group of groups) {
    await look(group);
    for (const report of (await hrefs()).filter((href) => href.includes('/ref_'))) await look(report);
  }
  await look(`/console/orders?q=${encodeURIComponent(evil)}`);
  await look(
    `/console/refused?${new URLSearchParams({ reason: evil, host: evil, field: evil, before: evil })}`,
  );
  await merchant.goto(`${orderbeacon.url}/console/orders/${id}`);
  expect(await merchant.getByText(evil.slice(0, 40)).first().isVisible()).toBe(true);
});

it('the setup takes the browser’s time zone in one press, where the shop has none of its own', {
  tags: ['all'],
}, async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  const merchant = await people.newMerchant(orderbeacon, teamId, '/setup/shop', { timezoneId: 'Asia/Tokyo' });
  await merchant.getByRole('button', { name: 'Use Asia/Tokyo' }).click();
  await merchant.getByText('Times in Asia/Tokyo').waitFor();
  expect(await merchant.getByRole('button', { name: 'Use Asia/Tokyo' }).count()).toBe(0);
});
