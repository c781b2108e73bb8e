import { describe, expect } from 'vitest';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import { discardOrder } from '../../../src/core/orders/store/discardOrder.js';
import { providers } from '../../../src/features/sources/providers.js';
import { encodeId } from '../../../src/values/ids.js';
import { listenersOf } from '../../kit/listeners.js';
import type { TestServer } from '../../kit/server.js';
import { settle } from '../../kit/settle.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { addTestSource } from './kit/sources.js';
import {
  charge,
  dispute,
  invoice,
  invoicePayment,
  payment,
  refund,
  session,
  stripeEvent,
} from './kit/stripeSamples.js';
import { wooOrder } from './kit/wooCommerceSamples.js';

/** Lists every order of some things. */
function permutations<Thing>(things: Thing[]): Thing[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, at) => permutations(things.toSpliced(at, 1)).map((rest) => [thing, ...rest]));
}

type StripeShop = Awaited<ReturnType<typeof openStripeShop>>;

/** Opens a shop that gets events about payments by Stripe. */
async function openStripeShop(server: TestServer) {
  const shop = await openShop(server);
  const source = await addTestSource(server, shop.team, { kind: 'stripe' });
  return {
    ...shop,
    async say(type: string, object: Record<string, unknown>, fields = {}): Promise<unknown> {
      const answer = await source.say(stripeEvent(type, object, fields));
      expect(answer.status).toBe(200);
      return answer.body.data.outcomes;
    },
  };
}

/** Makes the steps of one payment, by name. */
const steps = (shopsId?: string): Record<string, (shop: StripeShop) => Promise<unknown>> => {
  const metadata = shopsId === undefined ? {} : { orderId: shopsId };
  return {
    session: async ({ say }) => say('checkout.session.completed', session({ metadata })),
    payment: ({ say }) =>
      say('payment_intent.succeeded', payment({ shipping: { name: 'Of the payment' } }), {
        created: 1_763_799_999,
      }),
    'payment without email': ({ say }) =>
      say('payment_intent.succeeded', payment({ receipt_email: null }), { created: 1_763_799_999 }),
    'payment of another email': ({ say }) =>
      say('payment_intent.succeeded', payment({ receipt_email: 'office@shop.example' }), {
        created: 1_763_799_999,
      }),
    'payment with id': ({ say }) =>
      say('payment_intent.succeeded', payment({ metadata: { orderId: '1007' } }), {
        created: 1_763_799_999,
      }),
    charge: ({ say }) => say('charge.succeeded', charge(), { created: 1_763_799_998 }),
    refund: ({ say }) => say('refund.created', refund()),
    page: async ({ report }) => {
      const orderId = shopsId ?? 'cs_live_a1B2c3D4e5F6';
      const answer = await report({ email: 'ann@shop.example', orderId, visitorId: 'visitor-1' });
      expect(answer.status).toBe(200);
    },
  };
};

/** Reads a shop's orders with their identifiers and refunds, without values that differ by arrival. */
async function ordersOf({ sql, team, stored }: Shop): Promise<Record<string, unknown>[]> {
  const refunds = await sql`
    select placed_order_id as id, refund_id as "refundId", amount from refund where team_id = ${team}`;
  return (await stored()).map(
    ({ id, teamId, orderNumber, personId, buyerName, host, mergedAt, said, ...order }) => ({
      ...order,
      keys: order.keys.filter((key: string) => !/^ord/i.test(key)),
      refunds: refunds
        .filter((row) => row.id === id)
        .map(({ refundId, amount }) => [refundId, Number(amount)]),
    }),
  );
}

async function ordersAfter(server: TestServer, named: string[], shopsId?: string) {
  const shop = await openStripeShop(server);
  for (const name of named) await steps(shopsId)[name]!(shop);
  await settle(shop.sql, shop.team);
  return ordersOf(shop);
}

describe('the events of one payment are one order in every order of arrival', () => {
  const payments: [string, string[], string | undefined, object][] = [
    ['a session and its payment', ['session', 'payment'], undefined, { orderId: null }],
    [
      'with the shop’s own id, and a page',
      ['session', 'payment', 'page'],
      '1007',
      { orderId: '1007', visitorId: 'visitor-1', reportedBy: 'both' },
    ],
    [
      'with a page that prints the session’s id, and the charge',
      ['session', 'payment', 'charge', 'page'],
      undefined,
      { orderId: 'cs_live_a1B2c3D4e5F6', visitorId: 'visitor-1', reportedBy: 'both' },
    ],
    [
      'where the payment alone has the shop’s own id',
      ['session', 'payment with id'],
      undefined,
      { orderId: '1007' },
    ],
    [
      'where the payment names another email, and the charge none',
      ['session', 'payment of another email', 'payment without email'],
      undefined,
      { email: 'ann@shop.example' },
    ],
    [
      'with its refund, by a page and the session',
      ['session', 'payment', 'page', 'refund'],
      undefined,
      { refunds: [['re_1Nispe2eZvKYlo2Cd31jOCgZ', 10]] },
    ],
  ];
  // Four events can arrive in 24 orders.
  const hasFour = ([, named]: (typeof payments)[0]) => named.length > 3;
  test.for(payments.filter((each) => !hasFour(each)))('%s', arrive);
  test.for(payments.filter(hasFour))('%s', { tags: ['all'] }, arrive);

  async function arrive(
    [, named, shopsId, expected]: (typeof payments)[0],
    { server }: { server: TestServer },
  ) {
    const results = [];
    for (const sequence of permutations(named))
      results.push({ sequence, orders: await ordersAfter(server, sequence, shopsId) });
    const [{ orders }] = results as [(typeof results)[0]];
    const stated = { amount: '49.9', currency: 'USD', source: 'STRIPE', name: 'Ann Example' };
    expect(orders).toMatchObject([{ ...stated, ...expected }]);
    for (const result of results) expect(result).toEqual({ sequence: result.sequence, orders });
  }
});

test('an invoice and its charge are one order, which a refund of the charge finds, in every order of arrival', {
  tags: ['all'],
}, async ({ server }) => {
  const say = [
    ({ say }: StripeShop) =>
      say(
        'charge.succeeded',
        charge({ description: 'Pro plan, November', amount_captured: 1_500, currency: 'eur' }),
      ),
    ({ say }: StripeShop) => say('invoice.paid', invoice()),
    ({ say }: StripeShop) => say('invoice_payment.paid', invoicePayment()),
    ({ say }: StripeShop) => say('refund.created', refund({ currency: 'eur' })),
  ];
  for (const sequence of permutations(say)) {
    const shop = await openStripeShop(server);
    for (const one of sequence) await one(shop);
    await settle(shop.sql, shop.team);
    const orders = await ordersOf(shop);
    expect(orders).toMatchObject([
      {
        amount: '15',
        currency: 'EUR',
        email: 'ann@shop.example',
        refunds: [['re_1Nispe2eZvKYlo2Cd31jOCgZ', 10]],
      },
    ]);
  }
});

test('an account with an API version before 2022-11-15 reports a refund and its failure by the events to choose', async ({
  server,
}) => {
  const shop = await openStripeShop(server);
  const say = async (type: string, object: Record<string, unknown>) =>
    providers.stripe.events.includes(type) && shop.say(type, object);
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

test('a lost dispute returns the money, and one that is won after it takes that back, in either order', async ({
  server,
}) => {
  const lost = ({ say }: StripeShop) => say('charge.dispute.closed', dispute());
  const won = ({ say }: StripeShop) => say('charge.dispute.closed', dispute({ status: 'won' }));
  for (const sequence of [[lost], [lost, won], [won, lost]]) {
    const shop = await openStripeShop(server);
    await steps('1007').charge!(shop);
    for (const one of sequence) await one(shop);
    const { id } = (await shop.stored())[0]!;
    const { refundedAmount } = (await shop.read(encodeId('ord', id))).body.data;
    expect(refundedAmount).toBe(sequence.length === 1 ? 49.9 : 0);
  }
});

test('the first invoice of a subscription belongs to its checkout, a renewal is an order of its own', async ({
  server,
}) => {
  const first = { id: 'in_1MtHbELkdIwHu7ixl4OzzPMv', billing_reason: 'subscription_create' };
  const eventOf = [
    (shop: StripeShop) =>
      shop.say(
        'checkout.session.completed',
        session({
          mode: 'subscription',
          payment_intent: null,
          invoice: first.id,
          amount_total: 1_500,
          currency: 'eur',
        }),
      ),
    (shop: StripeShop) =>
      shop.say('invoice.paid', invoice({ ...first, payment_intent: 'pi_of_the_first_1' })),
    (shop: StripeShop) =>
      shop.say(
        'payment_intent.succeeded',
        payment({
          id: 'pi_of_the_first_1',
          invoice: first.id,
          amount_received: 1_500,
          amount: 1_500,
          currency: 'eur',
        }),
      ),
    (shop: StripeShop) => shop.say('invoice.paid', invoice({ id: 'in_2_of_the_renewal' })),
  ];
  for (const sequence of permutations(eventOf)) {
    const shop = await openStripeShop(server);
    for (const one of sequence) await one(shop);
    const byId = (await ordersOf(shop)).map(({ keys, amount }) => [keys, amount]).sort();
    expect(byId).toEqual([
      [[expect.stringMatching(/^ch_/), 'cs_live_a1B2c3D4e5F6', first.id, 'pi_of_the_first_1'], '15'],
      [['in_2_of_the_renewal'], '15'],
    ]);
  }
});

test('a payment without an email has the buyer of its session, in either order', async ({ server }) => {
  for (const sequence of permutations(['session', 'payment without email'])) {
    const shop = await openStripeShop(server);
    for (const name of sequence) await steps()[name]!(shop);
    expect(await shop.stored()).toMatchObject([{ email: 'ann@shop.example' }]);
    expect(await shop.refused()).toEqual([]);
  }
});

test('an order whose number a payment takes keeps the time that its backend stated', async ({ server }) => {
  const shop = await openStripeShop(server);
  const own = { orderId: 'A', email: 'ann@shop.example', amount: 60 };
  const createdAt = '2026-05-01T06:00:01.000Z';
  await shop.reportByKey({ ...own, createdAt });
  await shop.say(
    'payment_intent.succeeded',
    payment({ receipt_email: 'bob@shop.example', metadata: { orderId: 'A' } }),
  );
  await shop.report(own);
  expect(await shop.stored()).toContainEqual(
    expect.objectContaining({ email: own.email, reportedBy: 'both', createdAt: new Date(createdAt) }),
  );
});

test('a payment of a customer whom WordPress has erased names no buyer', async ({ server }) => {
  const shop = await openStripeShop(server);
  await shop.say('payment_intent.succeeded', payment({ receipt_email: 'deleted@site.invalid' }));
  await shop.say(
    'checkout.session.completed',
    session({ customer_details: { email: 'deleted@site.invalid' } }),
  );
  expect(await shop.stored()).toMatchObject([{ email: expect.stringMatching(/@no-email\.invalid$/) }]);
});

test('an integrator’s key is no payment: with another orderId it is refused as before', async ({ shop }) => {
  const by = { idempotencyKey: 'pi_1' };
  expect((await shop.reportByKey({ orderId: 'pi_1' }, by)).status).toBe(200);
  expect((await shop.reportByKey({ orderId: 'cs_1' }, by)).status).toBe(422);
});

test('one payment that was given two ids of the shop’s own is one order, which each of them finds', async ({
  server,
}) => {
  const shop = await openStripeShop(server);
  await shop.say('payment_intent.succeeded', payment({ metadata: { orderId: 'A' } }));
  await shop.report({ email: 'ann@shop.example', orderId: 'B' });
  await shop.say('checkout.session.completed', session({ metadata: { orderId: 'B' } }));
  expect(await shop.stored()).toMatchObject([{ orderId: 'B', reportedBy: 'both' }]);
  const [a, b] = await Promise.all(['A', 'B'].map(async (id) => (await shop.read(id)).body.data.id));
  expect(a).toBe(b);
});

test('a payment that shares the id of a discarded order stays known by its own, though the id is taken anew', async ({
  server,
}) => {
  const shop = await openShop(server);
  const source = await addTestSource(server, shop.team, { kind: 'stripe', isTest: true });
  const say = async (type: string, object: object) => {
    const answer = await source.say(stripeEvent(type, { ...object, metadata: { orderId: 'A' } }));
    return [answer.status, ...answer.body.data.outcomes];
  };
  for (const id of ['pi_1', 'pi_2'])
    expect(await say('payment_intent.succeeded', payment({ id, latest_charge: `ch_${id}` }))).toEqual([
      200,
      'new',
    ]);
  const [first, second] = await shop.stored();
  const place = createPlaceStatements(shop.sql, listenersOf(shop.sql));
  await discardOrder(shop.sql, place, shop.team, first!.id);
  await shop.reportByKey({ orderId: 'A', email: 'bob@shop.example' }, { key: await shop.testKey() });
  const billing = { name: 'Ann Buyer', email: 'ann@shop.example' };
  const named = charge({ id: 'ch_pi_2', payment_intent: 'pi_2', billing_details: billing });
  expect(await say('charge.succeeded', named)).toEqual([200, 'known']);
  expect(await shop.stored()).toMatchObject([
    { sharesIdWith: null, name: 'Ann Buyer' },
    { sharesIdWith: second!.id, email: 'bob@shop.example' },
  ]);
});

describe('two orders of a shop under one number', () => {
  const [first, second] = [
    { order_key: 'wc_order_first', total: '30.00' },
    { order_key: 'wc_order_second', total: '50.00', date_paid_gmt: '2026-03-02T10:00:04' },
  ];
  const refunded = (id: number, total: string) => ({ refunds: [{ id, reason: '', total }] });
  const amountsOf = async (shop: Shop) =>
    (await shop.stored()).map(({ amount, orderId }) => `${orderId} ${amount}`).sort();

  test.for<[string, object, object, string]>([
    ['whose numbers began anew', first, second, ''],
    ['of a restored backup or a staging copy', { ...first, id: 230 }, { ...second, id: 230 }, ''],
    ['of another buyer', first, { ...second, billing: { email: 'bob@shop.example' } }, ''],
    ['of a source with a prefix', first, second, 'de-woocommerce_9-'],
  ])('%s are two, and the second names the first', async ([_, one, other, orderIdPrefix], { shop }) => {
    const woo = await addTestSource(shop.server, shop.team, { kind: 'woocommerce', orderIdPrefix });
    const orders = [wooOrder(230, { ...one }), wooOrder(981, { number: '230', ...other })];
    const orderId = `${orderIdPrefix}230`;
    await shop.report({ email: 'ann@shop.example', orderId, amount: 30, currency: 'EUR' });
    for (let round = 0; round < 2; round++) for (const order of orders) await woo.say(order, 'order.updated');
    expect(await amountsOf(shop)).toEqual([`${orderId} 30`, `${orderId} 50`]);
    const [oldest, later] = await shop.stored();
    expect([oldest!.sharesIdWith, later!.sharesIdWith]).toEqual([null, oldest!.id]);
    expect((await shop.read(orderId)).body.data.amount).toBe(30);
    expect(await shop.refused()).toEqual([]);
  });

  test('have their own refunds, also where the second one is not known yet', async ({ shop }) => {
    const woo = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
    const unpaid = { date_paid: null, date_paid_gmt: null, status: 'on-hold' };
    const other = wooOrder(981, { number: '230', ...second, ...refunded(982, '-5.00') });
    await woo.say(wooOrder(230, { ...first }), 'order.updated');
    await woo.say({ ...other, ...unpaid }, 'order.updated');
    expect((await shop.read('230')).body.data.refundedAmount).toBe(0);
    await woo.say(other, 'order.updated');
    await woo.say(wooOrder(230, { ...first, ...refunded(231, '-3.00') }), 'order.updated');
    const list = JSON.parse((await shop.command('order', 'list', '--json')).stdout);
    const refunds = list.map(({ amount, refundedAmount }: Record<string, number>) => [
      amount,
      refundedAmount,
    ]);
    expect(refunds.sort()).toEqual([
      [30, 3],
      [50, 5],
    ]);
  });

  test('are one where its number, or its buyer, changes', async ({ shop }) => {
    const woo = await addTestSource(shop.server, shop.team, { kind: 'woocommerce' });
    const later = { date_modified_gmt: '2026-03-02T11:00:00' };
    await woo.say(wooOrder(230, { ...first }), 'order.updated');
    await woo.say(wooOrder(230, { ...first, ...later, number: 'RE-230' }), 'order.updated');
    expect(await amountsOf(shop)).toEqual(['RE-230 30']);
    for (const id of ['230', 'RE-230']) expect((await shop.read(id)).body.data.amount).toBe(30);
  });
});
