import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));

/**
 * A page whose timers run ten times as fast: its 6 s are 0.6 s, and a network of 1 s is one of 10 s. Those of 30 s are
 * WebKit's driver's.
 */
const page = shop.page('/thanks', 'confirmation.html', {
  head: `<script>
    const { setTimeout: set } = window;
    window.setTimeout = (run, ms) => set(run, ms < 30_000 ? ms / 10 : ms);
  </script>`,
});

inOneBrowser((engine, browser) => {
  it.each([
    ['a server that needs 10 s', 1_000],
    ['an uplink that needs 20 s', 2_000],
  ])('%s: delivered, because each try may take longer than the one before', async (scenario, travelMs) => {
    const [name] = orderNames(`${scenario} ${engine}`, 1);
    shop.network.onReport(() => ({ travelMs }));
    const tab = await browser.newTab();
    await tab.goto(page);
    const end = `const { status, final } = await report('${name}', { orderId: '${name}' });
      return [status, (await final).status]`;
    expect(await tab.run(end)).toEqual(['pending', 'delivered']);
    await shop.expectStoredOnce([name!]);
    expect(
      await tab.run(`return Object.keys(localStorage).filter((key) => key.startsWith('orderbeacon:'))`),
    ).toEqual([]);
    await tab.close();
  });
});
