// @module-tag all
import { describe, expect, it } from 'vitest';
import { bundlePage } from '../harness/bundle.ts';
import { inOneBrowser, setUpChromium } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';
import { stub as stubText } from '../harness/stub.ts';

const shop = await setUpShop();
const bundle = await bundlePage('shop.jsx');

const stub = `<script>${stubText}</script>`;
const order = `{ email: 'ann@shop.example', amount: 49.9, name: new URLSearchParams(location.search).get('name') }`;
const call = `<script>track('order', ${order})</script>`;
const tag = (more = '') =>
  `<script ${more} src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>`;
const policy = () =>
  [
    "default-src 'none'",
    'img-src *',
    "script-src 'nonce-abc123' 'strict-dynamic'",
    `connect-src ${shop.endpoint}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

inOneBrowser((engine, browser) => {
  const open = async (url: string, name: string) => {
    const tab = await browser.newTab();
    await tab.goto(`${url}?name=${encodeURIComponent(name)}`);
    return tab;
  };
  const delivers = async (scenario: string, fillings: Record<string, string>) => {
    const [name] = orderNames(`${scenario} ${engine}`, 1);
    const tab = await open(
      shop.page(`/${scenario.replaceAll(/\W+/g, '-')}`, 'anywhere.html', fillings),
      name!,
    );
    await shop.expectStoredOnce([name!]);
    return tab;
  };

  it('the tag works in the head and in the body, plain, async and deferred, before and after the call', async () => {
    const ways = {
      'head async': { head: tag('async') + stub, body: call },
      'head plain': { head: tag() + stub, body: call },
      'head defer': { head: tag('defer') + stub, body: call },
      'body after the call': { body: stub + call + tag() },
      'body async first': { body: tag('async') + stub + call },
    };
    for (const [way, fillings] of Object.entries(ways)) await (await delivers(way, fillings)).close();
  });

  it('a strict policy with a nonce and Trusted Types is not violated', async () => {
    const [name] = orderNames(`csp ${engine}`, 1);
    const tab = await open(shop.page('/csp', 'csp.html', {}, { 'Content-Security-Policy': policy() }), name!);
    await shop.expectStoredOnce([name!]);
    expect(await tab.run('return violations')).toEqual([]);
    await tab.close();
  });

  it('a React shop of one page, in StrictMode, reports each order once', async () => {
    const [name] = orderNames(`react ${engine}`, 1);
    shop.pages.serveText('/shop.js', 'text/javascript', bundle);
    const tab = await open(shop.page('/react', 'react.html'), name!);
    await expect.poll(() => tab.run("return !!document.getElementById('buy')")).toBe(true);
    await tab.run("document.getElementById('buy').click()");
    const [stored] = await shop.expectStoredOnce([name!]);
    await expect
      .poll(() => tab.run("return document.getElementById('number').textContent"))
      .toBe(stored!.orderNumber);
    await tab.close();
  });
});

// In the other browsers, such a name cannot be resolved here.
describe('chromium', () => {
  const browser = setUpChromium();

  it('an insecure origin, where crypto has random values alone, delivers', async () => {
    const host = 'shop.example.test';
    await shop.orderbeacon.command('domain', 'add', '--team', shop.teamId, host);
    const tab = await browser.newTab();
    const page = shop.page('/insecure', 'confirmation.html').replace('shop.localhost', host);
    await tab.goto(`${page}?name=insecure`);
    expect(await tab.run('return [isSecureContext, typeof crypto.randomUUID]')).toEqual([false, 'undefined']);
    await shop.expectStoredOnce(['insecure']);
    expect(await tab.run('return errors')).toEqual([]);
    await tab.close();
  });
});
