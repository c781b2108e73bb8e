import { expect, it } from 'vitest';
import { inEveryBrowser } from '../harness/engines.ts';
import { answerTo, orderNames, patientTries, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();

/** Lists the requests for one order. It includes preflights, which have no body with a name. */
const sentFor = (name: string) =>
  shop.network.seen.filter((seen) => seen.name === name || seen.method === 'OPTIONS');

inEveryBrowser((engine, browser) => {
  it('an order of a page that stays open arrives in one request, without a preflight', async () => {
    const page = shop.page('/thanks', 'confirmation.html', { head: patientTries });
    const names = orderNames(`normal ${engine}`, 2);
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
      `return ${answerTo(`report('${name}')`)}`,
    );
    const [stored] = await shop.expectStoredOnce([name!]);
    expect(delivered).toMatchObject({ status: 'delivered', order: { id: stored!.id, isNew: true } });
    const refused = await tab.run(`return ${answerTo(`report('x', { amount: '49,90' })`)}`);
    expect(refused).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('amount') },
    });
    expect(await tab.run('return errors')).toEqual([]);
    await tab.close();
  });

  it('an order of nearly 64 KiB arrives, and so do ten concurrent ones of 15 KB from a page that is left', async () => {
    const page = shop.page('/large', 'confirmation.html');
    const [largest, ...names] = orderNames(`large ${engine}`, 11);
    const tab = await browser.newTab();
    await tab.goto(page);
    const items = (bytes: number) => `{ items: [{ note: 'x'.repeat(${bytes}) }] }`;
    const sent = await tab.run(`return ${answerTo(`report('${largest}', ${items(65_000)})`)}`);
    expect(sent).toMatchObject({ status: 'delivered' });
    // More than the 64 KiB that may outlive a page, so some have to wait for the next page.
    await tab
      .run(
        `for (const name of ${JSON.stringify(names)}) void report(name, ${items(15_000)}); location.href = '/large?'`,
      )
      .catch(() => {});
    await shop.expectStoredOnce([largest!, ...names]);
    await tab.close();
  });

  it('a page with Referrer-Policy no-referrer delivers too', { tags: ['all'] }, async () => {
    const [name] = orderNames(`no-referrer ${engine}`, 1);
    const page = shop.page('/no-referrer', 'confirmation.html', {}, { 'Referrer-Policy': 'no-referrer' });
    const tab = await browser.newTab();
    await tab.goto(`${page}?name=${encodeURIComponent(name!)}`);
    await shop.expectStoredOnce([name!]);
    await tab.close();
  });
});
