// @module-tag all
import { readFileSync } from 'node:fs';
import { libDirPath } from '@qwik.dev/partytown/utils';
import { expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

const shop = await setUpShop();
for (const name of ['partytown.js', 'partytown-sw.js', 'partytown-media.js'])
  shop.pages.serveText(`/~partytown/${name}`, 'text/javascript', read(name));
shop.pages.serveText('/~partytown/partytown-sandbox-sw.html', 'text/html', read('partytown-sandbox-sw.html'));

function read(name: string): string {
  return readFileSync(`${libDirPath()}/${name}`, 'utf8');
}

inOneBrowser((engine, browser) => {
  it('a tag in Partytown, which forwards track, reports early and late orders', async () => {
    const [early, late] = orderNames(`partytown ${engine}`, 2);
    const call = (name: string) =>
      `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' })`;
    const page = shop.page('/partytown', 'anywhere.html', {
      head: `<script>window.partytown = { forward: ['track'] };${read('partytown.js')}</script>
        <script type="text/partytown" src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>
        <script>${stub}</script>`,
      body: `<script>${call(early!)}</script>`,
    });
    const tab = await browser.newTab();
    await tab.goto(page);
    const [order] = await shop.expectStoredOnce([early!]);
    expect(order!.visitorId).toMatch(/\w{9,}/);
    await tab.run(`void ${call(late!)}`);
    await shop.expectStoredOnce([late!]);
    await tab.close();
  });
});
