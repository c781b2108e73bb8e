import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inEveryEngine, inOneBrowser } from '../harness/engines.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const code = readFileSync(new URL('../../sdk/dist/track.js', import.meta.url), 'utf8');
const src = `src="${shop.endpoint}/sdk/track.js"`;
const team = `data-team-id="${shop.teamId}"`;
const endpoint = `data-endpoint="${shop.endpoint}"`;
/** Collects the page's console lines, in every engine. */
const listen = '<script>window.said = []; console.error = (...words) => said.push(words.join(" "))</script>';

shop.pages.serveText('/bundle.js', 'text/javascript', `window.first = 1;\n${code}\nwindow.last = 1;`);

/** Ways to load the script that work. */
const ways: Record<string, string> = {
  'inlined, with an endpoint': `<script ${team} ${endpoint}>${code}</script>`,
  'part of another file, whose tag has the team': `<script src="/bundle.js" ${team} ${endpoint}></script>`,
  'part of a module, whose tag has the team': `<script type="module" src="/bundle.js" ${team} ${endpoint}></script>`,
  'a module after another element with a team': `<div data-team-id="team_of_a_stranger"></div><script type="module" ${src} ${team}></script>`,
  'in a page that has its own self': `<script>var self = { name: 'the shop' };</script><script ${src} ${team}></script>`,
  'in a page that has its own URL and Set': `<script>var URL = 'https://shop.example/'; function Set(id) {}</script><script ${src} ${team}></script>`,
  'in a page that has silenced its console': `<script>window.console = { log() {} };</script><script ${src} ${team}></script>`,
  'with data-debug in a page that has silenced its console': `<script>window.console = { log() {} };</script><script ${src} ${team} data-debug></script>`,
  'in a page that has a function named crypto': `<script>function crypto() {}</script><script ${src} ${team}></script>`,
  'in a page whose console throws': `<script>console.error = (text) => { throw Error(text); };</script><script ${src} ${team}></script>`,
  'with spaces around the team': `<script ${src} data-team-id=" ${shop.teamId} "></script>`,
  'with a slash behind the endpoint': `<script src="/bundle.js" ${team} data-endpoint="${shop.endpoint}/"></script>`,
};

/** Ways that cannot work, and the one line that they say. */
const mistakes: Record<string, [html: string, line: string]> = {
  'inlined, without an endpoint': [
    `<script ${team}>${code}</script>`,
    'orderbeacon: no data-endpoint: undefined',
  ],
  'part of another file, without a team': [
    '<script src="/bundle.js"></script>',
    'orderbeacon: no data-team-id',
  ],
  'without a team': [`<script ${src}></script>`, 'orderbeacon: no data-team-id'],
  'with an empty team': [`<script ${src} data-team-id=""></script>`, 'orderbeacon: no data-team-id'],
  'with an endpoint that is no URL': [
    `<script ${src} ${team} data-endpoint="orders.shop.example:8787"></script>`,
    'orderbeacon: no data-endpoint: orders.shop.example:8787',
  ],
};

inEveryEngine((engine, browser) => {
  it.each(Object.entries(ways))('the script works %s', async (way, html) => {
    const [name] = orderNames(`${way} ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(shop.page('/way', 'anywhere.html', { body: html }));
    await expect.poll(() => tab.run('return typeof window.track')).toBe('function');
    // Without an orderId, which the console is told.
    const call = `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}' })`;
    expect(await tab.run(`return ${answerTo(call)}`)).toMatchObject({ status: 'delivered' });
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });

  it('a function of the page that has the name is left alone', async () => {
    const head = `${listen}<script>function track() { return 'of the shop' }</script><script ${src} ${team}></script>`;
    const tab = await browser.newTab();
    await tab.goto(shop.page('/taken', 'anywhere.html', { head }));
    expect(await tab.run('return [track(), said]')).toEqual(['of the shop', ['orderbeacon: track is taken']]);
    await tab.close();
  });
});

inOneBrowser((engine, browser) => {
  it.each(Object.entries(mistakes))(
    'the script %s says so in one line, and touches nothing',
    async (_, [html, line]) => {
      const tab = await browser.newTab();
      const trap = `<script>window.errors = []; addEventListener('error', ({ message }) => errors.push(message)); localStorage.clear()</script>`;
      await tab.goto(shop.page('/mistake', 'anywhere.html', { head: listen + trap, body: html }));
      await expect.poll(() => tab.run('return said')).toEqual([line]);
      expect(await tab.run('return [errors, typeof window.track, Object.keys(localStorage)]')).toEqual([
        [],
        'undefined',
        [],
      ]);
      await tab.close();
    },
  );

  it.each(["''", 'null', 'undefined', "'   '"])(
    'an orderId of %s is an order, and a line in the console',
    async (orderId) => {
      const [name] = orderNames(`orderId ${orderId} ${engine}`, 1);
      const tab = await browser.newTab();
      await tab.goto(shop.page('/no-id', 'confirmation.html', { head: listen }));
      await tab.run(`await report(${JSON.stringify(name)}, { orderId: ${orderId} })`);
      const [order] = await shop.expectStoredOnce([name!]);
      expect(order!.orderId).toBe(null);
      expect(await tab.run('return said')).toEqual(['orderbeacon: no orderId']);
      await tab.close();
    },
  );
});
