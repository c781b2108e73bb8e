import { it } from 'vitest';
import { inEveryBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const page = shop.page('/thanks', 'confirmation.html');

const call = (name: string) => `void report(${JSON.stringify(name)})`;

inEveryBrowser((engine, browser) => {
  it('two tabs with one outbox deliver every order once, though both wait and one is closed', async () => {
    const names = orderNames(`tabs ${engine}`, 4);
    const [one, two] = [await browser.newTab(), await browser.newTab()];
    await Promise.all([one.goto(page), two.goto(page)]);
    shop.network.onReport((n) => (n < 2 ? { status: 503 } : 'pass'));
    await one.run(call(names[0]!));
    await two.run(call(names[1]!));
    await one.run(call(names[2]!));
    await two.run(call(names[3]!));
    await one.close();
    await shop.expectStoredOnce(names);
    await two.close();
    await shop.expectStoredOnce(names);
  });
});
