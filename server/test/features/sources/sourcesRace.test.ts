import fc from 'fast-check';
import { expect } from 'vitest';
import { sendTo, type TestServer } from '../../kit/server.js';
import { settle } from '../../kit/settle.js';
import { type Shop, test } from '../../kit/shop.js';
import { addTestSource, signers } from './kit/sources.js';
import { charge, payment, refund, session, stripeEvent } from './kit/stripeSamples.js';

/** Seed of the run. To repeat one: `RACE_SEED=7 npx vitest run …`. */
const seed = Number(process.env.RACE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const concurrent = 24;

/**
 * Sends reports of the same orders by page, source and key to two servers, each several times. Expects that each order is stored
 * once.
 * @param together number of orders whose reports are mixed; if it is low, reports of one order meet
 */
async function race(shop: Shop, beside: TestServer, orders: number, together = orders) {
  const { server } = shop;
  const { team, teamId, origin } = shop;
  const authorization = `Bearer ${await shop.liveKey()}`;
  const source = await addTestSource(server, team, { kind: 'stripe' });
  const servers = [server.url, beside.url];

  /** Sends until the answer is 200, as providers, backends and pages do. */
  async function deliver(path: string, headers: Record<string, string>, body: unknown): Promise<void> {
    const url = servers.reverse()[0]!;
    const answer = await sendTo(new URL(path, url), 'POST', {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status === 503) return deliver(path, headers, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  }

  const deliveries = Array.from({ length: orders }, (_, n) => {
    const ids = {
      cs: `cs_live_of_order_${n}`,
      pi: `pi_of_the_order_${n}`,
      re: `re_of_the_order_${n}`,
      ch: `ch_of_the_order_${n}`,
    };
    const metadata = n % 2 === 0 ? { orderId: `order-${n}` } : {};
    const orderId = metadata.orderId ?? ids.cs;
    const details = { email: `buyer-${n % 50}@shop.example`, name: `Buyer ${n % 50}` };
    const stated = { teamId, email: details.email, amount: 49.9, orderId, currency: 'USD' };
    const money = { currency: 'usd', payment_intent: ids.pi };
    const say = (type: string, object: Record<string, unknown>, created: number) => () => {
      const event = stripeEvent(type, object, { created });
      return deliver(source.path, signers.stripe(JSON.stringify(event), source.secret!, ''), event);
    };
    const event = session({ id: ids.cs, payment_intent: ids.pi, customer_details: details, metadata });
    const paid = say('checkout.session.completed', event, 1_763_800_002);
    const page = () => deliver('/svc-api/v1/orders', { origin }, { ...stated, visitorId: `v-${n}` });
    const backend = () =>
      deliver(
        '/svc-api/v1/orders',
        { authorization, 'idempotency-key': `evt-${n}` },
        { ...stated, source: 'STRIPE', name: details.name },
      );
    const ofPayment = payment({ id: ids.pi, receipt_email: details.email, latest_charge: ids.ch });
    const ofCharge = charge({ id: ids.ch, ...money, billing_details: details });
    return [
      ...[paid, paid, page, page, backend, backend],
      say('payment_intent.succeeded', ofPayment, 1_763_800_001),
      say('charge.succeeded', ofCharge, 1_763_800_000),
      say('refund.created', refund({ id: ids.re, ...money }), 1_763_900_000),
      say('refund.updated', refund({ id: ids.re, ...money }), 1_763_900_001),
    ];
  });
  const groups = Array.from({ length: orders / together }, (_, at) =>
    deliveries.slice(at * together, (at + 1) * together).flat(),
  );
  const waiting = groups.flatMap((group, at) => {
    const shuffled = fc.shuffledSubarray(group, { minLength: group.length });
    return fc.sample(shuffled, { seed: seed + at, numRuns: 1 })[0]!;
  });
  await Promise.all(
    Array.from({ length: concurrent }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await next();
    }),
  );
  await settle(server.sql, team);

  const keys = await server.sql<{ id: string; keys: string[]; refunds: unknown[] }[]>`
    select o.id,
      (select json_agg(distinct key order by key) from order_key k
        where k.team_id = o.team_id and k.placed_order_id = o.id and kind in ('provider', 'idempotency')) as keys,
      (select json_agg(json_build_array(refund_id, amount)) from refund r
        where r.team_id = o.team_id and r.placed_order_id = o.id) as refunds
    from placed_order o where o.team_id = ${team}`;
  const stored = new Map((await shop.stored()).map((order) => [order.orderId, order]));
  expect([keys.length, stored.size]).toEqual([orders, orders]);
  for (let n = 0; n < orders; n++) {
    const order = stored.get(n % 2 === 0 ? `order-${n}` : `cs_live_of_order_${n}`)!;
    expect(order).toMatchObject({
      amount: '49.9',
      currency: 'USD',
      source: 'STRIPE',
      name: `Buyer ${n % 50}`,
      visitorId: `v-${n}`,
      items: null,
      extra: { tax: 0.9, shipping: 5, discount: 1 },
      reportedBy: 'both',
      isTest: false,
      email: `buyer-${n % 50}@shop.example`,
      createdAt: new Date(1_763_800_000_000),
    });
    expect(keys.find(({ id }) => id === order!.id)).toMatchObject({
      keys: [`ch_of_the_order_${n}`, `cs_live_of_order_${n}`, `evt-${n}`, `pi_of_the_order_${n}`],
      refunds: [[`re_of_the_order_${n}`, 10]],
    });
  }
  expect(await shop.refused()).toEqual([]);
  expect(await server.sql`select from refund where team_id = ${team}`).toHaveLength(orders);
}

const title = `by page, source and key on two servers is stored once, whatever came first (seed ${seed})`;

test(`each of 8 orders ${title}`, ({ beside, shop }) => race(shop, beside, 8));

test(`each of 400 orders ${title}`, { tags: ['long'] }, ({ beside, shop }) => race(shop, beside, 400));

test(`each of 99 orders, three at a time, ${title}`, { tags: ['long'] }, ({ beside, shop }) =>
  race(shop, beside, 99, 3),
);
