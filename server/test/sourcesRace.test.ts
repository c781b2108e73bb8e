import { expect, it, onTestFinished } from 'vitest';
import { settleRefunds } from '../src/orders/settleRefunds.js';
import { sendTo, startServerForTest, startTestServer } from './server.js';
import { addTestSource, signers } from './sources.js';
import { charge, payment, refund, session, stripeEvent } from './stripeSamples.js';

/** More by the environment: `RACE_ORDERS=1000 RACE_SEED=7 npx vitest run …`. */
const orders = Number(process.env.RACE_ORDERS ?? 200);
const seed = Number(process.env.RACE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const concurrent = 24;

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function createRandom(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Thing>(things: Thing[], random: () => number): Thing[] {
  return things
    .map((thing) => ({ thing, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ thing }) => thing);
}

it(`page, source and key report the same ${orders} orders to two servers: each is stored once, with the same state whatever came first (seed ${seed})`, {
  timeout: Math.max(600_000, orders * 500),
}, async () => {
  const server = await startServerForTest({ env: { ORDERBEACON_RATE_LIMIT: 'off' } });
  const beside = await startTestServer({ databaseUrl: server.env.DATABASE_URL! });
  onTestFinished(() => beside.close());
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const source = await addTestSource(server, uuid, { kind: 'stripe' });
  const random = createRandom(seed);
  const json = { 'content-type': 'application/json' };

  /** Sends until the answer is 200, as providers, backends and pages do. */
  async function deliver(path: string, headers: Record<string, string>, body: unknown): Promise<void> {
    const url = random() < 0.5 ? server.url : beside.url;
    const answer = await sendTo(new URL(path, url), 'POST', {
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status === 503) return deliver(path, headers, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  }

  const deliveries = Array.from({ length: orders }, (_, n) => {
    const hasOwnId = n % 2 === 0;
    const ids = { cs: `cs_live_of_order_${n}`, pi: `pi_of_the_order_${n}`, own: `order-${n}` };
    const orderId = hasOwnId ? ids.own : ids.cs;
    const email = `buyer-${n % 50}@shop.example`;
    const said = { teamId, email, amount: 49.9, orderId, currency: 'USD' };
    const say = (type: string, object: Record<string, unknown>, created: number) => () => {
      const event = stripeEvent(type, object, { created });
      return deliver(source.path, signers.stripe(JSON.stringify(event), source.secret!, ''), event);
    };
    const details = { email, name: `Buyer ${n % 50}` };
    const paid = say(
      'checkout.session.completed',
      session({
        id: ids.cs,
        payment_intent: ids.pi,
        customer_details: details,
        metadata: hasOwnId ? { orderId } : {},
      }),
      1_763_800_002,
    );
    const page = () =>
      deliver('/svc-api/v1/orders', { origin: 'https://shop.example' }, { ...said, visitorId: `v-${n}` });
    const backend = () =>
      deliver(
        '/svc-api/v1/orders',
        { authorization: `Bearer ${key}`, 'idempotency-key': `evt-${n}` },
        { ...said, source: 'STRIPE', name: details.name },
      );
    const money = { currency: 'usd', payment_intent: ids.pi };
    return [
      paid,
      paid,
      page,
      page,
      backend,
      backend,
      say('payment_intent.succeeded', payment({ id: ids.pi, receipt_email: email }), 1_763_800_001),
      say(
        'charge.succeeded',
        charge({ id: `ch_of_the_order_${n}`, ...money, billing_details: details }),
        1_763_800_000,
      ),
      say('refund.created', refund({ id: `re_of_the_order_${n}`, ...money }), 1_763_900_000),
      say('refund.updated', refund({ id: `re_of_the_order_${n}`, ...money }), 1_763_900_001),
    ];
  });
  const waiting = shuffled(deliveries.flat(), random);
  await Promise.all(
    Array.from({ length: concurrent }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await next();
    }),
  );
  await settleRefunds(server.sql, uuid);

  const stored = await server.sql`
    select order_id, amount, currency, source, o.name, visitor_id, items, extra, reported_by, is_test, email, o.created_at,
      (select json_agg(idempotency_key order by idempotency_key) from order_key k
        where k.team_id = o.team_id and k.placed_order_id = o.id) as keys,
      (select json_agg(json_build_array(refund_id, amount)) from refund r
        where r.team_id = o.team_id and r.placed_order_id = o.id) as refunds
    from placed_order o join person on person.team_id = o.team_id and person.id = o.person_id
    where o.team_id = ${uuid}`;
  const byId = new Map(stored.map((row) => [row.order_id, { ...row }]));
  expect([stored.length, byId.size]).toEqual([orders, orders]);
  for (let n = 0; n < orders; n++) {
    const orderId = n % 2 === 0 ? `order-${n}` : `cs_live_of_order_${n}`;
    expect(byId.get(orderId)).toEqual({
      order_id: orderId,
      amount: '49.9',
      currency: 'USD',
      source: 'STRIPE',
      name: `Buyer ${n % 50}`,
      visitor_id: `v-${n}`,
      items: null,
      extra: { tax: 0.9, shipping: 5, discount: 1 },
      reported_by: 'both',
      is_test: false,
      email: `buyer-${n % 50}@shop.example`,
      created_at: new Date(1_763_800_000_000),
      keys: [`evt-${n}`, `pi_of_the_order_${n}`],
      refunds: [[`re_of_the_order_${n}`, 10]],
    });
  }
  expect(await server.sql`select from refused_report where team_id = ${uuid}`).toHaveLength(0);
  expect(await server.sql`select from refund where team_id = ${uuid}`).toHaveLength(orders);
  expect(await server.sql`select from order_key where team_id = ${uuid}`).toHaveLength(2 * orders);
});
