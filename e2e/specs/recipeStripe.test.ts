// @module-tag all
import { createHmac } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { readmeExample, recipeExample } from '../harness/examples.ts';
import { answerTo, setUpShop } from '../harness/shop.ts';
import { addSource, type SourceOfShop } from '../harness/source.ts';
import { stub } from '../harness/stub.ts';

const secret = 'whsec_of_the_test';

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpChromium();
let source: SourceOfShop;
beforeAll(async () => {
  source = await addSource(orderbeacon, teamId, 'stripe', secret);
});

/** The part of a session that a shop's backend passes to Stripe. */
interface PaySession {
  metadata: Record<string, string>;
  success_url: string;
}

/** Makes a session with the recipe's code, and a stand-in for Stripe's library. */
function createSession(orderId: string, visitorId?: string): Promise<PaySession> {
  const code = `${recipeExample('stripe', 'session')}; return session;`;
  const stripe = { checkout: { sessions: { create: async (session: PaySession) => session } } };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  return new AsyncFunction('stripe', 'line_items', 'orderId', 'visitorId', code)(
    stripe,
    [],
    orderId,
    visitorId,
  );
}

/** Sends the signed event of a paid session. */
function complete({ metadata }: PaySession) {
  const id = `cs_test_${metadata.orderId}`;
  const session = {
    id,
    object: 'checkout.session',
    mode: 'payment',
    amount_total: 4990,
    currency: 'usd',
    payment_status: 'paid',
    payment_intent: `pi_${id}`,
    created: Math.floor(Date.now() / 1000),
    livemode: true,
    customer_details: { email: 'ann@shop.example', name: 'Ann' },
    metadata,
  };
  const body = JSON.stringify({
    id: `evt_${id}`,
    object: 'event',
    type: 'checkout.session.completed',
    livemode: true,
    created: session.created,
    data: { object: session },
  });
  const signature = createHmac('sha256', secret).update(`${session.created}.${body}`).digest('hex');
  return source.send(body, { 'Stripe-Signature': `t=${session.created},v1=${signature}` });
}

const stored = async (orderId: string) =>
  (await orderbeacon.orders(teamId)).filter((order) => order.orderId === orderId);

/** Opens the shop's page with the README's tag and no order yet. */
async function openShop() {
  const tag = readmeExample('every-page')
    .replace('team_…', teamId)
    .replaceAll('https://orders.shop.example', orderbeacon.url);
  pages.serve('/shop', 'blank.html', { body: `<script>${stub}</script>${tag}` });
  const tab = await browser.newTab();
  await tab.goto(`http://shop.localhost:${pages.port}/shop`);
  return tab;
}

it('browser and webhook, whichever is first, are one order: the browser’s visitor, the webhook’s amount', async () => {
  const tab = await openShop();
  // Runs the recipe's first example without going to the payment page.
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
      `return ${answerTo(`track('order', { email: 'ann@shop.example', amount: 1, orderId: '${orderId}' })`)}`,
    );

  expect(await report('first-the-browser')).toMatchObject({ status: 'delivered' });
  expect(await complete(await createSession('first-the-browser', visitorId))).toBe(200);
  expect(await complete(await createSession('first-the-webhook'))).toBe(200);
  expect(await report('first-the-webhook')).toMatchObject({ status: 'delivered' });

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
  const session = await createSession('never-back', 'mhq3k9xz34112233441234567890');
  expect(session.success_url).toBe('https://shop.example/thanks?session={CHECKOUT_SESSION_ID}');
  expect(await complete(session)).toBe(200);
  expect(await stored('never-back')).toMatchObject([
    { visitorId: 'mhq3k9xz34112233441234567890', reportedBy: 'key' },
  ]);
});
