import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const hourMs = 3_600_000;

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));

/** A page whose clock is off by the milliseconds in its address, plus `aheadMs`, which may change later. */
const page = shop.page('/thanks', 'confirmation.html', {
  head: `<script>
    const now = Date.now;
    window.aheadMs = Number(new URLSearchParams(location.search).get('aheadMs'));
    Date.now = () => now() + aheadMs;
  </script>`,
});
const call = (name: string) => `report('${name}', { orderId: '${name}' })`;
const attempts = (name: string) => shop.network.seen.filter((seen) => seen.name === name).length;

inOneBrowser((engine, browser) => {
  it.each([
    ['five years behind', -5 * 8766 * hourMs],
    ['a day ahead', 24 * hourMs],
    ['five years ahead', 5 * 8766 * hourMs],
  ])(
    'an order that was on its way from a page whose clock was %s is sent by the next page',
    async (scenario, aheadMs) => {
      const [name] = orderNames(`${scenario} ${engine}`, 1);
      shop.network.onReport(() => 'hang');
      const tab = await browser.newTab();
      await tab.goto(`${page}?aheadMs=${aheadMs}`);
      await tab.run(`void ${call(name!)}`);
      await expect.poll(() => attempts(name!)).toBe(1);
      await tab.goto(`${shop.origin}/elsewhere`);
      shop.network.onReport(() => 'pass');
      await tab.goto(page);
      await shop.expectStoredOnce([name!]);
      await tab.close();
    },
  );

  it.each([
    ['back', -hourMs],
    ['forward', hourMs],
  ])('a clock that is set %s while an order waits does not stop the retries', async (scenario, byMs) => {
    const [name] = orderNames(`set ${scenario} ${engine}`, 1);
    shop.network.onReport((attempt) => (attempt < 3 ? { status: 503 } : 'pass'));
    const tab = await browser.newTab();
    await tab.goto(page);
    // The SDK writes the time of the next try down 50 ms after the answer; half a second later it is due.
    await tab.run(
      `await ${call(name!)}; await new Promise((resolve) => setTimeout(resolve, 150)); aheadMs += ${byMs}`,
    );
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });
});
