// @module-tag long
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { erasePerson } from '../../../src/commands/eraseBuyer.js';
import { settleTeam } from '../../../src/core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import { removeExpired } from '../../../src/core/orders/merge/waiting.js';
import { importProducts } from '../../../src/features/catalog/importProducts.js';
import { productSchema } from '../../../src/features/catalog/productSchema.js';
import { sumRound } from '../../../src/features/overview/sumDays.js';
import { watchRefused } from '../../../src/features/refused/watchRefused.js';
import { watchOrders } from '../../../src/features/silence/watchOrders.js';
import { writeDeliveryName } from '../../../src/features/webhooks/console/webhookQuery.js';
import { listDeliveries } from '../../../src/features/webhooks/sql/delivery.js';
import { createHook, disableHook } from '../../../src/features/webhooks/sql/hook.js';
import { createTestDelivery } from '../../../src/features/webhooks/sql/resendDelivery.js';
import { watchTeams } from '../../../src/features/webhooks/startWatching.js';
import { decodeId, encodeId, newUuid, type Uuid } from '../../../src/values/ids.js';
import { dayMs, hourMs, minuteMs } from '../../../src/values/time.js';
import { type Explained, explainAll } from '../../kit/explained.js';
import { listenersOf } from '../../kit/listeners.js';
import { placeOrders } from '../../kit/placeOrder.js';
import { startReceiver } from '../../kit/receiver.js';
import { startTestServer } from '../../kit/server.js';
import { openShop, type Shop } from '../../kit/shop.js';
import { addTestSource } from '../sources/kit/sources.js';
import { payment, refund, session, stripeEvent } from '../sources/kit/stripeSamples.js';
import { addTestHook, listEnqueued, noteFault } from '../webhooks/kit/hooks.js';

const reason = 'skipped: ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

describe.skipIf(!inject('isCitus'))(`on a Citus cluster (else ${reason})`, () => {
  const plans: Explained[] = [];
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let shop: Shop;

  beforeAll(async () => {
    server = await startTestServer({ watching: (sql) => explainAll(sql, plans) });
    shop = await openShop(server);
  });
  afterAll(() => server.close());

  /** Runs requests, and resolves with the plans of their statements. */
  async function plansOf(ask: () => Promise<unknown>): Promise<Explained[]> {
    const before = plans.length;
    await ask();
    return plans.slice(before);
  }

  /**
   * Statements without a team. Some read no table. Some locate tables and teams. Others search in the background for teams with
   * refused reports, waiting refunds, due deliveries, shops that are asked or have moved, or hooks for silences and refusals.
   */
  const ofNoTeam = [
    'readTime lockIdentifiers setLockTimeout isCluster listDistributed listRefusedTeams',
    'listWaitingTeams listWaitingTeamsOfNodes listDueHooks listDueSources listAllowedSources',
    'removeOldApartEvents listForgottenSilences listWatchedTeams',
  ].flatMap((line) => line.split(' '));

  /**
   * @returns true if the statement itself contains the rows, or reads them on one node. The coordinator then sends them to
   * their team's node only.
   */
  const bringsItsRows = (plan: string) =>
    /INSERT \.\.\. SELECT[\s\S]*Function Scan on json_(to|populate)_recordset/.test(plan) &&
    !/Task Count: (?!1\n)|Subplan/.test(plan);

  /** Finds statements in which several nodes take part, or whose rows the coordinator gathers first. */
  const notRouted = (explained: Explained[]) =>
    explained.filter(({ name, plan }) => {
      if (ofNoTeam.includes(name) || bringsItsRows(plan)) return false;
      const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
      return counts.join() !== '1' || /Subplan|pull to coordinator|repartition/.test(plan);
    });

  async function addSequence(): Promise<string> {
    const id = newUuid();
    await shop.sql`insert into sequence (team_id, id, name) values (${shop.team}, ${id}, 'Welcome')`;
    return encodeId('seq', id);
  }

  const names = (explained: Explained[]) =>
    [...new Set(explained.map(({ name }) => name).filter((name) => !ofNoTeam.includes(name)))].sort();

  it('a report takes statements of one node, whether new, known, merged, late or refused', async () => {
    const order = shop.order();
    const before = plans.length;
    expect((await shop.report(order)).body.data.isNew).toBe(true);
    expect((await shop.report(order)).body.data.isNew).toBe(false);
    await shop.sql`update placed_order set created_at = now() - interval '1 day' where team_id = ${shop.team}`;
    expect((await shop.reportByKey({ ...order, amount: 7, name: 'Ann' })).body.data.amount).toBe(7);
    expect((await shop.report({}, { origin: 'https://x.example' })).status).toBe(403);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        shop.report({ email: `ann${at % 20}@buyer.example`, items: [{ name: 'Jar', quantity: at }] }),
      ),
    );
    expect(answers.map(({ body }) => body.data?.isNew)).toEqual(Array(30).fill(true));
    // A refused report, and the time at which a key was used, are stored after the answer.
    const asked = () => plans.slice(before);
    const stored = ['addOrders', 'updateOrder', 'addRefused', 'updateLastUse'];
    await expect.poll(() => names(asked())).toEqual(expect.arrayContaining(stored));
    expect(notRouted(asked())).toEqual([]);
  });

  it('a source’s events take statements of one node, also where one order absorbs another', async () => {
    const source = await addTestSource(server, shop.team, { kind: 'stripe' });
    const before = plans.length;
    const asked = () => plans.slice(before);
    await shop.report({ email: 'ann@shop.example', orderId: session().id });
    const notices = [
      await source.say(stripeEvent('payment_intent.succeeded', payment())),
      await source.say(stripeEvent('refund.created', refund())),
      await source.say(stripeEvent('checkout.session.completed', session())),
      await source.say('{}'),
    ];
    expect(notices.map(({ body }) => body.data.outcomes)).toEqual([['new'], ['refund'], ['known'], ['kept']]);
    // Refused reports are stored after the answer.
    await expect.poll(() => names(asked())).toEqual(expect.arrayContaining(['addAliases', 'addRefused']));
    expect(notRouted(asked())).toEqual([]);
  });

  it('an order’s end, and what waits for one, take statements of one node', async () => {
    const own = await openShop(server);
    const kept = own.order({ email: 'gone@buyer.example' });
    const { id } = (await own.report(kept)).body.data;
    const { id: twin } = (await own.report(own.order({ email: 'gone@buyer.example' }))).body.data;
    await own.reportByKey({ ...kept, amount: 7, name: 'Ann' }, { idempotencyKey: 'gone-1' });
    await own.refund({ orderId: kept.orderId, refundId: 'gone-1', amount: 1 });
    const { url } = await startReceiver();
    await addTestHook(own.sql, own.team, { url });
    const before = plans.length;
    const asked = () => plans.slice(before);
    const waiting = { orderId: 'late', refundId: 'late-1', amount: 1 };
    expect((await own.refund(waiting)).body.data.order).toBe(null);
    await own.discard(twin);
    const sql = explainAll(own.sql, plans);
    const listeners = listenersOf(sql);
    const place = createPlaceStatements(sql, listeners);
    await own.report({ orderId: 'late', amount: 3 });
    await settleTeam(sql, place, own.team);
    expect((await own.read('late')).body.data.refundedAmount).toBe(1);
    await removeExpired(sql, own.team);
    const [buyer] = await own.sql<{ id: Uuid }[]>`
      select person_id as id from placed_order where team_id = ${own.team} and id = ${decodeId('ord', id)}`;
    expect(await erasePerson(sql, own.team, buyer!.id, listeners)).toEqual({ orders: 1, subscriptions: 0 });
    expect(names(asked())).toEqual(
      expect.arrayContaining([
        'writeErased',
        'renameObjects',
        'removeOrders',
        'listAwaited',
        'removeExpired',
      ]),
    );
    expect(notRouted(asked())).toEqual([]);
  });

  it('an enrollment takes statements of one node, new or known', async () => {
    const sequenceId = await addSequence();
    await shop.report({ email: 'eve@buyer.example' });
    const enroll = () => shop.enroll({ email: 'eve@buyer.example', sequenceId });
    const asked = await plansOf(async () => {
      const first = await enroll();
      expect(first.status).toBe(200);
      expect((await enroll()).body.data).toEqual(first.body.data);
    });
    expect(notRouted(asked)).toEqual([]);
  });

  it('a look-up takes one statement of one node, by id and by slug, for one product and for many', async () => {
    const product = { title: 'Jar', slug: 'jar', type: 'PHYSICAL', price: 9, currency: 'USD' };
    const [stored] = await importProducts(shop.sql, shop.team, [productSchema.parse(product)]);
    const lookUp = (name: string) => shop.send('GET', `/svc-api/v1/products/${name}`);
    const asked = await plansOf(async () => {
      expect((await lookUp('jar')).body.data.title).toBe('Jar');
      expect((await lookUp(encodeId('prd', stored!.id))).body.data.slug).toBe('jar');
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => lookUp(at < 10 ? 'jar' : 'none')),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBe(10);
    });
    expect(notRouted(asked)).toEqual([]);
  });

  it('a hook is told of all that happens, and called, by statements of one node', async () => {
    const receiver = await startReceiver((response, _, number) => {
      response.writeHead(number === 0 ? 500 : 200).end();
    });
    const hook = await addTestHook(shop.sql, shop.team, { url: receiver.url });
    const sequenceId = await addSequence();
    const before = plans.length;
    const asked = () => plans.slice(before);
    const first = shop.order({ email: 'zoe@buyer.example' });
    await shop.report(first);
    await expect.poll(() => names(asked())).toContain('markFailing');
    await Promise.all(Array.from({ length: 30 }, () => shop.report()));
    await shop.reportByKey({ ...first, amount: 7 });
    await shop.enroll({ email: first.email, sequenceId });
    const pending = () =>
      server.sql`select from hook_delivery where team_id = ${shop.team} and delivered_at is null`;
    await expect.poll(async () => (await listEnqueued(shop.sql, hook)).length).toBe(33);
    await expect.poll(async () => (await pending()).length).toBe(0);
    const types = receiver.received.map(({ json }) => json.type).filter((type) => type !== 'order.created');
    expect(types.sort()).toEqual(['enrollment.created', 'order.changed']);
    expect(receiver.received).toHaveLength(34);
    expect(notRouted(asked())).toEqual([]);
  });

  it('a silence, its end and new refusals are found by statements of one node', async () => {
    const silent = await openShop(server);
    const hook = await addTestHook(shop.sql, silent.team, { events: ['orders.stopped', 'refused.began'] });
    const since = Date.now() - 5 * hourMs;
    const times = Array.from({ length: 15_000 }, (_, n) => ({
      createdAt: new Date(since - n * 3 * minuteMs),
    }));
    await placeOrders(shop.sql, silent.team, times);
    await silent.report({}, { origin: 'https://x.example' });
    const sql = explainAll(shop.sql, plans);
    const rules = { 'orders.stopped': watchOrders, 'refused.began': watchRefused };
    const types = async () => (await listEnqueued(shop.sql, hook)).map(({ type }) => type).sort();
    const asked = await plansOf(async () => {
      await watchTeams(sql, rules, { nowMs: () => Date.now(), noteFault });
      expect(await types()).toEqual(['orders.stopped', 'refused.began']);
      await silent.report();
      await watchTeams(sql, rules, { nowMs: () => Date.now() + 60_000, noteFault });
      expect(await types()).toEqual(['orders.stopped', 'orders.stopped', 'refused.began']);
    });
    expect(notRouted(asked)).toEqual([]);
  });

  it('a day is begun, and days are summed, by statements of one node', async () => {
    const selling = await openShop(server);
    await placeOrders(selling.sql, selling.team, [{ createdAt: new Date(Date.now() - 2 * dayMs) }]);
    const sql = explainAll(selling.sql, plans);
    const asked = await plansOf(() => sumRound(sql, selling.team));
    expect(await sql`select orders from order_day where team_id = ${selling.team}`).toEqual([
      { orders: '1' },
    ]);
    expect(asked.map(({ name }) => name)).toContain('beginsDay');
    expect(notRouted(asked)).toEqual([]);
  });

  it('the console’s pages take statements of one node', async () => {
    const hookId = newUuid();
    await createHook(shop.sql, shop.team, {
      id: hookId,
      url: 'https://receiver.invalid/',
      events: ['order.created'],
      isTest: false,
      format: 'standard',
      secret: 'whsec_',
      allowsPrivate: false,
    });
    await disableHook(shop.sql, shop.team, hookId, null);
    await createTestDelivery(shop.sql, shop.team, hookId);
    const hook = encodeId('hook', hookId);
    const asked = await plansOf(async () => {
      const { get, submit } = await shop.console();
      const [delivery] = await listDeliveries(shop.sql, shop.team, { limit: 1 });
      const [order] = await shop.stored();
      for (const path of [
        '',
        '/orders',
        `/orders/${encodeId('ord', order!.id)}`,
        '/orders?q=o-1',
        '/orders.csv',
        '/setup/domains',
        '/setup/sources',
        '/webhooks?show=failed',
      ]) {
        expect([path, (await get(`/console${path}`)).status]).toEqual([path, 200]);
      }
      const url = 'https://other.invalid/';
      expect((await submit('/console/webhooks', { url, 'order.created': 'yes' })).status).toBe(200);
      for (const [path, fields] of [
        ['switch', { hook, on: 'yes' }],
        ['switch', { hook, on: 'no' }],
        ['test', { hook }],
        ['resend', { delivery: writeDeliveryName(delivery!) }],
        ['resend-failed', { hook }],
        ['remove', { hook }],
      ] as const)
        expect((await submit(`/console/webhooks/${path}`, fields)).status).toBe(303);
    });
    expect(notRouted(asked)).toEqual([]);
  });
});
