// @module-tag all
import { beforeEach, expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { setUpChromium } from '../harness/engines.ts';
import { exampleOf } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

/** Tests each example of the SDK's guides that no other spec runs, in a page. */

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpChromium();
const head = `<script>${stub}</script>`;

let tab: Tab;
beforeEach(async () => {
  tab = await browser.newTab();
});

/** Fills a guide's tag with the reader's own team and server. */
const ownValues = (html: string) =>
  html.replaceAll('team_…', teamId).replaceAll('https://orders.shop.example', orderbeacon.url);

const storedOrders = async (orderId: string) =>
  (await orderbeacon.orders(teamId)).filter((order) => order.orderId === orderId);

it('the view of a single-page app that is shown twice is one order, with the landing of the page that was loaded', async () => {
  const tag = ownValues(exampleOf('sdk/guides/tag.md', 'every-page'));
  const view = exampleOf('sdk/guides/single-page-apps.md', 'view');
  pages.serve('/app', 'anywhere.html', { head: head + tag, body: `<script>${view}</script>` });
  await tab.goto(`http://shop.localhost:${pages.port}/app?utm_source=letter`);
  await expect.poll(() => tab.run('return window.track?.visitorId()')).toBeTruthy();
  const show = `showThanks({ id: 'view', email: 'ann@shop.example', total: 49.9, currency: 'EUR' })`;
  await tab.run(`${show}; ${show}`);
  await expect.poll(() => storedOrders('view')).toHaveLength(1);
  expect(await tab.run('return location.pathname')).toBe('/thanks');
  expect(await storedOrders('view')).toMatchObject([
    { amount: 49.9, currency: 'EUR', firstTouch: { path: '/app', source: 'letter' } },
  ]);
});

it('the buttons of a page that asks first keep the visitor after a yes, and erase it after a no', async () => {
  const tag = ownValues(exampleOf('sdk/guides/consent.md', 'ask-first'));
  const decide = exampleOf('sdk/guides/consent.md', 'decide');
  const body = `<button id="accept">Yes</button><button id="decline">No</button><script>${decide}</script>`;
  pages.serve('/asked', 'anywhere.html', { head: head + tag, body });
  await tab.goto(`http://shop.localhost:${pages.port}/asked`);
  const hasLoaded = 'return !/\\.q\\b/.test(window.track)';
  await expect.poll(() => tab.run(hasLoaded)).toBe(true);
  expect(await tab.run('return track.visitorId()')).toBeUndefined();
  await tab.run("document.getElementById('accept').click()");
  expect(await tab.run('return track.visitorId()')).toBeTruthy();
  await tab.run("document.getElementById('decline').click()");
  expect(await tab.run('return track.visitorId()')).toBeUndefined();
  expect(await tab.run('return document.cookie')).not.toContain('ob_visitor');
});
