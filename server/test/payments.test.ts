import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleRefunds } from '../src/orders/settleRefunds.js';
import { runOrderbeacon } from './command.js';
import { replay } from './refused.js';
import { startTestServer } from './server.js';
import { addTestSource } from './sources.js';
import { charge, invoice, payment, refund, session, stripeEvent } from './stripeSamples.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Every order of some things. */
function ordersOf<Thing>(things: Thing[]): Thing[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, at) =>
    ordersOf([...things.slice(0, at), ...things.slice(at + 1)]).map((rest) => [thing, ...rest]),
  );
}

interface StripeShop {
  teamId: string;
  say(type: string, object: Record<string, unknown>, fields?: object): Promise<unknown>;
}

async function openShop() {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const source = await addTestSource(server, uuid, { kind: 'stripe' });
  const say = async (type: string, object: Record<string, unknown>, fields = {}) => {
    const answer = await source.say(stripeEvent(type, object, fields));
    expect(answer.status).toBe(200);
    return answer.body.data.outcomes;
  };
  return { uuid, teamId, say };
}

/** The steps of one payment, by a letter each. */
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
      say('payment_intent.succeeded', payment({ metadata: { orderId: '1001' } }), {
        created: 1_763_799_999,
      }),
    charge: ({ say }) => say('charge.succeeded', charge(), { created: 1_763_799_998 }),
    refund: ({ say }) => say('refund.created', refund()),
    page: async ({ teamId }) => {
      const answer = await server.report({
        teamId,
        email: 'ann@shop.example',
        amount: 49.9,
        orderId: shopsId ?? 'cs_live_a1B2c3D4e5F6',
        visitorId: 'visitor-1',
      });
      expect(answer.status).toBe(200);
    },
  };
};

/** All that is stored of a team's orders, as it is told. */
async function stored(uuid: string) {
  const orders = await server.sql`
    select o.order_id, o.idempotency_key, o.amount, o.currency, o.source, o.name, o.visitor_id, o.items, o.extra,
      o.reported_by, o.page_fields, o.is_test, person.email, o.created_at,
      (select json_agg(idempotency_key order by idempotency_key) from order_key k where k.team_id = o.team_id and k.placed_order_id = o.id)
        as keys,
      (select json_agg(json_build_array(refund_id, amount)) from refund r where r.team_id = o.team_id and r.placed_order_id = o.id)
        as refunds
    from placed_order o join person on person.team_id = o.team_id and person.id = o.person_id
    where o.team_id = ${uuid}`;
  const [{ keys }] = await server.sql<[{ keys: number }]>`
    select count(*)::int as keys from order_key where team_id = ${uuid}`;
  return { orders: orders.map((row) => ({ ...row })), keys };
}

async function stateAfter(named: string[], shopsId?: string) {
  const shop = await openShop();
  for (const name of named) await steps(shopsId)[name]!(shop);
  return stored(shop.uuid);
}

describe('the events of one payment are one order in every order of arrival', () => {
  it.each<[string, string[], string | undefined, object]>([
    ['a session and its payment', ['session', 'payment'], undefined, { order_id: 'cs_live_a1B2c3D4e5F6' }],
    [
      'with the shop’s own id, and a page',
      ['session', 'payment', 'page'],
      '1001',
      { order_id: '1001', visitor_id: 'visitor-1', reported_by: 'both' },
    ],
    [
      'with a page that prints the session’s id, and the charge',
      ['session', 'payment', 'charge', 'page'],
      undefined,
      { order_id: 'cs_live_a1B2c3D4e5F6', visitor_id: 'visitor-1', reported_by: 'both' },
    ],
    [
      'where the payment alone has the shop’s own id',
      ['session', 'payment with id'],
      undefined,
      { order_id: '1001' },
    ],
    [
      'where the payment names another email, and the charge none',
      ['session', 'payment of another email', 'payment without email'],
      undefined,
      { email: 'ann@shop.example' },
    ],
  ])('%s', async (_, named, shopsId, expected) => {
    const states = [];
    for (const sequence of ordersOf(named))
      states.push({ sequence, ...(await stateAfter(sequence, shopsId)) });
    const [{ orders }] = states as [(typeof states)[0]];
    expect(orders).toMatchObject([
      { ...expected, amount: '49.9', currency: 'USD', source: 'STRIPE', name: 'Ann Example' },
    ]);
    for (const { sequence, ...state } of states) {
      expect({ sequence, ...state }).toEqual({ sequence, orders, keys: 1 });
    }
  });

  it('its refund too', async () => {
    const states = [];
    for (const sequence of ordersOf(['session', 'payment', 'page', 'refund'])) {
      const shop = await openShop();
      for (const name of sequence) await steps()[name]!(shop);
      await settleRefunds(server.sql, shop.uuid);
      const { orders } = await stored(shop.uuid);
      states.push({ sequence, orders });
    }
    for (const { sequence, orders } of states) {
      expect({ sequence, orders }).toEqual({ sequence, orders: states[0]!.orders });
    }
    expect(states[0]!.orders).toMatchObject([{ refunds: [['re_1Nispe2eZvKYlo2Cd31jOCgZ', 10]] }]);
  });
});

it('the first invoice of a subscription belongs to its checkout, a renewal is an order of its own', async () => {
  const first = { id: 'in_1MtHbELkdIwHu7ixl4OzzPMv', billing_reason: 'subscription_create' };
  const tell = [
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
  for (const sequence of ordersOf(tell)) {
    const shop = await openShop();
    for (const one of sequence) await one(shop);
    const { orders } = await stored(shop.uuid);
    const byId = orders.map(({ order_id, keys, amount }) => [order_id, amount, keys]).sort();
    expect(byId).toEqual([
      ['cs_live_a1B2c3D4e5F6', '15', [first.id, 'pi_of_the_first_1']],
      ['in_2_of_the_renewal', '15', ['in_2_of_the_renewal']],
    ]);
  }
});

it('a payment without an email is kept, and waits for nobody once its session is stored', async () => {
  for (const sequence of ordersOf(['session', 'payment without email'])) {
    const shop = await openShop();
    for (const name of sequence) await steps()[name]!(shop);
    const { stdout } = await runOrderbeacon(['refused', 'list', '--json', '--team', shop.teamId], server.env);
    expect(JSON.parse(stdout)).toEqual([]);
  }
  const known = await openShop();
  await steps().charge!(known);
  expect(await steps()['payment without email']!(known)).toEqual(['known']);
  expect(await server.sql`select from refused_report where team_id = ${known.uuid}`).toHaveLength(0);
  const alone = await openShop();
  await steps()['payment without email']!(alone);
  const { stdout } = await runOrderbeacon(['refused', 'list', '--json', '--team', alone.teamId], server.env);
  expect(JSON.parse(stdout)).toMatchObject([{ reason: 'invalid_request', issues: [{ path: 'email' }] }]);
});

it('a kept payment is stored once a person has added the email, and its session then is the same order', async () => {
  const shop = await openShop();
  await steps()['payment without email']!(shop);
  const [replayed] = await replay(server.sql, shop.uuid, {}, { changes: { email: 'ann@shop.example' } });
  expect(replayed!.outcome.kind).toBe('new');
  expect(await steps().session!(shop)).toEqual(['known']);
  const { orders } = await stored(shop.uuid);
  expect(orders).toMatchObject([{ order_id: 'cs_live_a1B2c3D4e5F6', email: 'ann@shop.example' }]);
});

it('an integrator’s key is no payment: with another orderId it is refused as before', async () => {
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const report = { teamId, email: 'ann@shop.example', amount: 49.9 };
  const headers = { 'idempotency-key': 'pi_1' };
  expect((await server.reportByKey(key, { ...report, orderId: 'pi_1' }, headers)).status).toBe(200);
  expect((await server.reportByKey(key, { ...report, orderId: 'cs_1' }, headers)).status).toBe(422);
});

it('two orders with ids of the shop’s own stay two, though one payment names both', async () => {
  const shop = await openShop();
  await shop.say('payment_intent.succeeded', payment({ metadata: { orderId: 'A' } }));
  await server.report({ teamId: shop.teamId, email: 'ann@shop.example', amount: 49.9, orderId: 'B' });
  await shop.say('checkout.session.completed', session({ metadata: { orderId: 'B' } }));
  const { orders } = await stored(shop.uuid);
  expect(orders.map(({ order_id }) => order_id).sort()).toEqual(['A', 'B']);
});
