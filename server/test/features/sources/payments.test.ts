import { expect } from 'vitest';
import { providers } from '../../../src/features/sources/providers.js';
import { encodeId } from '../../../src/values/ids.js';
import { type Shop, test } from '../../kit/shop.js';
import { addTestSource } from './kit/sources.js';
import { charge, payment, refund, session, stripeEvent } from './kit/stripeSamples.js';
import { wooOrder } from './kit/wooCommerceSamples.js';

/** Adds a source of Stripe to a shop. Returns the function that sends its events. */
async function stripeOf({ server, team }: Shop) {
  const source = await addTestSource(server, team, { kind: 'stripe' });
  return async (type: string, object: Record<string, unknown>) =>
    expect((await source.say(stripeEvent(type, object))).status).toBe(200);
}

test('an account with an API version before 2022-11-15 reports a refund and its failure by the events to choose', async ({
  shop,
}) => {
  const stripe = await stripeOf(shop);
  const say = async (type: string, object: Record<string, unknown>) =>
    providers.stripe.events.includes(type) && stripe(type, object);
  await say('charge.succeeded', charge({ refunds: { data: [] } }));
  const refundedAmount = async () => {
    const { id } = (await shop.stored())[0]!;
    return (await shop.read(encodeId('ord', id))).body.data.refundedAmount;
  };
  await say('charge.refunded', charge({ refunds: { data: [refund()] } }));
  expect(await refundedAmount()).toBe(10);
  await say('charge.refund.updated', refund({ status: 'failed' }));
  expect(await refundedAmount()).toBe(0);
});

test('a payment of a customer whom WordPress has erased names no buyer', async ({ shop }) => {
  const say = await stripeOf(shop);
  const email = 'deleted@site.invalid';
  await say('payment_intent.succeeded', payment({ receipt_email: email }));
  await say('checkout.session.completed', session({ customer_details: { email } }));
  expect(await shop.stored()).toMatchObject([{ email: expect.stringMatching(/@no-email\.invalid$/) }]);
});

test('an integrator’s key is no payment: with another orderId it is refused as before', async ({ shop }) => {
  const by = { idempotencyKey: 'pi_1' };
  expect((await shop.reportByKey({ orderId: 'pi_1' }, by)).status).toBe(200);
  expect((await shop.reportByKey({ orderId: 'cs_1' }, by)).status).toBe(422);
});

test.for<[string, object, string]>([
  ['one buyer', {}, 'de-woocommerce_9-'],
  ['two buyers', { billing: { email: 'bob@shop.example' } }, ''],
])(
  'two orders of a shop under one number, of %s, are two, and the second names the first',
  async ([_, others, orderIdPrefix], { shop }) => {
    const woo = await addTestSource(shop.server, shop.team, { kind: 'woocommerce', orderIdPrefix });
    const second = { number: '230', order_key: 'wc_order_2', date_paid_gmt: '2026-03-02T10:00:04' };
    const orders = [
      wooOrder(230, { order_key: 'wc_order_1', total: '30.00' }),
      wooOrder(981, { ...second, total: '50.00', ...others }),
    ];
    const orderId = `${orderIdPrefix}230`;
    await shop.report({ email: 'ann@shop.example', orderId, amount: 30, currency: 'EUR' });
    for (let round = 0; round < 2; round++) for (const order of orders) await woo.say(order, 'order.updated');
    const [oldest, later] = await shop.stored();
    expect([oldest, later]).toMatchObject([
      { orderId, amount: '30', sharesIdWith: null },
      { orderId, amount: '50', sharesIdWith: oldest!.id },
    ]);
    expect((await shop.read(orderId)).body.data.amount).toBe(30);
    expect(await shop.refused()).toEqual([]);
  },
);

test.for([
  ['before the shop’s backend', true],
  ['after it', false],
] as const)('a refund that Stripe tells %s with the same id counts once', async ([, isFirst], { shop }) => {
  const stripe = await stripeOf(shop);
  await stripe('charge.succeeded', charge({ metadata: { orderId: '1001' } }));
  const events = [
    () => stripe('refund.created', refund()),
    async () => {
      const { status } = await shop.refund({ orderId: '1001', refundId: refund().id, amount: 10 });
      expect(status).toBe(200);
    },
  ];
  for (const send of isFirst ? events : events.toReversed()) await send();
  expect((await shop.read('1001')).body.data.refundedAmount).toBe(10);
  await stripe('refund.created', refund({ id: 're_of_the_rest', amount: 3_990 }));
  const again = await shop.refund({ orderId: '1001', refundId: 're_of_the_rest' });
  expect([again.status, (await shop.read('1001')).body.data.refundedAmount]).toEqual([200, 49.9]);
});

test.for([
  ['before the order', true],
  ['after it', false],
] as const)('a refund by the shop’s own id of a numbered order counts %s', async ([, isFirst], { shop }) => {
  const woo = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
  const events = [
    async () => {
      const { status } = await shop.refund({ orderId: '230', refundId: 'r', amount: 10 });
      expect(status).toBe(200);
    },
    () => woo.say(wooOrder(230, { number: 'RE-230', transaction_id: '' }), 'order.updated'),
  ];
  for (const send of isFirst ? events : events.toReversed()) await send();
  await expect
    .poll(async () => (await shop.read('RE-230')).body.data)
    .toMatchObject({ amount: 49.9, refundedAmount: 10 });
});
