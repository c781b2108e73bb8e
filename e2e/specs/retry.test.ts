import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { removeProfile } from '../browsers/removeProfile.ts';
import { webPage } from '../harness/answers.ts';
import { inEveryBrowser, inOneBrowser, setUpChromium, withBrowser } from '../harness/engines.ts';
import type { Fault } from '../harness/faults.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const page = shop.page('/thanks', 'confirmation.html');
shop.pages.serve('/login', 'blank.html', {}, { 'Access-Control-Allow-Origin': '*' });
afterEach(() => shop.network.onReport(() => 'pass'));

const call = (name: string) => `void report(${JSON.stringify(name)})`;

/** Faults of the network, and programs between shops and servers that answer instead of the server. */
const faults: Record<string, Fault> = {
  'a server that hangs': 'hang',
  'a connection that is reset': 'reset',
  'an answer that is lost after the order was stored': 'drop answer',
  'a proxy’s page': webPage(404),
  'a hotel’s page': webPage(200),
  'a redirect that makes a GET of the report': webPage(302, { Location: `${shop.origin}/login` }),
  'a redirect that keeps the report': webPage(307, { Location: `${shop.origin}/login` }),
};

inOneBrowser((engine, browser) => {
  it('whatever stands between the shop and the server, the order is sent again and stored once', async () => {
    const names = orderNames(`fault ${engine}`, Object.keys(faults).length);
    const list = Object.values(faults);
    shop.network.onReport((attempt, name) => (attempt === 0 ? list[names.indexOf(name)]! : 'pass'));
    const tab = await browser.newTab();
    await tab.goto(page);
    const first = await tab.run<string[]>(
      `return Promise.all(${JSON.stringify(names)}.map(async (name) => (await report(name)).status))`,
    );
    expect(first).toEqual(list.map(() => 'pending'));
    await shop.expectStoredOnce(names);
    expect(await tab.run('return errors')).toEqual([]);
    await tab.close();
  });
});

inEveryBrowser((engine, browser) => {
  it('a server that is down: the next page of the shop delivers', async () => {
    const [name] = orderNames(`down ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    await shop.network.goDown();
    await tab.run(call(name!));
    await expect.poll(() => tab.run('return Object.keys(localStorage).length')).toBeGreaterThan(0);
    await tab.close();
    await shop.network.comeUp();
    await (await browser.newTab()).goto(page);
    await shop.expectStoredOnce([name!]);
  });

  it('a closed tab whose report was on its way to a server that is down: the next page delivers', async () => {
    const [name] = orderNames(`closed down ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    shop.network.onReport(() => ({ status: 503 }));
    await tab.run(call(name!));
    await tab.close();
    shop.network.onReport(() => 'pass');
    const later = await browser.newTab();
    await later.goto(page);
    await shop.expectStoredOnce([name!]);
    await later.close();
  });

  // WebKitGTK's automation sessions keep their profile in memory only.
  describe.skipIf(engine === 'webkit')('', () => {
    it('a server that is down: a page after a restart of the browser delivers', {
      tags: ['all'],
    }, async () => {
      const profile = await mkdtemp(join(tmpdir(), 'orderbeacon-profile-'));
      const [name] = orderNames(`down restart ${engine}`, 1);
      try {
        await withBrowser(engine, { profile }, async (first) => {
          const tab = await first.newTab();
          await tab.goto(page);
          await shop.network.goDown();
          await tab.run(call(name!));
        });
        await shop.network.comeUp();
        await withBrowser(engine, { profile }, async (second) => {
          await (await second.newTab()).goto(page);
          await shop.expectStoredOnce([name!]);
        });
      } finally {
        await removeProfile(profile);
      }
    });
  });
});

// Only Playwright's own protocol can take a browser offline. The stock drivers cannot.
describe('chromium', () => {
  const browser = setUpChromium();

  it('offline, then online: delivered immediately when the browser says so', async () => {
    const [name] = orderNames('offline chromium', 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    await browser.setOffline!(true);
    await tab.run(call(name!));
    await expect.poll(() => tab.run('return navigator.onLine')).toBe(false);
    await browser.setOffline!(false);
    await shop.expectStoredOnce([name!]);
  });
});
