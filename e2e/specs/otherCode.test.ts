// @module-tag all
import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));

const tag = `<script src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>`;

/** The queue of another vendor, in a usual form. */
const vendor = `<script>
  window.track = function () { (track.q = track.q || []).push(arguments) };
  track('pageview', '/thanks');
  window.said = [];
  console.error = (...words) => said.push(words.join(' '));
</script>`;

/** A tool for screenshots: it stops the clock, and seeds the random numbers. */
const seeded = `<script>
  const at = Date.now();
  Date.now = () => at;
  Math.random = () => 0.42;
</script>`;

/** A service worker that keeps the first answer to a report, and answers the first try of the second order with it. */
const worker = `
  let kept, isUsed;
  const answer = async (request) => {
    const { name } = await request.clone().json();
    if (kept && !isUsed && name.startsWith('second')) { isUsed = true; return kept.clone(); }
    const fresh = await fetch(request);
    kept ??= fresh.clone();
    return fresh;
  };
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.method === 'POST') event.respondWith(answer(event.request));
  });`;

inOneBrowser((engine, browser) => {
  it('another vendor’s queue stays, with its calls, and one console line says so', async () => {
    const tab = await browser.newTab();
    await tab.goto(
      shop.page('/vendor', 'anywhere.html', { head: `${vendor}<script>${stub}</script>${tag}` }),
    );
    expect(await tab.run(`track('order', {}); return [said, track.q.map((call) => [...call])]`)).toEqual([
      ['orderbeacon: track is taken'],
      [
        ['pageview', '/thanks'],
        ['order', {}],
      ],
    ]);
    await tab.close();
  });

  it('orders and visitors of one moment differ where a tool has seeded Math.random', async () => {
    const names = orderNames(`seeded ${engine}`, 4);
    const call = (name: string) =>
      `track('order', { email: 'ann@shop.example', amount: 1, name: '${name}' })`;
    const page = shop.page('/seeded', 'anywhere.html', {
      head: `${seeded}<script>${stub};${call(names[0]!)};${call(names[1]!)}</script>`,
      body: tag,
    });
    const tab = await browser.newTab();
    await tab.goto(page);
    await tab.run(`${call(names[2]!)}; ${call(names[3]!)}`);
    await shop.expectStoredOnce(names);
    const visitor = `return track.visitorId().slice(8)`;
    const first = await tab.run(visitor);
    await tab.run(`track('consent', false); track('consent', true)`);
    expect(await tab.run(visitor)).not.toBe(first);
    await tab.close();
  });

  it('a service worker that answers with another order’s answer loses no order', async () => {
    const [first, second] = [`first ${engine}`, `second ${engine}`];
    shop.pages.serveText('/worker.js', 'text/javascript', worker);
    const tab = await browser.newTab();
    await tab.goto(shop.page('/worker', 'confirmation.html'));
    await tab.run(`await navigator.serviceWorker.register('/worker.js');
      if (!navigator.serviceWorker.controller)
        await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))`);
    const result = (name: string) =>
      tab.run<{ order: { id: string } }>(`return ${answerTo(`report('${name}', { orderId: '${name}' })`)}`);
    const results = [await result(first), await result(second)];
    const orders = await shop.expectStoredOnce([first, second]);
    const idOf = (name: string) => orders.find((order) => order.name === name)!.id;
    expect(results.map(({ order }) => order.id)).toEqual([idOf(first), idOf(second)]);
    await tab.run(
      'for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister()',
    );
    await tab.close();
  });
});
