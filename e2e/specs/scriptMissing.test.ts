import { afterEach, expect, it } from 'vitest';
import { webPage } from '../harness/answers.ts';
import { inOneBrowser } from '../harness/engines.ts';
import type { Fault } from '../harness/faults.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onScript('pass'));

const tag = `<script async src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>`;
const confirmation = shop.page('/thanks', 'confirmation.html');
/** Another page of the shop, with only the theme's tag. */
const front = shop.page('/', 'anywhere.html', { head: tag });

const open = (name: string) =>
  `${confirmation}?name=${encodeURIComponent(name)}&orderId=${encodeURIComponent(name)}`;
/** Makes code that lists the stored calls and reports of one order. An earlier test may have left others. */
const waiting = (name: string) =>
  `return Object.entries(localStorage).filter(([key, text]) => key.startsWith('orderbeacon:') && text.includes(${JSON.stringify(name)}))`;
/** A page whose optimiser adds the script after everything else, so that its load does not wait for the script. */
const late = `<script>addEventListener('load', () => setTimeout(() => {
  document.head.append(Object.assign(document.createElement('script'), { src: '${shop.endpoint}/sdk/track.js?team=${shop.teamId}' }));
}))</script>`;

/** Faults of the script because of which it never runs. */
const fates: Record<string, Fault> = {
  'is missing': webPage(404),
  'is cut off': 'reset',
  'is a web page': webPage(200),
  'is cut in half': {
    status: 200,
    headers: { 'Content-Type': 'text/javascript' },
    body: '(()=>{let e=6500;function',
  },
};

inOneBrowser((engine, browser) => {
  it('an order whose script does not load is sent once, by the next page of the shop that loads it', async () => {
    const names = orderNames(`no script ${engine}`, Object.keys(fates).length);
    const tab = await browser.newTab();
    for (const [n, fate] of Object.values(fates).entries()) {
      shop.network.onScript(fate);
      await tab.goto(open(names[n]!));
      expect(await tab.run(waiting(names[n]!))).toHaveLength(1);
      // The browser itself says this about a file that is no JavaScript.
      expect(await tab.run(`return errors.filter((text) => text !== 'Script error.')`)).toEqual([]);
      shop.network.onScript('pass');
      await tab.goto(front);
      await shop.expectStoredOnce([names[n]!]);
      await expect.poll(() => tab.run(waiting(names[n]!))).toEqual([]);
    }
    await shop.expectStoredOnce(names);
  });

  it('a buyer who leaves while the script is still loading is an order, once, also with a BigInt', async () => {
    const [name] = orderNames(`left early ${engine}`, 1);
    const page = shop.page('/late', 'anywhere.html', {
      head: `<script>${stub}</script>${late}`,
      body: `<script>track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}', block: 19000000n })</script>`,
    });
    shop.network.onScript('hang');
    const tab = await browser.newTab();
    await tab.goto(page);
    shop.network.onScript('pass');
    await tab.goto(front);
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });

  it('an element whose id is track is in nobody’s way', async () => {
    const [early, late] = orderNames(`element ${engine}`, 2);
    const call = (name: string) =>
      `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' })`;
    const link = '<a id="track" href="/parcel">Track your parcel</a>';
    const tab = await browser.newTab();
    await tab.goto(
      shop.page('/element', 'anywhere.html', {
        body: `${link}<script>${stub}</script><script>${call(early!)}</script>${tag}`,
      }),
    );
    await shop.expectStoredOnce([early!]);
    // A page with only the theme's line.
    await tab.goto(shop.page('/element-alone', 'anywhere.html', { body: link + tag }));
    expect(await tab.run(`return ${answerTo(call(late!))}`)).toMatchObject({ status: 'delivered' });
    await shop.expectStoredOnce([early!, late!]);
    await tab.close();
  });
});
