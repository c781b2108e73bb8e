// @module-tag all
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));

const page = shop.page('/thanks', 'landing.html');
const asking = shop.page('/asking', 'landing.html', { attribute: 'data-visitor="off"' });

/** The cells of each line of the page's two tables. */
const [storages, states] = [
  ...readFileSync(new URL('../../sdk/PRIVACY.md', import.meta.url), 'utf8').matchAll(
    /^\| (?:Name|State) [\s\S]+?\n\n/gm,
  ),
].map(([table]) => table.trim().split('\n').map(readCells)) as [string[][], string[][]];

function readCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}

/** Lists the keys of cookies and localStorage that the page promises for a state, with and without a waiting order. */
function promised(state: string, isWaiting: boolean) {
  const cells = states.find(([name]) => name === state)!;
  const kept = states[0]!.filter(
    (_, at) => cells[at] === 'kept' || (isWaiting && cells[at] === 'while an order waits'),
  );
  const inStorage = (storage: string) =>
    kept.filter((name) => storages.find((line) => line[0] === name)![1]!.includes(storage)).sort();
  return { cookies: inStorage('cookie'), local: inStorage('localStorage') };
}

const found = `const local = Object.keys(localStorage).map((key) => key.replace(/^orderbeacon:.*/, 'orderbeacon:…'));
  const cookies = document.cookie.split('; ').filter(Boolean).map((text) => text.split('=')[0]);
  return { cookies: cookies.sort(), local: [...new Set(local)].sort() }`;
const forget = `localStorage.clear(); for (const name of ['ob_visitor', 'ob_landings', 'ob_consent'])
  for (const domain of ['', ';domain=shop.localhost']) document.cookie = name + '=;path=/;max-age=-1' + domain`;

inOneBrowser((_, browser) => {
  it.each([
    ['no decision', page, ''],
    ['no decision, Global Privacy Control', `${page}?gpc`, ''],
    ['no decision, data-visitor="off"', asking, ''],
    ['consent given', `${asking}?gpc`, `await track('consent', true)`],
    ['consent refused or withdrawn', page, `await track('consent', true); await track('consent', false)`],
  ])('the browser keeps what the privacy page says: %s', async (state, url, decide) => {
    const [name] = orderNames(state, 1);
    const tab = await browser.newTab();
    await tab.goto(`${shop.origin}/elsewhere`);
    await tab.run(forget);
    await tab.goto(url);
    await tab.run(decide);
    expect(await tab.run(found)).toEqual(promised(state, false));

    shop.network.onReport(() => ({ status: 503 }));
    const order = `{ email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' }`;
    await tab.run(`await track('order', ${order})`);
    expect(await tab.run(found)).toEqual(promised(state, true));

    shop.network.onReport(() => 'pass');
    await shop.expectStoredOnce([name!]);
    await expect.poll(() => tab.run(found)).toEqual(promised(state, false));
  });

  it('the privacy page has a line for each state, and each key that the browser keeps', () => {
    expect(storages.slice(2).map(([name]) => name)).toEqual(states[0]!.slice(1));
    expect(states.length - 2).toBe(5);
  });
});
