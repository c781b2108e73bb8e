import { afterEach, expect, it } from 'vitest';
import { inEveryEngine, inOneBrowser } from '../harness/engines.ts';
import { orderNames, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
afterEach(() => shop.network.onReport(() => 'pass'));

const call = (name: string) => `void report('${name}', { orderId: '${name}' })`;

/** Storage faults of a consent tool, of a browser that is almost full, and of a shop that clears its storage. */
const lies: Record<string, string> = {
  'takes a text and keeps nothing': 'Storage.prototype.setItem = () => {}',
  'keeps a text only in part':
    'const { setItem } = Storage.prototype; Storage.prototype.setItem = function (key, text) { setItem.call(this, key, text.slice(0, 20)) }',
  'gives nothing back': 'Storage.prototype.getItem = () => null',
  'is cleared all the time': 'setInterval(() => localStorage.clear(), 20)',
};

/** Values that other code may store under names like ours. */
const foreign = {
  'orderbeacon:cart': '{"sku":"TEE-M"}',
  'orderbeacon:list': '[1,2]',
  'orderbeacon:1': '{"key":1,"body":5,"tries":"many"}',
  'orderbeacon:theme': 'dark',
  'orderbeacon:null': 'null',
  'orderbeacon:number': '7',
  'orderbeacon:report': '{"key":"orderbeacon:report","body":"no JSON","tries":1}',
  'orderbeacon:other':
    '{"key":"orderbeacon:other","body":"{\\"teamId\\":\\"team_of_another\\"}","tries":1,"at":0}',
  'orderbeacon:call':
    '{"global":"another","command":"order","value":{"email":"bob@shop.example","amount":1}}',
  cart: '{"lines":[]}',
};

inEveryEngine((engine, browser) => {
  it('sixty orders that wait together all arrive', async () => {
    const names = orderNames(`sixty ${engine}`, 60);
    const tab = await browser.newTab();
    await tab.goto(shop.page('/sixty', 'confirmation.html'));
    await shop.network.goDown();
    try {
      await tab.run(
        `await Promise.all(${JSON.stringify(names)}.map((name) => report(name, { orderId: name })))`,
      );
    } finally {
      await shop.network.comeUp();
    }
    await tab.run('dispatchEvent(new Event("online"))');
    await shop.expectStoredOnce(names);
    await tab.close();
  });
});

inOneBrowser((engine, browser) => {
  it.each(Object.entries(lies))('storage that %s: the order is tried again and stored', async (lie, code) => {
    const [early, late] = orderNames(`${lie} ${engine}`, 2);
    shop.network.onReport((attempt) => (attempt < 2 ? { status: 503 } : 'pass'));
    const tab = await browser.newTab();
    const page = shop.page('/lies', 'confirmation.html', { head: `<script>${code}</script>` });
    await tab.goto(`${page}?name=${encodeURIComponent(early!)}&orderId=${encodeURIComponent(early!)}`);
    await tab.run(call(late!));
    await shop.expectStoredOnce([early!, late!]);
    expect(await tab.run('return errors')).toEqual([]);
    await tab.close();
  });

  it('what others keep under names like ours is neither sent, changed nor removed', async () => {
    const [first, retried] = orderNames(`foreign ${engine}`, 2);
    const tab = await browser.newTab();
    await tab.goto(`${shop.origin}/elsewhere`);
    await tab.run(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(foreign)})`);
    await tab.goto(shop.page('/foreign', 'confirmation.html'));
    await tab.run(call(first!));
    await shop.expectStoredOnce([first!]);
    shop.network.onReport((attempt) => (attempt === 0 ? { status: 503 } : 'pass'));
    await tab.run(call(retried!));
    await shop.expectStoredOnce([first!, retried!]);
    await tab.run('dispatchEvent(new Event("online"))');
    const kept = 'const { ob_visitor, ob_landings, ob_consent, ...kept } = localStorage; return kept';
    await expect.poll(() => tab.run(kept)).toEqual(foreign);
    expect(
      new Set(shop.network.seen.flatMap(({ method, name }) => (method === 'POST' ? [name] : []))),
    ).not.toContain('');
    expect(await tab.run('return errors')).toEqual([]);
    await tab.run('localStorage.clear()');
    await tab.close();
  });
});
