// @module-tag all
import { beforeAll, expect, it } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { recipeExample } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';
import { addSource, type SourceOfShop, signInBase64 } from '../harness/source.ts';

const secret = 'the secret that Shopify shows';

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpChromium();
let source: SourceOfShop;
beforeAll(async () => {
  source = await addSource(orderbeacon, teamId, 'shopify', secret);
});

/** The attributes of the buyer's cart, and each update by the theme. */
interface Cart {
  attributes: Record<string, string>;
  updates: unknown[];
}

/** Opens a page of the shop, whose theme has the attributes of the cart. */
async function visit(path: string, attributes: object, then = ''): Promise<Cart> {
  const shop = `<script>
    const updates = [];
    const send = window.fetch;
    window.fetch = async (url, init) => {
      if (url !== '/cart/update.js') return send(url, init);
      updates.push([init.method, init.headers['Content-Type'], JSON.parse(init.body)]);
      return new Response('{}');
    };
  </script>`;
  // Shopify fills in Liquid like this.
  const theme = recipeExample('shopify', 'theme')
    .replace('{{ cart.attributes | json }}', () => JSON.stringify(attributes))
    .replaceAll('team_…', teamId)
    .replaceAll('https://orders.shop.example', orderbeacon.url);
  expect(theme).not.toContain('{{');
  pages.serve('/theme', 'anywhere.html', { head: shop + theme });
  const tab = await browser.newTab();
  await tab.goto(`http://shop.localhost:${pages.port}/theme${path}`);
  await expect.poll(() => tab.run('return typeof track === "function" && !!track.visitorId()')).toBe(true);
  await tab.run(then);
  const updates = await tab.run<[string, string, { attributes: Record<string, string> }][]>('return updates');
  await tab.close();
  return { attributes: { ...attributes, ...updates.at(-1)?.[2].attributes }, updates };
}

/** Sends the webhook of a paid order, with the cart's attributes as Shopify copies them into the order. */
function pay(id: number, attributes: Record<string, string>) {
  const body = JSON.stringify({
    id,
    name: '#1001',
    email: 'ann@shop.example',
    financial_status: 'paid',
    total_price: '49.90',
    currency: 'EUR',
    customer: { first_name: 'Ann', last_name: 'Example' },
    note_attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    line_items: [{ product_id: 7, sku: 'TEE-M', title: 'T-shirt', quantity: 2, price: '24.95' }],
    processed_at: new Date().toISOString(),
  });
  return source.send(body, {
    'X-Shopify-Topic': 'orders/paid',
    'X-Shopify-Hmac-Sha256': signInBase64(body, secret),
  });
}

const stored = async (orderId: string) =>
  (await orderbeacon.orders(teamId)).filter((order) => order.orderId === orderId);

it('the theme hands the visitor and the landing to the cart once, and the webhook’s order has both', async () => {
  const first = await visit('?utm_source=letter', {});
  expect(first.updates).toEqual([
    [
      'POST',
      'application/json',
      {
        attributes: {
          _orderbeacon_visitor: expect.stringMatching(/\w{9}/),
          _orderbeacon_landings: expect.any(String),
        },
      },
    ],
  ]);
  expect((await visit('', first.attributes)).updates).toEqual([]);

  expect(await pay(5_678_901_234_567, first.attributes)).toBe(200);
  expect(await pay(5_678_901_234_567, first.attributes)).toBe(200);
  expect(await stored('5678901234567')).toMatchObject([
    {
      email: 'ann@shop.example',
      name: 'Ann Example',
      amount: 49.9,
      currency: 'EUR',
      reportedBy: 'key',
      visitorId: first.attributes._orderbeacon_visitor,
      firstTouch: { source: 'letter', path: '/theme' },
      items: [{ productId: 7, sku: 'TEE-M', name: 'T-shirt', quantity: 2, price: 24.95 }],
    },
  ]);
});

it('a new campaign is handed to the cart, too', async () => {
  const first = await visit('', {});
  const again = await visit('?utm_source=search', first.attributes);
  expect(again.updates).toHaveLength(1);
  await pay(2, again.attributes);
  expect(await stored('2')).toMatchObject([{ lastTouch: { source: 'search' } }]);
});

// This test is the last one, because the browser keeps the decision.
it('the cart loses both when the visitor withdraws consent', async () => {
  const { updates, attributes } = await visit('', {}, "return track('consent', false).then(rememberVisitor)");
  expect(updates).toHaveLength(2);
  expect(attributes).toEqual({ _orderbeacon_visitor: '', _orderbeacon_landings: '' });
});
