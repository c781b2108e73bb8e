// @module-tag all
import { expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { inOneBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
await shop.orderbeacon.command('domain', 'add', '--team', shop.teamId, 'checkout.shop.localhost');

shop.page('/landing', 'landing.html');
shop.page('/thanks', 'landing.html');
const at = (host: string, path: string) => `http://${host}.localhost:${shop.pages.port}${path}`;
const newsletter = at(
  'www.shop',
  '/landing?utm_source=newsletter&utm_campaign=spring&email=ann@shop.example',
);
const google = at('www.shop', '/landing?utm_source=google&utm_medium=cpc&gclid=secret&days=12#part');

/** Removes cookies and keys, so that the visitor is a new one. */
const forget = `localStorage.clear(); for (const name of ['ob_visitor', 'ob_landings', 'ob_consent'])
  for (const domain of ['', ';domain=shop.localhost']) document.cookie = name + '=;path=/;max-age=-1' + domain`;
const report = (name: string) =>
  `await track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' })`;

/** Follows a link, so that the next page has a referrer. */
async function follow(tab: Tab, url: string): Promise<void> {
  await tab.run(`location.href = '${url}'`);
  await expect
    .poll(() => tab.run('return document.readyState + location.href').catch(() => ''))
    .toBe(`complete${url}`);
}

/** Reads the landings of a report: for each the days from now, the referrer, the parameters and the path. */
const landingsOf = (name: string) =>
  shop.network.seen
    .findLast((seen) => seen.name === name)!
    .landings?.split('.')
    .map((text) => {
      const [atMs, ...rest] = atob(text).split(' ');
      return [Math.round((Number(atMs) - Date.now()) / 86_400_000) || 0, ...rest];
    });

inOneBrowser((engine, browser) => {
  /** Opens a page as a new visitor. */
  async function arrive(url: string): Promise<Tab> {
    const tab = await browser.newTab();
    for (const host of ['www.shop', 'checkout.shop']) {
      await tab.goto(at(host, '/elsewhere'));
      await tab.run(forget);
    }
    await tab.goto(url);
    return tab;
  }

  it('the order on a sub-domain has the first and the last campaign, whatever came in between', async () => {
    const [name] = orderNames(`two campaigns ${engine}`, 1);
    const tab = await arrive(newsletter);
    await tab.goto(at('shop', '/landing?days=5'));
    await tab.goto(google);
    await tab.goto(at('pay', '/elsewhere'));
    await follow(tab, at('checkout.shop', '/thanks?days=12'));
    await tab.run(report(name!));
    const [order] = await shop.expectStoredOnce([name!]);
    expect(order).toMatchObject({
      firstTouch: {
        path: '/landing',
        referrer: null,
        source: 'newsletter',
        campaign: 'spring',
        clickId: null,
      },
      lastTouch: { path: '/landing', source: 'google', medium: 'cpc', clickId: 'gclid' },
    });
    expect(landingsOf(name!)).toEqual([
      [0, 'undefined', '?utm_source=newsletter,&utm_campaign=spring', '/landing'],
      [12, 'undefined', '?utm_source=google,&utm_medium=cpc,&gclid=', '/landing'],
    ]);
  });
});
