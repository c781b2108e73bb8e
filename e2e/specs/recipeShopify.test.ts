import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { recipeExample } from '../harness/examples.ts';
import { type RunningRecipe, startRecipe } from '../harness/recipe.ts';
import { setUpShop } from '../harness/shop.ts';

const secret = 'the shop’s secret';

const { orderbeacon, teamId } = await setUpShop();
let webhook: RunningRecipe;
let key: string;

const start = (url: string) =>
  startRecipe(
    { 'shopify.js': recipeExample('shopify', 'webhook') },
    { ORDERBEACON_URL: url, ORDERBEACON_API_KEY: key, ORDERBEACON_TEAM: teamId, SHOPIFY_SECRET: secret },
  );

beforeAll(async () => {
  key = (await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId)).key;
  webhook = await start(orderbeacon.url);
});
afterAll(() => webhook?.close());

/** An order of Shopify, with the fields that the recipe reads. */
const paid = (id: number, more: object = {}) => ({
  id,
  name: '#1001',
  email: 'ann@shop.example',
  total_price: '49.90',
  currency: 'EUR',
  customer: { first_name: 'Ann', last_name: 'Example' },
  note_attributes: [{ name: 'visitorId', value: 'visitor-of-ann' }],
  line_items: [
    { product_id: 7, sku: 'TEE-M', title: 'T-shirt', variant_title: 'M', quantity: 2, price: '24.95' },
    { product_id: null, sku: '', title: 'Tip', variant_title: null, quantity: 1, price: '0.00' },
  ],
  ...more,
});

const sign = (body: string) => createHmac('sha256', secret).update(body).digest('base64');

async function send(body: string, signature: string | null = sign(body), url = webhook.url) {
  const headers = signature === null ? {} : { 'X-Shopify-Hmac-Sha256': signature };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

const stored = async (orderId: string) =>
  (await orderbeacon.orders(teamId)).filter((order) => order.orderId === orderId);

it('a webhook that Shopify signed, and repeats, is one order with all that it said', async () => {
  const body = JSON.stringify(paid(5_678_901_234_567));
  expect([await send(body), await send(body), await send(body)]).toEqual([200, 200, 200]);
  const orders = await stored('5678901234567');
  expect(orders).toHaveLength(1);
  expect(orders[0]).toMatchObject({
    email: 'ann@shop.example',
    name: 'Ann Example',
    amount: 49.9,
    currency: 'EUR',
    source: 'OTHER',
    visitorId: 'visitor-of-ann',
    reportedBy: 'key',
    items: [
      { productId: 7, sku: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 },
      { name: 'Tip', quantity: 1, price: 0 },
    ],
  });
});

it('a webhook with a wrong, a foreign or no signature is refused, and nothing is stored', async () => {
  const body = JSON.stringify(paid(2));
  const changed = body.replace('49.90', '9.90');
  const answers = [
    await send(
      body,
      sign(body).replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    ),
    await send(changed, sign(body)),
    await send(body, 'short'),
    await send(body, null),
  ];
  expect(answers).toEqual([401, 401, 401, 401]);
  expect(await stored('2')).toEqual([]);
});

it('an order without customer and notes is taken', async () => {
  const bare = { customer: null, note_attributes: [], line_items: [] };
  expect(await send(JSON.stringify(paid(3, bare)))).toBe(200);
  expect(await stored('3')).toMatchObject([{ name: null, visitorId: null }]);
});

it('what can never be taken, as without an email, is logged and not asked for again', async () => {
  expect(await send(JSON.stringify(paid(4, { email: 'bob@shop.example', currency: 'no code' })))).toBe(200);
  expect(await send(JSON.stringify(paid(5, { email: '' })))).toBe(200);
  await expect
    .poll(webhook.output)
    .toMatch(/Order 4: invalid_request[\s\S]*currency[\s\S]*Order 5[\s\S]*email/);
  expect(webhook.output()).not.toContain('bob@shop.example');
  expect([await stored('4'), await stored('5')]).toEqual([[], []]);
});

it('while the server is away Shopify is told to try again', async () => {
  const alone = await start('http://127.0.0.1:9');
  onTestFinished(() => alone.close());
  expect(await send(JSON.stringify(paid(6)), undefined, alone.url)).toBe(503);
});

it('a request that breaks off, or is too long, does not end it', async () => {
  const socket = connect(Number(new URL(webhook.url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\nhalf');
  await once(socket, 'connect');
  socket.destroy();
  await expect(send(JSON.stringify(paid(8, { note: 'x'.repeat(5_000_000) })))).rejects.toThrow();
  expect(await send(JSON.stringify(paid(7)))).toBe(200);
  expect([await stored('7'), await stored('8')]).toEqual([[expect.anything()], []]);
});
