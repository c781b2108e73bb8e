import { expect, it } from 'vitest';
import { expectWellShown } from '../harness/axe.ts';
import { consoleLink, newTeam, openConsole, setUpPeople, stopClock } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('the pieces of each platform are found by keyboard and copied by a button, which says so once', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  const merchant = await people.newPerson({ permissions: ['clipboard-read', 'clipboard-write'] });
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.goto(`${orderbeacon.url}/console/setup`);
  const tab = (name: string) => merchant.getByRole('navigation', { name: 'Platform' }).getByText(name);
  for (const name of ['WooCommerce', 'Shopify', 'Tag Manager']) {
    await tab(name).focus();
    await merchant.keyboard.press('Enter');
    await merchant.waitForURL((url) => url.hash === '#tag' && url.search !== '');
    await merchant.getByRole('link', { name: `More on ${name}` }).waitFor();
    expect(await tab(name).getAttribute('aria-current')).toBe('page');
    await expectWellShown(merchant, `the tag for ${name}`);
  }
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

it('the steps tick themselves off while the page is open, and without JavaScript after a reload', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await expectWellShown(merchant, 'three steps on the overview');
  await merchant.goto(`${orderbeacon.url}/console/setup`);
  await merchant.getByText('New orders appear here by themselves.').waitFor();
  const done = merchant.locator('.steps .done');
  expect(await done.allTextContents()).toEqual(['Allow the domain of your pages: done']);
  await report({ orderId: 'o-1' });
  await expect.poll(() => done.count()).toBe(3);
  await expectWellShown(merchant, 'three steps that are done');

  const plain = await people.newPerson({
    javaScriptEnabled: false,
    storageState: await merchant.context().storageState(),
  });
  await plain.goto(`${orderbeacon.url}/console/setup`);
  expect(await plain.locator('.steps .done').count()).toBe(3);
  await plain.getByRole('link', { name: 'Shopify', exact: true }).click();
  expect(await plain.locator('pre.piece').first().innerText()).toContain('rememberVisitor');
});

it('what allowing a domain did, and a warning of localhost, are well shown', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  await orderbeacon.command('domain', 'add', '--team', teamId, '--live', 'localhost');
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.goto(`${orderbeacon.url}/console/setup`);
  await merchant.getByLabel('Allow a domain').fill('https://www.New.example/cart?x#y');
  await merchant.getByRole('button', { name: 'Allow', exact: true }).click();
  await merchant.getByText('Allowed www.new.example.').waitFor();
  await merchant.getByText('Orders of localhost count as live.').waitFor();
  await expectWellShown(merchant, 'an allowed domain and a warning');
  await merchant.getByRole('button', { name: 'Make its orders tests' }).click();
  await merchant.getByText('Orders of localhost are tests from now on.').waitFor();
});
