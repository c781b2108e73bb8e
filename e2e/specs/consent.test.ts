import { afterEach, expect, it } from 'vitest';
import { inEveryEngine } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
await shop.orderbeacon.command('domain', 'add', '--team', shop.teamId, '--live', 'checkout.shop.localhost');
shop.network.onScript('pass');
afterEach(() => {
  shop.network.onReport(() => 'pass');
  shop.network.onScript('pass');
});

/** Records the cookies that were ever set, and makes the calls of the address before the script has loaded. */
const head = `<script>
  const given = [];
  const { set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  Object.defineProperty(document, 'cookie', {
    get: Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').get,
    set(text) { given.push(text); set.call(document, text) },
  });
</script>`;
const page = shop.page('/thanks', 'confirmation.html', { head });
const ofCheckout = (url: string) => url.replace('shop.localhost', 'checkout.shop.localhost');
/** Each test begins without cookies and keys, on both hosts. */
const forget = `localStorage.clear(); for (const name of ['ob_visitor', 'ob_consent']) for (const domain of ['', ';domain=shop.localhost'])
  document.cookie = name + '=;path=/;max-age=-1' + domain`;
const call = (name: string) => `report('${name}', { orderId: '${name}' })`;

/** Values that shops and consent tools pass, none of which means yes. */
const noes = [
  `'denied'`,
  `'false'`,
  `'granted'`,
  `'true'`,
  '{ granted: false }',
  '{ granted: true }',
  '0',
  '1',
  'null',
  'undefined',
  '[]',
];

inEveryEngine((engine, browser) => {
  const open = async (url: string) => {
    const tab = await browser.newTab();
    await tab.goto(ofCheckout(page));
    await tab.run(forget);
    await tab.goto(page);
    await tab.run(forget);
    await tab.goto(url);
    return tab;
  };

  it('only true is yes', async () => {
    const tab = await open(page);
    for (const no of noes) {
      await tab.run(`await track('consent', true)`);
      expect(await tab.run('return track.visitorId() ?? null')).toMatch(/\S{8,}/);
      await tab.run(`await track('consent', ${no})`);
      expect(
        await tab.run('return [track.visitorId() ?? null, localStorage.ob_visitor ?? null]'),
        no,
      ).toEqual([null, null]);
    }
  });

  it('a decision on one sub-domain holds on the others, either way', async () => {
    const tab = await open(page);
    await tab.run(`await track('consent', false)`);
    await tab.goto(ofCheckout(page));
    expect(await tab.run('return [track.visitorId() ?? null, document.cookie]')).toEqual([
      null,
      'ob_consent=0',
    ]);
    await tab.run(`await track('consent', true)`);
    const visitorId = await tab.run('return track.visitorId()');
    expect(visitorId).toMatch(/\S{8,}/);
    await tab.goto(page);
    expect(await tab.run('return track.visitorId()')).toBe(visitorId);
  });

  it('an order that waits loses its visitor when consent is withdrawn', async () => {
    // One order: while another one is answered, the next try of the first may begin, with the visitor.
    const [name] = orderNames(`withdrawn ${engine}`, 1);
    shop.network.onReport(() => ({ status: 503 }));
    const tab = await open(page);
    await tab.run(`await ${call(name!)}; await track('consent', false)`);
    shop.network.onReport(() => 'pass');
    const [order] = await shop.expectStoredOnce([name!]);
    expect(order!.visitorId).toBe(null);
  });

  it('a no that came before the script counts before anything of the visitor is written', async () => {
    const [name] = orderNames(`queued no ${engine}`, 1);
    shop.network.onScript({ status: 503 });
    const tab = await open(page);
    await tab.run(`void ${call(name!)}; void track('consent', false)`);
    shop.network.onScript('pass');
    // This page gets the script, and finds what the other has left.
    await tab.goto(page);
    const [order] = await shop.expectStoredOnce([name!]);
    expect(order!.visitorId).toBe(null);
    expect(
      await tab.run(
        `return given.filter((cookie) => /^ob_visitor=\\w/.test(cookie) && !/max-age=-1/.test(cookie))`,
      ),
    ).toEqual([]);
    expect(await tab.run('return document.cookie')).toBe('ob_consent=0');
  });
});
