import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeDeliveryPlace } from '../src/console/webhookQuery.js';
import { createTestDelivery, listDeliveries } from '../src/hooks/sql/delivery.js';
import { createHook, disableHook } from '../src/hooks/sql/hook.js';
import { watchTeams } from '../src/hooks/startWatching.js';
import { createReadSilence } from '../src/orders/readSilence.js';
import { createWatchOrders } from '../src/orders/watchOrders.js';
import { importProducts } from '../src/products/importProducts.js';
import { productFileSchema } from '../src/products/productSchema.js';
import { watchRefused } from '../src/refused/watchRefused.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { type Explained, explainAll } from './explained.js';
import { addTestHook, listTold, noteFault } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startTestServer } from './server.js';
import { addTestSource } from './sources.js';
import { payment, refund, session, stripeEvent } from './stripeSamples.js';

const reason = 'skipped: ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

describe.skipIf(!inject('isCitus'))(`on a Citus cluster (else ${reason})`, () => {
  const plans: Explained[] = [];
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let team: { uuid: string; teamId: string };
  let key: string;

  beforeAll(async () => {
    server = await startTestServer({ watching: (sql) => explainAll(sql, plans) });
    team = await server.addTeam('shop.example');
    key = await server.addKey(team.uuid);
  });
  afterAll(() => server.close());

  /** Runs requests, and resolves with the plans of the statements that they asked. */
  async function plansOf(ask: () => Promise<unknown>): Promise<Explained[]> {
    const before = plans.length;
    await ask();
    return plans.slice(before);
  }

  /**
   * Statements without a team: those that read no table, those that locate tables and teams, and the search, beside
   * the requests, for teams with old refused reports, with waiting refunds, with due deliveries, and with hooks that are
   * told of silences and refusals.
   */
  const ofNoTeam = [
    'readTime',
    'lockPlaces',
    'isCluster',
    'listDistributed',
    'listExpiredTeams',
    'listWaitingTeams',
    'listDueHooks',
    'listForgottenSilences',
    'listWatchedTeams',
  ];

  /**
   * True for rows that the statement itself brings, or that it reads on one node: the coordinator sends them to their
   * team's node, and asks no other.
   */
  const bringsItsRows = (plan: string) =>
    /INSERT \.\.\. SELECT[\s\S]*Function Scan on json_to_recordset/.test(plan) &&
    !/Task Count: (?!1\n)|Subplan/.test(plan);

  /** Statements that more than one node has a part in, or whose rows the coordinator gathers first. */
  const notRouted = (explained: Explained[]) =>
    explained.filter(({ name, plan }) => {
      if (ofNoTeam.includes(name) || bringsItsRows(plan)) return false;
      const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
      return counts.join() !== '1' || /Subplan|pull to coordinator|repartition/.test(plan);
    });

  const names = (explained: Explained[]) =>
    [...new Set(explained.map(({ name }) => name).filter((name) => !ofNoTeam.includes(name)))].sort();

  it('a report takes statements of one node, whether new, known, merged, late or refused', async () => {
    const order = { teamId: team.teamId, email: 'ann@buyer.example', amount: 5, orderId: 'o-1' };
    const before = plans.length;
    expect((await server.report(order)).body.data.isNew).toBe(true);
    expect((await server.report(order)).body.data.isNew).toBe(false);
    await server.sql`update placed_order set created_at = now() - interval '1 day' where team_id = ${team.uuid}`;
    expect((await server.reportByKey(key, { ...order, amount: 7, name: 'Ann' })).body.data.amount).toBe(7);
    expect((await server.report({ ...order, orderId: 'o-2' }, { origin: 'https://x.example' })).status).toBe(
      403,
    );
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...order,
      orderId: `many-${at}`,
      email: `ann${at % 20}@buyer.example`,
      items: [{ name: 'Jar', quantity: at }],
    }));
    const answers = await Promise.all(many.map((each) => server.report(each)));
    expect(answers.map(({ body }) => body.data?.isNew)).toEqual(many.map(() => true));
    // A refused report, and when a key was used, are stored beside the answer.
    const asked = () => plans.slice(before);
    await expect
      .poll(() => names(asked()))
      .toEqual([
        'addBuyers',
        'addOrders',
        'addRefusalCounts',
        'addRefused',
        'findKeptAlready',
        'findKeys',
        'findOrders',
        'findTeams',
        'findToldHooks',
        'judgeReports',
        'listDomains',
        'lockOrder',
        'updateLastUse',
        'updateOrder',
      ]);
    expect(notRouted(asked())).toEqual([]);
  });

  it('a source’s events take statements of one node, also where one order absorbs another', async () => {
    const source = await addTestSource(server, team.uuid, { kind: 'stripe' });
    const before = plans.length;
    const asked = () => plans.slice(before);
    const page = { email: 'ann@shop.example', amount: 49.9, orderId: session().id };
    await server.report({ teamId: team.teamId, ...page });
    const told = [
      await source.say(stripeEvent('payment_intent.succeeded', payment())),
      await source.say(stripeEvent('refund.created', refund())),
      await source.say(stripeEvent('checkout.session.completed', session())),
      await source.say('{}'),
    ];
    expect(told.map(({ body }) => body.data.outcomes)).toEqual([['new'], ['refund'], ['known'], ['kept']]);
    await expect.poll(() => names(asked())).toContain('forgetOrders');
    expect(names(asked())).toEqual(expect.arrayContaining(['absorbOrder', 'findSources', 'noteOrders']));
    expect(notRouted(asked())).toEqual([]);
  });

  it('an enrollment takes statements of one node, new or known', async () => {
    const id = newUuid();
    await server.sql`insert into sequence (team_id, id, name) values (${team.uuid}, ${id}, 'Welcome')`;
    await server.report({ teamId: team.teamId, email: 'eve@buyer.example', amount: 5 });
    const enroll = () => server.enroll(key, { email: 'eve@buyer.example', sequenceId: encodeId('seq', id) });
    const asked = await plansOf(async () => {
      const first = await enroll();
      expect(first.status).toBe(200);
      expect((await enroll()).body.data).toEqual(first.body.data);
    });
    expect(notRouted(asked)).toEqual([]);
    // The events of a source before this may be written meanwhile.
    const ofSources = ['forgetOrders', 'noteLastEvent', 'noteOrders'];
    const own = names(asked).filter((name) => !ofSources.includes(name));
    expect(own).toEqual(['addSubscriptions', 'lookUpEnrollments']);
  });

  it('a look-up takes one statement of one node, by id and by slug, for one product and for many', async () => {
    const product = { title: 'Jar', slug: 'jar', type: 'PHYSICAL', price: 9, currency: 'USD' };
    const [stored] = await importProducts(server.sql, team.uuid, productFileSchema.parse([product]));
    const authorization = { authorization: `Bearer ${key}` };
    const lookUp = (name: string) =>
      server.send('GET', `/svc-api/v1/products/${name}`, { headers: authorization });
    const asked = await plansOf(async () => {
      expect((await lookUp('jar')).body.data.title).toBe('Jar');
      expect((await lookUp(encodeId('prd', stored!.id))).body.data.slug).toBe('jar');
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => lookUp(at < 10 ? 'jar' : 'none')),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBe(10);
    });
    expect(notRouted(asked)).toEqual([]);
    expect(names(asked)).toEqual(['findProducts']);
  });

  it('a hook is told of all that happens, and called, by statements of one node', async () => {
    const receiver = await startReceiver((response, _, number) => {
      response.writeHead(number === 0 ? 500 : 200).end();
    });
    const hook = await addTestHook(server.sql, team.uuid, { url: receiver.url });
    const id = newUuid();
    await server.sql`insert into sequence (team_id, id, name) values (${team.uuid}, ${id}, 'Welcome')`;
    const order = { teamId: team.teamId, email: 'zoe@buyer.example', amount: 5 };
    const before = plans.length;
    const asked = () => plans.slice(before);
    await server.report({ ...order, orderId: 'told-first' });
    await expect.poll(() => names(asked())).toContain('markFailing');
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => server.report({ ...order, orderId: `told-${at}` })),
    );
    await server.reportByKey(key, { ...order, orderId: 'told-1', amount: 7 });
    await server.enroll(key, { email: order.email, sequenceId: encodeId('seq', id) });
    const pending = () =>
      server.sql`select from hook_delivery where team_id = ${team.uuid} and delivered_at is null`;
    await expect.poll(async () => (await listTold(server.sql, hook)).length).toBe(33);
    await expect.poll(async () => (await pending()).length).toBe(0);
    expect(
      receiver.received
        .map(({ json }) => json.type)
        .filter((type) => type !== 'order.created')
        .sort(),
    ).toEqual(['enrollment.created', 'order.changed']);
    expect(receiver.received).toHaveLength(34);
    expect(names(asked())).toEqual(
      expect.arrayContaining(['addDeliveries', 'claimDeliveries', 'markSucceeding', 'writeOutcomes']),
    );
    expect(notRouted(asked())).toEqual([]);
  });

  it('a silence, its end and new refusals are found by statements of one node', async () => {
    const shop = await server.addTeam('shop.example');
    const hook = await addTestHook(server.sql, shop.uuid, { events: ['orders.stopped', 'refused.began'] });
    await server.report({ teamId: shop.teamId, email: 'ann@buyer.example', amount: 5, orderId: 'first' });
    await server.sql`
      insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at)
      select team_id, gen_random_uuid(), n::text, person_id, 5, 'USD', 'OTHER', false, 'key',
        now() - interval '5 hours' - n * interval '3 minutes'
      from placed_order, generate_series(1, 15000) n
      where team_id = ${shop.uuid} and order_id = 'first'`;
    await server.sql`delete from placed_order where team_id = ${shop.uuid} and order_id = 'first'`;
    await server.report({ teamId: shop.teamId }, { origin: 'https://x.example' });
    const counts = () => server.sql`select from refused_count where team_id = ${shop.uuid}`;
    await expect.poll(counts).toHaveLength(1);
    const sql = explainAll(server.sql, plans);
    const rules = { 'orders.stopped': createWatchOrders(createReadSilence()), 'refused.began': watchRefused };
    const types = async () => (await listTold(server.sql, hook)).map(({ type }) => type).sort();
    const asked = await plansOf(async () => {
      await watchTeams(sql, rules, { nowMs: () => Date.now(), noteFault });
      expect(await types()).toEqual(['orders.stopped', 'refused.began']);
      await server.report({ teamId: shop.teamId, email: 'ann@buyer.example', amount: 5, orderId: 'next' });
      await watchTeams(sql, rules, { nowMs: () => Date.now() + 60_000, noteFault });
      expect(await types()).toEqual(['orders.stopped', 'orders.stopped', 'refused.began']);
    });
    expect(names(asked)).toEqual(
      expect.arrayContaining([
        'addToldRefusals',
        'claimWatch',
        'countHours',
        'findLastOrderAt',
        'findNextOrderAt',
        'listRecentRefusals',
        'listToldRefusals',
        'updateWatch',
      ]),
    );
    expect(notRouted(asked)).toEqual([]);
  });

  it('the console’s pages take statements of one node', async () => {
    const hookId = newUuid();
    await createHook(server.sql, team.uuid, {
      id: hookId,
      url: 'https://receiver.invalid/',
      events: ['order.created'],
      isTest: false,
      format: 'standard',
      secret: 'whsec_',
      allowsPrivate: false,
    });
    await disableHook(server.sql, team.uuid, hookId, null);
    await createTestDelivery(server.sql, team.uuid, hookId, { message: 'A test.' });
    const hook = encodeId('hook', hookId);
    const asked = await plansOf(async () => {
      const { get, post, formToken } = await signIn(server, team.teamId);
      const [delivery] = await listDeliveries(server.sql, team.uuid, { limit: 1 });
      const token = { formToken: await formToken() };
      const [order] = await server.sql<[{ id: string }]>`
        select id from placed_order where team_id = ${team.uuid} limit 1`;
      for (const path of [
        '',
        '/orders',
        `/orders/${encodeId('ord', order.id)}`,
        '/orders?q=o-1',
        '/orders.csv',
        '/setup',
        '/webhooks?show=failed',
        `/webhooks/${writeDeliveryPlace(delivery!)}`,
      ]) {
        expect([path, (await get(`/console${path}`)).status]).toEqual([path, 200]);
      }
      const url = 'https://other.invalid/';
      expect((await post('/console/webhooks', { ...token, url, 'order.created': 'yes' })).status).toBe(200);
      for (const [path, fields] of [
        ['switch', { hook, on: 'yes' }],
        ['switch', { hook, on: 'no' }],
        ['test', { hook }],
        ['resend', { delivery: writeDeliveryPlace(delivery!) }],
        ['resend-failed', { hook, since: '30d' }],
        ['remove', { hook }],
      ] as const)
        expect((await post(`/console/webhooks/${path}`, { ...token, ...fields })).status).toBe(303);
    });
    expect(names(asked)).toEqual(
      expect.arrayContaining(['createHook', 'markRemoved', 'deletePiece', 'findDeliveries', 'resendPiece']),
    );
    expect(notRouted(asked)).toEqual([]);
  });
});
