import { afterEach, expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

const shop = await setUpShop();
const page = shop.page('/thanks', 'confirmation.html');
afterEach(() => shop.network.onReport(() => 'pass'));

/** Values that templates put into `items`, as JavaScript, and the stored ones. */
const items: [given: string, stored: unknown][] = [
  [`[{ sku: null, name: 'Cap' }]`, [{ name: 'Cap' }]],
  [`[{ sku: 'A', price: '24.95', quantity: '2' }]`, [{ sku: 'A', price: 24.95, quantity: 2 }]],
  [`[{ sku: 'A', price: NaN, quantity: Infinity }]`, [{ sku: 'A' }]],
  [`[{ sku: 'A', name: 'x'.repeat(300) }]`, [{ sku: 'A', name: 'x'.repeat(255) }]],
  [`[{ sku: 7, name: 1984 }]`, [{ sku: 7, name: '1984' }]],
  [`[null, undefined, { sku: 'A' }]`, [{ sku: 'A' }]],
  [`[{ sku: 'A', when: () => 1, id: Symbol('x') }]`, [{ sku: 'A' }]],
  [`'[{"sku":"A"}]'`, [{ sku: 'A' }]],
  [`'{{ order.items }}'`, null],
  [`(() => { const list = [{ sku: 'A' }]; list[0].list = list; return list })()`, null],
  [`[{ sku: 'A', units: 1n }]`, null],
  [`[{ note: 'x'.repeat(70_000) }]`, null],
];

/** Other values that shops pass with the order. They cannot be written as JSON, and are not needed. */
const extras: Record<string, string> = {
  'the window': 'page: window',
  'an object that holds itself': 'cart: (() => { const cart = {}; cart.cart = cart; return cart })()',
  'a BigInt': 'block: 19000000n',
  'a getter that throws': `get coupon() { throw Error('no coupon') }`,
};

/** The `toJSON` methods of Prototype.js 1.6 on arrays, and of some libraries on every object. */
const oldLibraries: Record<string, string> = {
  'Array.prototype.toJSON': `Array.prototype.toJSON = function () { return '[' + this.map((one) => JSON.stringify(one)).join(', ') + ']' }`,
  'Object.prototype.toJSON': `Object.prototype.toJSON = function () { return 'an object' }`,
};

inOneBrowser((engine, browser) => {
  it('whatever a template has put into the items, the order is stored', async () => {
    const names = orderNames(`items ${engine}`, items.length);
    const tab = await browser.newTab();
    await tab.goto(page);
    const calls = items.map(
      ([given], n) => `report('${names[n]}', { orderId: '${names[n]}', items: ${given} })`,
    );
    const results = await tab.run<{ status: string }[]>(
      `return Promise.all([${calls.map(answerTo)}].map(async (sent) => ({ status: (await sent).status })))`,
    );
    expect(results.map(({ status }) => status)).toEqual(items.map(() => 'delivered'));
    const orders = await shop.expectStoredOnce(names);
    const storedItems = new Map(orders.map((order) => [order.name, order.items]));
    for (const [n, [given, stored]] of items.entries()) {
      expect(storedItems.get(names[n]!), given).toEqual(stored);
      expect(orders.find(({ name }) => name === names[n])).toMatchObject({ amount: 49.9 });
    }
    expect(await tab.run('return errors')).toEqual([]);
  });

  it('whatever stands beside the items, the order is stored, called early or late', async () => {
    const [early, late] = ['early', 'late'].map((when) =>
      orderNames(`extras ${when} ${engine}`, Object.keys(extras).length),
    ) as [string[], string[]];
    const calls = (names: string[]) =>
      Object.values(extras).map((extra, n) => {
        const order = `email: 'ann@shop.example', amount: 49.9, name: '${names[n]}', orderId: '${names[n]}'`;
        return `track('order', { ${order}, ${extra} })`;
      });
    const body = `<script>${stub};${calls(early).join(';')}</script>
      <script async src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>`;
    const tab = await browser.newTab();
    await tab.goto(shop.page('/extras', 'anywhere.html', { body }));
    await shop.expectStoredOnce(early);
    expect(
      await tab.run(
        `return Promise.all([${calls(late).map(answerTo)}].map(async (sent) => (await sent).status))`,
      ),
    ).toEqual(late.map(() => 'delivered'));
    await shop.expectStoredOnce(late);
    await tab.close();
  });

  it('an orderId that is a BigInt is the same order as its text', async () => {
    const [name] = orderNames(`BigInt ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    const orderId = `${Date.now()}123456`;
    for (const each of [`${orderId}n`, `'${orderId}'`]) {
      expect(
        await tab.run(`return ${answerTo(`report('${name}', { orderId: ${each}, amount: 50n })`)}`),
      ).toMatchObject({
        status: 'delivered',
      });
    }
    expect(await shop.expectStoredOnce([name!])).toMatchObject([{ orderId, amount: 50 }]);
    await tab.close();
  });

  it.each(Object.entries(oldLibraries))(
    'an old library’s %s spoils neither order nor items, called early or late',
    async (library, code) => {
      const [early, name] = orderNames(`${library} ${engine}`, 2);
      const given = `email: 'ann@shop.example', amount: 49.9, name: '${early}', orderId: '${early}'`;
      const body = `<script>${code};${stub};track('order', { ${given}, items: [{ sku: 'A', quantity: 2 }] })</script>
        <script async src="${shop.endpoint}/sdk/track.js" data-team-id="${shop.teamId}"></script>`;
      const before = await browser.newTab();
      await before.goto(shop.page('/old-library-early', 'anywhere.html', { body }));
      expect(await shop.expectStoredOnce([early!])).toMatchObject([{ items: [{ sku: 'A', quantity: 2 }] }]);
      await before.close();
      // The order waits once, so that the spoilt JSON would have to be read again, too.
      shop.network.onReport((attempt) => (attempt === 0 ? { status: 503 } : 'pass'));
      const tab = await browser.newTab();
      await tab.goto(shop.page('/old-library', 'confirmation.html', { head: `<script>${code}</script>` }));
      await tab.run(
        `void report('${name}', { orderId: '${name}', items: [{ sku: 'A', quantity: 2 }] }); return ''`,
      );
      const [order] = await shop.expectStoredOnce([name!]);
      expect(order!.items).toEqual([{ sku: 'A', quantity: 2 }]);
      await tab.close();
    },
  );

  it('an amount that may mean two sums is refused, and nothing else is stored in its place', async () => {
    const [name] = orderNames(`amount ${engine}`, 1);
    const tab = await browser.newTab();
    await tab.goto(page);
    for (const amount of ['1.000', '49,90', '1,134.65', '$49.90', '']) {
      expect(
        await tab.run(`return ${answerTo(`report('${name}', { orderId: '${name}', amount: '${amount}' })`)}`),
      ).toMatchObject({
        status: 'refused',
        error: { code: 'invalid_request', issues: [{ path: 'amount' }] },
      });
    }
    expect(
      await tab.run(`return ${answerTo(`report('${name}', { orderId: '${name}', amount: '1000.00' })`)}`),
    ).toMatchObject({
      status: 'delivered',
    });
    expect(await shop.expectStoredOnce([name!])).toMatchObject([{ amount: 1000 }]);
  });
});
