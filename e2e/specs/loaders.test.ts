// @module-tag all
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const code = readFileSync(new URL('../../sdk/dist/track.js', import.meta.url), 'utf8');
const src = `src="${shop.endpoint}/sdk/track.js"`;
const team = `data-team-id="${shop.teamId}"`;
const endpoint = `data-endpoint="${shop.endpoint}"`;
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

inOneBrowser((engine, browser) => {
  it.each(Object.entries(ways))('the script works %s', async (way, html) => {
    const [name] = orderNames(`${way} ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(shop.page('/way', 'anywhere.html', { body: html }));
    await expect.poll(() => tab.run('return typeof window.track')).toBe('function');
    // Without an orderId, so that the console gets a warning.
    const call = `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}' })`;
    expect(await tab.run(`return ${answerTo(call)}`)).toMatchObject({ status: 'delivered' });
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });
});
