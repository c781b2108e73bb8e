import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { newTeam, setUpPeople, stopClock } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

/** A merchant of a team with some orders; `open` opens a new page, which follows new orders. */
async function openOverview(orders: number) {
  const orderbeacon = await sharedOrderbeacon();
  const team = await newTeam(orderbeacon);
  for (let n = 0; n < orders; n++) await team.report({ orderId: `before-${n}` });
  const merchant = await people.newMerchant(orderbeacon, team.teamId, '/setup/keys');
  const fetches: string[] = [];
  merchant.on('request', (request) => {
    if (request.resourceType() === 'fetch') fetches.push(new URL(request.url()).pathname);
  });
  const open = async (path = '') => {
    await merchant.goto(`${orderbeacon.url}/console/${team.teamId}${path}`);
    fetches.length = 0;
    await merchant.getByText('New orders appear automatically.').waitFor();
  };
  return { ...team, orderbeacon, merchant, open, fetches };
}

/** Tells a page that it is hidden, or seen again, as a browser does when another tab is chosen. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, isHidden);

const ordersTile = (page: Page) => page.locator('.tile strong').first();
const row = (page: Page, text: string) => page.locator('#orders tbody tr').filter({ hasText: text });

it('an order appears in list and figures at once, and what is focused and unfolded stays so', async () => {
  const { merchant, report, open, fetches, teamId } = await openOverview(10);
  await open();
  expect(await ordersTile(merchant).innerText()).toBe('10');
  await merchant.getByRole('link', { name: 'Last campaign' }).focus();
  await report({ orderId: 'o-1' });
  await row(merchant, 'o-1').waitFor();
  await expect.poll(() => ordersTile(merchant).innerText()).toBe('11');
  expect(await merchant.locator('#orders tbody tr').count()).toBe(6);
  expect(await merchant.evaluate('document.activeElement.textContent')).toBe('Last campaign');
  expect(fetches).toContain(`/console/${teamId}`);
  // The page may have asked for its version before it was counted.
  expect(fetches.filter((path) => ![`/console/${teamId}/live`, `/console/${teamId}`].includes(path))).toEqual(
    [],
  );
});

it('however many orders arrive, a page asks every 2 s, and fetches itself once each time', {
  tags: ['all'],
}, async () => {
  const { merchant, report, open, fetches, teamId } = await openOverview(1);
  await stopClock(merchant, Date.now());
  await open('/orders');
  const pages = () => fetches.filter((path) => path === `/console/${teamId}/orders`).length;
  const asked = () => fetches.filter((path) => path.endsWith('/live')).length;
  for (let n = 0; n < 3; n++) {
    await Promise.all(Array.from({ length: 5 }, (_, of) => report({ orderId: `o-${n}-${of}` })));
    await expect
      .poll(async () => {
        await merchant.clock.fastForward(2_000);
        return row(merchant, `o-${n}-`).count();
      })
      .toBe(5);
    // The page may have asked once before the count began.
    expect(pages()).toBeLessThanOrEqual(asked() + 1);
  }
  const before = fetches.length;
  await report({ orderId: 'last' });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  // Its clock stands still.
  expect(fetches.length).toBe(before);
});

it('the page of a new team becomes one with figures when its first order arrives', async () => {
  const { merchant, report, open } = await openOverview(0);
  await open();
  await merchant.getByText('Your first order is 2 steps away.').waitFor();
  await report({ orderId: 'first' });
  await merchant.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
});

it('a new order is told once to screen readers; one that changes is not', { tags: ['all'] }, async () => {
  const { merchant, report, open } = await openOverview(1);
  await open('/orders');
  await merchant.evaluate(() => {
    const notices: string[] = [];
    Object.assign(window, { notices });
    const news = document.querySelector('main > [role=status].hidden')!;
    new MutationObserver(() => notices.push(news.textContent!)).observe(news, { childList: true });
  });
  const notices = () => merchant.evaluate<string[]>('notices');
  await report({ orderId: 'before-0', name: 'Ann Changed' });
  await row(merchant, 'Ann Changed').waitFor();
  await report({ orderId: 'o-1', amount: 20, currency: 'USD' });
  await expect.poll(notices).toEqual(['New order: $20.00']);
});

it('a page that nobody sees asks nothing, and catches up when it is seen', { tags: ['all'] }, async () => {
  const { merchant, report, open, fetches } = await openOverview(1);
  await open('/orders');
  await setHidden(merchant, true);
  // A request of before may still be under way.
  await new Promise((resolve) => setTimeout(resolve, 500));
  fetches.length = 0;
  await report({ orderId: 'missed' });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(fetches).toEqual([]);
  await setHidden(merchant, false);
  await row(merchant, 'missed').waitFor();
});

it('a page whose browser was signed out says so and tries no more', { tags: ['all'] }, async () => {
  const { orderbeacon, merchant, teamId, open } = await openOverview(1);
  await merchant.clock.install();
  await open('/orders');
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

it('a page that was checked follows what arrives, and keeps what the check has found', async () => {
  const { merchant, report, open, teamId, fetches, orderbeacon } = await openOverview(0);
  await open('/setup/install');
  await merchant.getByLabel('Address of a page with the tag').fill(`${orderbeacon.url}/docs`);
  await merchant.getByRole('button', { name: 'Check my page' }).click();
  await merchant.getByText('The tag: failed').waitFor();
  fetches.length = 0;
  await report({ orderId: 'tried' });
  await row(merchant, 'tried').waitFor();
  expect(await merchant.locator('#live').innerText()).toBe('New orders appear automatically.');
  expect(await merchant.getByText('The tag: failed').count()).toBe(1);
  // A page that was on its way before the report may bring the row, too.
  const own = [`/console/${teamId}/live`, `/console/${teamId}/setup/install`];
  expect(fetches.filter((path) => !own.includes(path))).toEqual([]);
});
