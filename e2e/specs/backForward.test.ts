import { afterEach, expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { inEveryBrowser } from '../harness/engines.ts';
import { orderNames, patientTries, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));
const head = `${patientTries}<script>addEventListener('pageshow', ({ persisted }) => { window.isRestored = persisted })</script>`;
const page = shop.page('/thanks', 'confirmation.html', { head });
const other = shop.page('/next', 'confirmation.html');

const opened = (name: string) =>
  `${page}?name=${encodeURIComponent(name)}&orderId=${encodeURIComponent(name)}`;
const postsOf = (name: string) => shop.network.seen.filter((seen) => seen.name === name).length;

/** Waits until the page has got each answer. If it leaves without one, it sends the report again, as a beacon. */
const expectAnswered = (tab: Tab) =>
  expect
    .poll(() => tab.run(`return Object.keys(localStorage).filter((key) => key.startsWith('orderbeacon:'))`))
    .toEqual([]);

/** Goes back to the page that the browser has kept. */
async function goBack(tab: Tab): Promise<void> {
  await tab.run('history.back()').catch(() => {});
  await expect.poll(() => tab.run('return window.isRestored ?? null').catch(() => null)).toBe(true);
}

inEveryBrowser(
  (engine, browser) => {
    it('a page that comes back from the back/forward cache sends nothing twice', async () => {
      const [name, marker] = orderNames(`back ${engine}`, 2);
      const tab = await browser.newTab();
      await tab.goto(opened(name!));
      await shop.expectStoredOnce([name!]);
      await expectAnswered(tab);
      await tab.goto(`${shop.origin}/elsewhere`);
      await goBack(tab);
      await tab.run(`void report('${marker}')`);
      await shop.expectStoredOnce([name!, marker!]);
      expect(postsOf(name!)).toBe(1);
      await tab.close();
    });

    it('an order that waited there, and that the next page has delivered, stays one order', async () => {
      const [name, marker] = orderNames(`waited ${engine}`, 2);
      shop.network.onReport(() => ({ status: 503 }));
      const tab = await browser.newTab();
      await tab.goto(opened(name!));
      await expect.poll(() => postsOf(name!)).toBeGreaterThan(0);
      shop.network.onReport(() => 'pass');
      await tab.goto(other);
      await shop.expectStoredOnce([name!]);
      await goBack(tab);
      await tab.run(`void report('${marker}')`);
      await shop.expectStoredOnce([name!, marker!]);
      // The page has stored the report again if it had not got the answer yet. It gets it when it comes back.
      await expectAnswered(tab);
      await tab.close();
    });
  },
  { keepsPages: true },
);
