import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { newTeam, setUpPeople, stopClock } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

/** A merchant with the overview of a team; `open` opens it anew, with its stream of orders. */
async function openOverview(orders: number) {
  const orderbeacon = await sharedOrderbeacon();
  const team = await newTeam(orderbeacon);
  for (let n = 0; n < orders; n++) await team.report({ orderId: `before-${n}` });
  const merchant = await people.newMerchant(orderbeacon, team.teamId, '/check');
  const open = async (path = '') => {
    await merchant.goto(`${orderbeacon.url}/console/${team.teamId}${path}`);
    await merchant.getByText('New orders appear here by themselves.').waitFor();
  };
  return { ...team, orderbeacon, merchant, open };
}

/** Tells a page that it is hidden, or seen again, as a browser does when another tab is chosen. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, isHidden);

const ordersTile = (page: Page) => page.locator('.sums dd').first();

it('the overview’s ten newest orders grow, and its figures follow at most every 15 s, or until all is counted, with what was unfolded', async () => {
  const { merchant, report, open, teamId } = await openOverview(10);
  const fetches: string[] = [];
  merchant.on('request', (request) => {
    if (request.resourceType() === 'fetch') fetches.push(new URL(request.url()).pathname);
  });
  await stopClock(merchant, Date.now());
  await open();
  expect(await ordersTile(merchant).innerText()).toBe('10');
  await merchant.getByText('Show figures').click();
  const canvas = await merchant.locator('#chart canvas').elementHandle();
  await report({ orderId: 'o-1' });
  const rows = merchant.locator('#orders tbody tr');
  await rows.filter({ hasText: 'o-1' }).waitFor();
  expect(await rows.count()).toBe(10);
  await merchant.clock.fastForward(0);
  await expect.poll(() => ordersTile(merchant).innerText()).toBe('11');
  expect(await merchant.locator('#figures').isVisible()).toBe(true);
  await expect.poll(() => merchant.locator('#chart canvas').count()).toBe(1);
  expect(await canvas!.evaluate((drawn) => drawn.isConnected)).toBe(false);
  expect(fetches).toEqual([`/console/${teamId}`]);

  for (const orderId of ['o-2', 'o-3']) {
    await report({ orderId });
    await rows.filter({ hasText: orderId }).waitFor();
  }
  expect([fetches.length, await ordersTile(merchant).innerText()]).toEqual([1, '11']);
  await merchant.clock.fastForward(15_000);
  await expect.poll(() => ordersTile(merchant).innerText()).toBe('13');
  expect(fetches).toHaveLength(2);

  // As where a longer range is counted for the first time: the server's sums are made within its first answer here.
  const counting = merchant.locator('[data-counting]');
  await merchant.locator('[data-fresh=notices]').evaluate((notices) => {
    notices.append(Object.assign(document.createElement('p'), { textContent: 'Counting' }));
    notices.lastElementChild!.setAttribute('data-counting', '');
  });
  await merchant.clock.fastForward(2_000);
  await expect.poll(() => counting.count()).toBe(0);
  await merchant.clock.fastForward(10_000);
  expect(fetches).toHaveLength(3);
});

it('the link to older orders begins after the last row, however many orders have arrived since the page was opened', async () => {
  const { merchant, report, open } = await openOverview(1);
  await open('/orders');
  const older = merchant.getByRole('link', { name: 'Older' });
  const cells = merchant.locator('#orders tbody tr td:nth-of-type(2)');
  expect(await older.count()).toBe(0);
  const arrived = Array.from({ length: 60 }, (_, n) => `o-${n}`);
  await Promise.all(arrived.slice(0, -1).map((orderId) => report({ orderId })));
  await report({ orderId: 'o-59' });
  await cells.getByText('o-59', { exact: true }).waitFor();
  const shown = await cells.allInnerTexts();
  while ((await older.count()) > 0) {
    const url = merchant.url();
    await older.click();
    await merchant.waitForURL(({ href }) => href !== url);
    shown.push(...(await cells.allInnerTexts()));
  }
  expect(shown.sort()).toEqual([...arrived, 'before-0'].sort());
});

it('empty pages become ones with figures and steps that are done when the first order arrives', async () => {
  const { orderbeacon, merchant, report, open } = await openOverview(0);
  await open();
  const setup = await merchant.context().newPage();
  await setup.goto(`${orderbeacon.url}/console/setup`);
  await setup.getByText('New orders appear here by themselves.').waitFor();
  const done = setup.locator('.steps .done');
  expect(await done.allTextContents()).toEqual(['Allow the domain of your pages: done']);
  await report({ orderId: 'first' });
  await merchant.locator('#orders tbody tr').filter({ hasText: 'first' }).waitFor();
  await expect.poll(() => ordersTile(merchant).innerText()).toBe('1');
  await merchant.locator('#chart canvas').waitFor();
  await expect.poll(() => done.count()).toBe(3);
});

it('a new order is told once to screen readers and in the title until the page is seen; one that changes is not', async () => {
  const { merchant, report, open } = await openOverview(1);
  await stopClock(merchant, Date.now());
  await open();
  await merchant.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    const news = document.querySelector('main > [role=status].hidden')!;
    new MutationObserver(() => told.push(news.textContent!)).observe(news, { childList: true });
  });
  const told = () => merchant.evaluate<string[]>('told');
  const row = (text: string) => merchant.locator('#orders tbody tr').filter({ hasText: text });
  await setHidden(merchant, true);
  await report({ orderId: 'o-1', amount: 20, currency: 'USD' });
  await expect.poll(told).toEqual(['New order: $20.00']);
  expect(await merchant.title()).toBe('(1) Overview · Orderbeacon');
  for (const orderId of ['o-2', 'o-3']) await report({ orderId });
  await row('o-3').waitFor();
  // The same order again, with a name now.
  await report({ orderId: 'before-0', name: 'Ann Changed' });
  await row('Ann Changed').waitFor();
  expect(await merchant.title()).toBe('(3) Overview · Orderbeacon');
  expect(await told()).toHaveLength(1);
  await merchant.clock.fastForward(10_000);
  await expect.poll(told).toEqual(['New order: $20.00', '2 new orders']);
  await setHidden(merchant, false);
  expect(await merchant.title()).toBe('Overview · Orderbeacon');
  await report({ orderId: 'o-4' });
  await row('o-4').waitFor();
  expect(await merchant.title()).toBe('Overview · Orderbeacon');
});

it('a page that is hidden for long gives up its stream, and catches up when it is seen', async () => {
  const { merchant, report, open } = await openOverview(1);
  await merchant.clock.install();
  await open();
  const isStream = (request: { url(): string }) => request.url().includes('/live');
  const closed = merchant.waitForEvent('requestfailed', isStream);
  await setHidden(merchant, true);
  await merchant.clock.fastForward(10 * 60_000);
  await closed;
  const { orderNumber } = await report({ orderId: 'missed' });
  const opened = merchant.waitForRequest(isStream);
  await setHidden(merchant, false);
  await opened;
  await merchant.getByRole('link', { name: orderNumber }).waitFor();
});

it('a page whose browser was signed out says so and tries no more', async () => {
  const { orderbeacon, merchant, teamId, open } = await openOverview(0);
  await merchant.clock.install();
  await open();
  await orderbeacon.command('console', 'revoke', '--team', teamId);
  const shown = async () => {
    await merchant.clock.fastForward(5_000);
    return merchant.locator('#live').innerText();
  };
  await expect.poll(shown).toBe('You are signed out. Reload this page to sign in.');
  const asked: string[] = [];
  merchant.on('request', (request) => asked.push(request.url()));
  await merchant.clock.fastForward(60_000);
  expect(asked).toEqual([]);
});
