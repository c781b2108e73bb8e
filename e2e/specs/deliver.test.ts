import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, launch } from '../browsers/launch.ts';
import { inEveryBrowser, openShop, orderNames, type Shop } from '../harness/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

/** What was sent for one order, preflights among it: they have no body to tell whose they are. */
const sentFor = (name: string) =>
  shop.network.seen.filter((seen) => seen.name === name || seen.method === 'OPTIONS');

inEveryBrowser((engine) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(engine);
  });
  afterAll(() => browser?.close());

  it('an order of a page that stays open arrives in one request, without a preflight', async () => {
    const page = shop.page('/thanks', 'confirmation.html');
    const names = orderNames(`normal ${engine}`);
    for (const name of names) {
      const tab = await browser.newTab();
      await tab.goto(`${page}?name=${encodeURIComponent(name)}`);
      await shop.expectStoredOnce([name]);
      expect(await tab.run('return errors')).toEqual([]);
      const sent = sentFor(name);
      expect(sent.map(({ method }) => method)).toEqual(['POST']);
      expect(sent[0]).toMatchObject({
        origin: shop.origin,
        contentType: expect.stringMatching(/^text\/plain/),
      });
      await tab.close();
    }
    const orders = await shop.expectStoredOnce(names);
    expect(new Set(orders.map(({ visitorId }) => visitorId)).size).toBe(1);
    expect(orders[0]!.visitorId).toMatch(/\S/);
  });

  it('track() resolves with the stored order, and with the refusal of one that is wrong', async () => {
    const [name] = orderNames(`promise ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(shop.page('/promise', 'confirmation.html'));
    const delivered = await tab.run<{ status: string; order: { id: string } }>(
      `return report(${JSON.stringify(name)})`,
    );
    const [stored] = await shop.expectStoredOnce([name!]);
    expect(delivered).toMatchObject({ status: 'delivered', order: { id: stored!.id, isNew: true } });
    const refused = await tab.run(`return report('x', { amount: '49,90' })`);
    expect(refused).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('amount') },
    });
    expect(await tab.run('return errors')).toEqual([]);
    await tab.close();
  });

  it('a thank-you page that is reloaded, and come back to, is one order', async () => {
    const names = orderNames(`reload ${engine}`);
    const page = shop.page('/reload', 'confirmation.html');
    for (const name of names) {
      const url = `${page}?name=${encodeURIComponent(name)}&orderId=${encodeURIComponent(name)}`;
      const tab = await browser.newTab();
      await tab.goto(url);
      await shop.expectStoredOnce([name]);
      await tab.goto(url);
      await expect.poll(() => sentFor(name).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
      await tab.goto(`${shop.origin}/elsewhere`);
      await tab.run('history.back()').catch(() => {});
      await expect
        .poll(() => tab.run('return location.pathname').catch(() => null), { timeout: 10_000 })
        .toBe('/reload');
      await tab.close();
    }
    await shop.expectStoredOnce(names);
  });

  it('a page with Referrer-Policy no-referrer delivers too', async () => {
    const [name] = orderNames(`no-referrer ${engine}`, 1);
    const page = shop.page('/no-referrer', 'confirmation.html', {}, { 'Referrer-Policy': 'no-referrer' });
    const tab = await browser.newTab();
    await tab.goto(`${page}?name=${encodeURIComponent(name!)}`);
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });
});
