import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSequence } from '../../../src/core/people/sql/sequence.js';
import { issueSigningKey } from '../../../src/core/teams/issueKey.js';
import { decodeId, encodeId, newUuid } from '../../../src/values/ids.js';
import { paidOrder } from '../../features/sources/kit/shopifySamples.js';
import { addTestSource } from '../../features/sources/kit/sources.js';
import { addProduct } from '../../kit/addProduct.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../kit/databaseProxy.js';
import { createRowFaults, type RowFault } from '../../kit/rowFaults.js';
import { type Answer, startTestServer } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';
import { inDistributedForm } from './distributedForm.js';

const losses = {
  loseFirst: (rows) => rows.slice(1),
  loseLast: (rows) => rows.slice(0, -1),
  loseAll: () => [],
  doubleFirst: (rows) => [...rows.slice(0, 1), ...rows.slice(0, 1), ...rows.slice(2)],
} satisfies Record<string, RowFault>;
const { loseAll } = losses;
const reverse: RowFault = (rows) => [...rows].reverse();
/** Answers a statement with the rows of its former answer. */
const swap: RowFault = (_, former) => former;

const { faults, names, openTap } = createRowFaults();
let server: Awaited<ReturnType<typeof startTestServer>>;
let proxy: DatabaseProxy;
beforeAll(async () => {
  server = await startTestServer({
    async wayTo(url) {
      proxy = await startDatabaseProxy(url, { openTap });
      return proxy.url;
    },
  });
});
afterEach(() => faults.clear());
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const statusOf = ({ status }: Answer) => status;
const emails = Array.from({ length: 8 }, (_, n) => `buyer-${n}@shop.example`);
const kindsOfLoss = Object.keys(losses) as (keyof typeof losses)[];

/** Opens a shop with eight buyers and a sequence in which none of them is. */
async function shopWithBuyers() {
  const shop = await openShop(server);
  const bought = await Promise.all(emails.map((email) => shop.report({ email })));
  const sequence = newUuid();
  await createSequence(server.sql, shop.team, { id: sequence, name: 'Welcome' });
  const sequenceId = encodeId('seq', sequence);
  const enrollAll = () => Promise.all(emails.map((email) => shop.enroll({ email, sequenceId })));
  return { ...shop, enrollAll, peopleIds: bought.map(({ body }) => body.data.peopleId) };
}

describe('an answer that lost rows', () => {
  it.each(kindsOfLoss)(
    'about enrollments (%s) tells nobody another’s id, and ends in 503 until it is whole',
    { tags: ['all'] },
    async (name) => {
      const { enrollAll, peopleIds } = await shopWithBuyers();
      faults.set('lookUpEnrollments', losses[name]);
      for (const [n, { status, body }] of (await enrollAll()).entries()) {
        if (status === 200) expect(body.data.peopleId).toBe(peopleIds[n]);
        else expect(status).toBe(503);
      }
      faults.clear();
      faults.set('addSubscriptions', losses[name]);
      for (const { status, body } of await enrollAll()) {
        if (status === 200) expect(body.data.subscriptionId).toMatch(/^sub_/);
        else expect(status).toBe(503);
      }
      faults.clear();
      expect((await enrollAll()).map(({ body }) => body.data.peopleId)).toEqual(peopleIds);
    },
  );

  it('about all enrollments of a batch refuses each', async () => {
    const { enrollAll } = await shopWithBuyers();
    faults.set('lookUpEnrollments', loseAll);
    expect((await enrollAll()).map(statusOf)).toEqual(Array(8).fill(503));
  });

  it.each(kindsOfLoss)('about products (%s) shows nobody another one', { tags: ['all'] }, async (name) => {
    const { team, send } = await openShop(server);
    const slugs = Array.from({ length: 8 }, (_, n) => `tee-${n}`);
    for (const slug of slugs) await addProduct(server.sql, team, { slug });
    const getAll = () => Promise.all(slugs.map((slug) => send('GET', `/svc-api/v1/products/${slug}`)));
    faults.set('findProducts', losses[name]);
    for (const [n, { status, text }] of (await getAll()).entries()) {
      if (status === 200) expect(text).toContain(slugs[n]);
      else expect(status).toBe(503);
    }
    faults.set('findProducts', reverse);
    for (const [n, { text }] of (await getAll()).entries()) expect(text).toContain(slugs[n]);
  });

  it('about teams and keys is 503, not the refusal of one that does not exist', async () => {
    for (const name of ['findKeys', 'findTeams']) faults.set(name, loseAll);
    const { report, reportByKey } = await openShop(server);
    for (const send of [report, reportByKey]) expect(statusOf(await send())).toBe(503);
    faults.clear();
    for (const send of [report, reportByKey]) expect(statusOf(await send())).toBe(200);
  });

  it('about the mode of a key is 503, not 401', async () => {
    const { read } = await openShop(server);
    const id = encodeId('ord', newUuid());
    expect(statusOf(await read(id))).toBe(404);
    faults.set('requireMode', loseAll);
    expect(statusOf(await read(id))).toBe(503);
  });

  it('about signing keys is 503, not 403', async () => {
    const { team, order, report } = await openShop(server);
    const { key } = (await issueSigningKey(server.sql, team, { isTest: false, name: null }))!;
    const sent = order();
    const text = [sent.teamId, sent.orderId, sent.email, sent.amount, 'USD'].join('\n');
    const signed = { ...sent, signature: createHmac('sha256', key).update(text).digest('hex') };
    faults.set('findSigningKeys', loseAll);
    expect(statusOf(await report(signed))).toBe(503);
    faults.clear();
    expect(statusOf(await report(signed))).toBe(200);
  });

  it('about a source is 503, not 404', async () => {
    const { team } = await openShop(server);
    const source = await addTestSource(server, team, { kind: 'shopify' });
    const say = () => source.say({}, 'orders/updated');
    const whole = statusOf(await say());
    faults.set('findSource', loseAll);
    expect(statusOf(await say())).toBe(503);
    faults.clear();
    expect(statusOf(await say())).toBe(whole);
  });
});

describe('an answer to reports of orders', () => {
  let distributed: typeof server;
  beforeAll(async () => {
    const databaseUrl = server.env.DATABASE_URL!;
    const wayTo = async () => proxy.url;
    distributed = await startTestServer({ databaseUrl, wayTo, watching: inDistributedForm });
  });
  afterAll(() => distributed.close());

  const losing = ['reportOrders', 'judgeReports', 'addOrders', 'addNewKeys'];
  for (const statement of losing)
    it.each(kindsOfLoss)(
      `that lost rows (${statement}, %s) acknowledges nothing that is not stored`,
      { tags: statement === 'reportOrders' ? [] : ['all'] },
      async (kind) => {
        const { report, stored } = await openShop(statement === 'reportOrders' ? server : distributed);
        /** Sends 40 reports concurrently. Every other one is of a page that may not report. */
        const reportMany = () =>
          Promise.all(
            Array.from({ length: 40 }, async (_, n) => {
              const orderId = `pi_${n}`; // a key of the order, too
              const isForeign = n % 2 === 1;
              const headers = isForeign ? { origin: 'https://foreign.example' } : {};
              return { orderId, isForeign, ...(await report({ email: emails[n % 8], orderId }, headers)) };
            }),
          );
        faults.set(statement, losses[kind]);
        const answers = await reportMany();
        const storedIds = (await stored()).map(({ orderId }) => orderId);
        for (const { orderId, isForeign, status } of answers) {
          if (status !== 200) expect(isForeign ? [403, 503] : [503]).toContain(status);
          else expect([isForeign, storedIds.includes(orderId)]).toEqual([false, true]);
        }
        faults.clear();
        expect((await reportMany()).map(statusOf)).toEqual(Array(20).fill([200, 403]).flat());
      },
    );
});

/** Opens a shop and requests of every kind that a caller may believe done. Each comes with a check that it is. */
async function openBusyShop() {
  const shop = await openShop(server);
  const { sql, team } = shop;
  for (const orderId of ['known', 'refunded']) await shop.report({ orderId, amount: 50 });
  await shop.refund({ orderId: 'refunded', refundId: `r-${team}`, amount: 5 });
  const slug = `tee-${newUuid()}`;
  await addProduct(sql, team, { slug });
  const sequence = newUuid();
  await createSequence(sql, team, { id: sequence, name: 'Welcome' });
  const source = await addTestSource(server, team, { kind: 'shopify' });
  await shop.liveKey();

  const hasOrder = async ({ id }: { id: string }, orderId: string, amount: number) => {
    const stored = await sql`
      select from placed_order
      where team_id = ${team} and id = ${decodeId('ord', id)} and order_id = ${orderId} and amount = ${amount}`;
    return stored.length === 1;
  };
  /** @returns true if a refund is stored, at the order that it names or waiting for it */
  const hasRefund = async (
    { refundId, order }: { refundId: string; order: string | null },
    sent: string,
    orderId: string,
  ) => {
    const placed = order && decodeId('ord', order);
    const stored = await sql`
      select from refund left join placed_order o on o.team_id = ${team} and o.id = placed_order_id
      where refund.team_id = ${team} and refund_id = ${refundId} and ${placed}::uuid is not distinct from placed_order_id
        and (o.id is null or o.order_id = ${orderId})
      union all select from statement
      where team_id = ${team} and object = ${`refund:${refundId}`} and placed_order_id is null and ${placed}::uuid is null`;
    return refundId === sent && stored.length === 1;
  };
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const requests: Record<string, [() => Promise<Answer>, (data: any) => unknown]> = {
    page: [() => shop.report({ orderId: 'new', amount: 1 }), (data) => hasOrder(data, 'new', 1)],
    key: [
      () => shop.reportByKey({ orderId: 'keyed', amount: 2 }, { idempotencyKey: 'k' }),
      (data) => hasOrder(data, 'keyed', 2),
    ],
    merge: [() => shop.reportByKey({ orderId: 'known', amount: 70 }), (data) => hasOrder(data, 'known', 70)],
    refund: [
      () => shop.refund({ orderId: 'known', refundId: 'r-1', amount: 5 }),
      (data) => hasRefund(data, 'r-1', 'known'),
    ],
    waiting: [
      () => shop.refund({ orderId: 'unknown', refundId: 'r-2', amount: 5 }),
      (data) => hasRefund(data, 'r-2', 'unknown'),
    ],
    read: [
      () => shop.read('refunded'),
      ({ id, refunds }) =>
        refunds.every(({ refundId }: { refundId: string }) => refundId === `r-${team}`) &&
        hasOrder({ id }, 'refunded', 50),
    ],
    enroll: [
      () => shop.enroll({ email: 'ann@buyer.example', sequenceId: encodeId('seq', sequence) }),
      async ({ subscriptionId }) => {
        const id = decodeId('sub', subscriptionId);
        return (await sql`select from subscription where team_id = ${team} and id = ${id}`).length === 1;
      },
    ],
    product: [() => shop.send('GET', `/svc-api/v1/products/${slug}`), (data) => data.slug === slug],
    source: [
      () => source.say(paidOrder(1001), 'orders/paid'),
      async ({ outcomes: [outcome] }) => {
        if (outcome === 'kept') return (await shop.refused()).length > 0;
        return (
          (await sql`select from placed_order where team_id = ${team} and order_id = '1001'`).length === 1
        );
      },
    ],
  };
  /** Sends all requests, and returns the names of those that were answered as done and are not. */
  return async () => {
    const answers = await Promise.all(
      Object.entries(requests).map(async ([what, [send]]) => [what, await send()] as const),
    );
    faults.clear();
    const untrue: string[] = [];
    for (const [what, { status, body }] of answers)
      if (status === 200 && !(await requests[what]![1](body.data))) untrue.push(what);
    return { statuses: answers.map(([what, { status }]) => `${what} ${status}`), untrue };
  };
}

const never =
  'no answer that lost its rows, or is another statement’s, has anybody told that something is done that is not';

it(never, { tags: ['all', 'slow'] }, async () => {
  for (let round = 0; round < 2; round++) {
    const sendAll = await openBusyShop();
    names.clear();
    const { statuses, untrue } = await sendAll();
    expect([...statuses.filter((status) => !status.endsWith('200')), ...untrue]).toEqual([]);
  }
  const found: Record<string, string[]> = {};
  for (const name of names) {
    for (const [kind, fault] of Object.entries({ loseAll, swap })) {
      const sendAll = await openBusyShop();
      faults.set(name, fault);
      const { untrue } = await sendAll();
      if (untrue.length > 0) found[`${name} ${kind}`] = untrue;
    }
  }
  expect(found).toEqual({});
});
