import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpBrowser } from '../harness/engines.ts';
import { readmeExample, recipeExample } from '../harness/examples.ts';
import { type RunningRecipe, startRecipe } from '../harness/recipe.ts';
import { setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

const secret = 'whsec_of_the_test';

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpBrowser('chromium');
let webhook: RunningRecipe;

beforeAll(async () => {
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId);
  webhook = await startRecipe(
    { 'stripe.js': recipeExample('stripe', 'webhook'), 'reportOf.js': recipeExample('stripe', 'report') },
    {
      ORDERBEACON_URL: orderbeacon.url,
      ORDERBEACON_API_KEY: key,
      ORDERBEACON_TEAM: teamId,
      STRIPE_KEY: 'sk_test_of_nobody',
      STRIPE_SECRET: secret,
    },
  );
});
afterAll(() => webhook?.close());

/** A Checkout session of Stripe, with the fields that the recipe reads. */
const session = (orderId: string, more: object = {}) => ({
  id: `cs_test_${orderId}`,
  amount_total: 4990,
  currency: 'usd',
  payment_status: 'paid',
  customer_details: { email: 'ann@shop.example', name: 'Ann' },
  metadata: { orderId },
  ...more,
});

async function send(type: string, object: object, signedWith = secret, ageSeconds = 0) {
  const body = JSON.stringify({ id: `evt_${crypto.randomUUID()}`, type, data: { object } });
  const seconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const signature = createHmac('sha256', signedWith).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'Stripe-Signature': `t=${seconds},v1=${signature}` };
  return (await fetch(webhook.url, { method: 'POST', headers, body })).status;
}

const stored = async (orderId: string) =>
  (await orderbeacon.orders(teamId)).filter((order) => order.orderId === orderId);

/** Opens the shop's page with the README's tag and no order yet. */
async function openShop() {
  const tag = readmeExample('every-page')
    .replace('team_…', teamId)
    .replace('https://orders.shop.example', orderbeacon.url);
  pages.serve('/shop', 'blank.html', { body: `<script>${stub}</script>${tag}` });
  const tab = await browser.newTab();
  await tab.goto(`http://shop.localhost:${pages.port}/shop`);
  return tab;
}

it('amounts leave Stripe’s smallest unit as each currency counts', async () => {
  const module = `data:text/javascript,${encodeURIComponent(recipeExample('stripe', 'report'))}`;
  const { reportOf } = await import(/* @vite-ignore */ module);
  const amounts = Object.entries({ usd: 4990, jpy: 5000, krw: 1, kwd: 5120, isk: 500, ugx: 500, huf: 1045 });
  expect(
    amounts.map(([currency, amount_total]) => [
      currency,
      reportOf(session('1', { currency, amount_total }), teamId).amount,
    ]),
  ).toEqual([
    ['usd', 49.9],
    ['jpy', 5000],
    ['krw', 1],
    ['kwd', 5.12],
    ['isk', 5],
    ['ugx', 5],
    ['huf', 10.45],
  ]);
});

it('browser and webhook, whichever is first, are one order: the browser’s visitor, the webhook’s amount', async () => {
  const tab = await openShop();
  // What the recipe's first example sends, without the payment page behind it.
  const pay = recipeExample('stripe', 'pay').replace(/^location.href.*$/m, '');
  const sent = await tab.run<{ orderId: string; visitorId: string }>(`
    const fetch = async (url, { body }) => { sent = JSON.parse(body); };
    const orderId = 'first-the-browser';
    let sent;
    ${pay}
    return sent;`);
  expect(sent).toEqual({ orderId: 'first-the-browser', visitorId: expect.stringMatching(/\w{9}/) });
  const { visitorId } = sent;
  const report = (orderId: string) =>
    tab.run(
      `return track('order', { email: 'ann@shop.example', amount: 1, orderId: '${orderId}' }).then(({ status }) => status)`,
    );

  expect(await report('first-the-browser')).toBe('delivered');
  expect(
    await send(
      'checkout.session.completed',
      session('first-the-browser', { metadata: { orderId: 'first-the-browser', visitorId } }),
    ),
  ).toBe(200);
  expect(await send('checkout.session.completed', session('first-the-webhook'))).toBe(200);
  expect(await report('first-the-webhook')).toBe('delivered');

  for (const orderId of ['first-the-browser', 'first-the-webhook']) {
    const orders = await stored(orderId);
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      amount: 49.9,
      currency: 'USD',
      source: 'STRIPE',
      name: 'Ann',
      visitorId,
      reportedBy: 'both',
    });
  }
  await tab.close();
});

it('an order whose buyer never came back has the visitor from the metadata', async () => {
  const metadata = { orderId: 'never-back', visitorId: 'visitor-of-ann' };
  expect(await send('checkout.session.completed', session('never-back', { metadata }))).toBe(200);
  expect(await stored('never-back')).toMatchObject([{ visitorId: 'visitor-of-ann', reportedBy: 'key' }]);
});

it('a session that completes unpaid is an order when its payment has come', async () => {
  const unpaid = session('transfer', { payment_status: 'unpaid' });
  expect(await send('checkout.session.completed', unpaid)).toBe(200);
  expect(await stored('transfer')).toEqual([]);
  expect(await send('checkout.session.async_payment_succeeded', session('transfer'))).toBe(200);
  expect(await stored('transfer')).toHaveLength(1);
});

it('other events are taken and ignored, and wrong, old or missing signatures refused', async () => {
  expect(await send('payment_intent.succeeded', session('other'))).toBe(200);
  expect(await send('checkout.session.completed', session('other'), 'whsec_of_another')).toBe(400);
  expect(await send('checkout.session.completed', session('other'), secret, 301)).toBe(400);
  const unsigned = await fetch(webhook.url, { method: 'POST', body: JSON.stringify(session('other')) });
  expect(unsigned.status).toBe(400);
  expect(await stored('other')).toEqual([]);
});
