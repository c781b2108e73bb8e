import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { toListedOrder } from '../src/orders/listedOrder.js';
import { listOrders } from '../src/orders/sql/listOrders.js';
import { eraseOrders } from '../src/orders/sql/placedOrder.js';
import { reportOrders } from '../src/orders/sql/reportOrders.js';
import { stampReport } from '../src/orders/stampReport.js';
import { hashKey } from '../src/teams/keys.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { type Explained, explainAll, mostRows } from './explained.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
});
afterAll(() => server.close());

let count = 0;
const landing = (parameters: string, path = '/', ms = Date.UTC(2026, 4, 1)) =>
  Buffer.from(`${ms} undefined ${parameters} ${path}`).toString('base64');
const first = landing('?utm_source=newsletter,&utm_campaign=spring');
const last = landing('?gclid=');

/** Reports an order, by a page or with the key. */
async function report(more: object, { byKey = false, email = 'ann@buyer.example' } = {}) {
  const sent = { teamId: team.teamId, email, amount: 49.9, orderId: `t-${++count}`, ...more };
  const { status, body } = await server.report(sent, byKey ? { authorization: `Bearer ${key}` } : undefined);
  return { status, body, id: sent.orderId };
}

async function listed(orderId: string) {
  const [order] = (await listOrders(server.sql, team.uuid))
    .filter((row) => row.orderId === orderId)
    .map(toListedOrder);
  return order!;
}

it('landings of a page are stored as the first and the last touch', async () => {
  const { id } = await report({ landings: `${first}.${last}` });
  const { firstTouch, lastTouch } = await listed(id);
  expect(firstTouch).toMatchObject({
    at: '2026-05-01T00:00:00.000Z',
    source: 'newsletter',
    campaign: 'spring',
  });
  expect(lastTouch).toMatchObject({ source: 'google', medium: 'cpc', clickId: 'gclid' });
});

it('an order without landings has no touch', async () => {
  const { id } = await report({});
  expect(await listed(id)).toMatchObject({ firstTouch: null, lastTouch: null, extra: null });
});

it('landings of another form are left out of a page’s report with a warning, and refused with a key', async () => {
  for (const landings of ['<script>', 'a.b.c', 7, {}]) {
    const { status, body, id } = await report({ landings });
    expect([status, body.data.warnings[0].path]).toEqual([200, 'landings']);
    expect((await listed(id)).firstTouch).toBeNull();
    const refused = await report({ landings }, { byKey: true });
    expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, 'landings']);
  }
});

describe('a report with a key', () => {
  it('keeps the touches of the page that reported the order of the same buyer', async () => {
    const { id } = await report({ landings: first });
    await report({ orderId: id, amount: 50 }, { byKey: true });
    expect(await listed(id)).toMatchObject({ amount: 50, firstTouch: { source: 'newsletter' } });
  });

  it('keeps nothing of a page that named another buyer', async () => {
    const { id } = await report({ landings: first, coupon: 'X' });
    await report({ orderId: id }, { byKey: true, email: 'bob@buyer.example' });
    expect(await listed(id)).toMatchObject({ firstTouch: null, lastTouch: null, extra: null });
  });

  it('takes the touches of the latest order of its visitor, and only in its own world', async () => {
    const visitorId = `v-${++count}`;
    await report({ visitorId, landings: first });
    await report({ visitorId, landings: `.${last}` });
    const { id } = await report({ visitorId }, { byKey: true });
    expect(await listed(id)).toMatchObject({ firstTouch: null, lastTouch: { source: 'google' } });
    const testKey = await server.addKey(team.uuid, 'test');
    const sent = { teamId: team.teamId, email: 'ann@buyer.example', amount: 1, orderId: 'test-1', visitorId };
    await server.report(sent, { authorization: `Bearer ${testKey}` });
    expect(await listed('test-1')).toMatchObject({ isTest: true, lastTouch: null });
  });

  // Where the tables are distributed, `reportOrders` does not store.
  it.skipIf(inject('isCitus'))(
    'reads few rows for the touches of a visitor that a backend gives all its orders',
    async () => {
      const shop = await server.addTeam();
      const sent = { teamId: shop.teamId, email: 'ann@buyer.example', amount: 1, visitorId: 'guest' };
      const own = await server.addKey(shop.uuid);
      await server.reportByKey(own, { ...sent, orderId: 'first', landings: first });
      await server.sql`
      insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, visitor_id, is_test,
        reported_by, created_at)
      select team_id, gen_random_uuid(), 'ORD-' || n, person_id, 1, 'USD', 'OTHER', 'guest', false, 'key', now()
      from placed_order, generate_series(1, 2000) n where team_id = ${shop.uuid}`;
      await server.sql`analyze placed_order`;
      const plans: Explained[] = [];
      const explained = explainAll(
        server.sql,
        plans,
        'explain (analyze, costs off, timing off, buffers off)',
      );
      const stamp = { teamId: shop.uuid, keyHash: hashKey(own), host: null, idempotencyKey: undefined };
      const at = { createdAt: new Date().toISOString(), idMs: Date.now() };
      const checked = { report: { ...sent, orderId: 'next' }, extra: null };
      await reportOrders(explained, shop.uuid, [stampReport(checked, { ...stamp, ...at }, 'secret')]);
      expect(plans.map(({ plan }) => mostRows(plan) < 10)).toEqual([true]);
      const rows = await listOrders(server.sql, shop.uuid);
      expect(rows.find(({ orderId }) => orderId === 'next')!.firstTouch).toMatchObject({
        source: 'newsletter',
      });
    },
  );

  it('gives up those touches for the ones that the page of the same order sends later', async () => {
    const visitorId = `v-${++count}`;
    await report({ visitorId, landings: `${first}.${last}` });
    const { id } = await report({ visitorId }, { byKey: true });
    await report({ orderId: id, visitorId, landings: landing('?utm_source=own') });
    expect(await listed(id)).toMatchObject({ firstTouch: { source: 'own' }, lastTouch: null });
    await report({ orderId: id, visitorId, landings: first });
    expect(await listed(id)).toMatchObject({ firstTouch: { source: 'own' } });
  });

  it('may send landings itself', async () => {
    const { id } = await report({ landings: first }, { byKey: true });
    expect(await listed(id)).toMatchObject({ firstTouch: { source: 'newsletter' } });
  });
});

it('erasing the buyer removes touches and extra fields', async () => {
  const { id } = await report({ landings: first, address: 'Main St 1' }, { email: 'gone@buyer.example' });
  const row = (await listOrders(server.sql, team.uuid)).find(({ orderId }) => orderId === id)!;
  await server.sql.begin((tx) => eraseOrders(tx as never, team.uuid, row.personId, newUuid()));
  expect(await listed(id)).toMatchObject({ email: null, firstTouch: null, lastTouch: null, extra: null });
});

describe('fields that the contract does not name', () => {
  it('are stored as they were sent, whatever their names are', async () => {
    const text = `{"teamId":"${team.teamId}","email":"ann@buyer.example","amount":1,"orderId":"extra-1",
      "tax":1.5,"metadata":{"a":[null,true]},"__proto__":{"x":1},"constructor":"c","extra":2}`;
    expect((await server.report(text)).body.data.warnings).toBeUndefined();
    const { extra } = await listed('extra-1');
    expect(JSON.stringify(extra)).toBe(
      '{"tax":1.5,"metadata":{"a":[null,true]},"__proto__":{"x":1},"constructor":"c","extra":2}',
    );
  });

  it('lose the largest beyond 8 KiB in a page’s report, and are refused by their name with a key', async () => {
    const sent = { big: 'x'.repeat(8_000), small: 'y'.repeat(300) };
    const { body, id } = await report(sent);
    expect(body.data.warnings.map(({ path }: { path: string }) => path)).toEqual(['big']);
    expect((await listed(id)).extra).toEqual({ small: sent.small });
    const refused = await report(sent, { byKey: true });
    expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, 'big']);
    const { extra } = await listed((await report({ most: 'é'.repeat(4_090) }, { byKey: true })).id);
    expect(extra!.most).toHaveLength(4_090);
  });

  it('become storable in a page’s report, with a warning, and are refused with a key', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    for (const part of ['"a\\u0000b"', '"\\ud800"', deep]) {
      const orderId = `odd-${++count}`;
      const text = JSON.stringify({
        teamId: team.teamId,
        email: 'ann@buyer.example',
        amount: 1,
        orderId,
        note: 0,
      });
      const sent = text.replace('"note":0', `"note":${part}`);
      expect((await server.report(sent)).body.data.warnings[0].path).toMatch(/^note/);
      const { status, body } = await server.report(sent, { authorization: `Bearer ${key}` });
      expect([status, body.error?.issues[0].path.split('.')[0]]).toEqual([400, 'note']);
    }
  });

  it('keep the digits of a number that a float would change, as a text, from a page and with a key', async () => {
    for (const number of ['1e400', '12345678901234567890', '0.1234567890123456789']) {
      for (const headers of [undefined, { authorization: `Bearer ${key}` }]) {
        const orderId = `long-${++count}`;
        const order = { teamId: team.teamId, email: 'ann@buyer.example', amount: 1, orderId, note: 0 };
        const sent = JSON.stringify(order).replace('"note":0', `"note":${number}`);
        const { status, body } = await server.report(sent, headers);
        expect([status, body.data?.warnings]).toEqual([200, undefined]);
        expect((await listed(orderId)).extra).toEqual({ note: number });
      }
    }
  });

  it('are filled in by a later report of the same buyer', async () => {
    const { id } = await report({});
    await report({ orderId: id, tax: 2 });
    await report({ orderId: id, tax: 3 });
    expect((await listed(id)).extra).toEqual({ tax: 2 });
    await report({ orderId: id, tax: 4 }, { byKey: true });
    expect((await listed(id)).extra).toEqual({ tax: 4 });
  });
});

describe('an orderId of a page that is no id', () => {
  it('does not make one order of two', async () => {
    const orders = [];
    for (const reportId of ['r-1', 'r-2', 'r-2']) {
      const { status, body } = await report({ orderId: '{{ order.id }}', reportId });
      expect([status, body.data.warnings[0].path]).toEqual([200, 'orderId']);
      orders.push(body.data);
    }
    expect(orders.map(({ isNew }) => isNew)).toEqual([true, true, false]);
    const rows = (await listOrders(server.sql, team.uuid)).filter(({ reportId }) => reportId === 'r-1');
    expect(rows).toMatchObject([{ orderId: null, extra: { orderId: '{{ order.id }}' } }]);
  });

  it.each([false, true])('does not refuse the order when it is %s', async (orderId) => {
    const reportId = `r-${orderId}`;
    const { status, body } = await report({ orderId, reportId });
    expect([status, body.data?.warnings[0].path]).toEqual([200, 'orderId']);
    const rows = (await listOrders(server.sql, team.uuid)).filter((order) => order.reportId === reportId);
    expect(rows).toMatchObject([{ orderId: null, extra: { orderId } }]);
    expect((await report({ orderId }, { byKey: true })).status).toBe(400);
  });

  it.each(['undefined', '', '{{ report }}'])('counts no more as reportId: %s', async (reportId) => {
    const said = { orderId: undefined, reportId };
    const one = await report(said, { email: `one-${count}@buyer.example` });
    const two = await report(said, { email: `two-${count}@buyer.example` });
    for (const { status, body } of [one, two])
      expect([status, body.data?.isNew, body.data?.warnings[0].path]).toEqual([200, true, 'reportId']);
    const rows = (await listOrders(server.sql, team.uuid)).filter(({ id }) =>
      [one, two].some(({ body }) => encodeId('ord', id) === body.data.id),
    );
    expect(rows).toMatchObject([
      { reportId: null, extra: { reportId } },
      { reportId: null, extra: { reportId } },
    ]);
  });

  it('does not refuse an order with an orderId whose reportId is empty', async () => {
    const { status, id } = await report({ reportId: '' });
    expect([status, (await listed(id)).extra]).toEqual([200, { reportId: '' }]);
  });

  it('counts when a key sends it', async () => {
    const { status } = await report({ orderId: 'undefined' }, { byKey: true });
    expect([status, (await listed('undefined')).extra]).toEqual([200, null]);
  });
});

it('a name of a page that is none leaves the buyer without one, and stays in the extra fields', async () => {
  const email = 'nameless@buyer.example';
  const { status, body, id } = await report({ name: 'undefined undefined' }, { email });
  expect([status, body.data.warnings[0].path]).toEqual([200, 'name']);
  expect(await listed(id)).toMatchObject({ name: null, extra: { name: 'undefined undefined' } });
  const byKey = await report({ name: 'undefined undefined' }, { byKey: true, email });
  expect((await listed(byKey.id)).name).toBe('undefined undefined');
});

it('a visitor of a page that is none is no visitor, and gives its touches to no other order', async () => {
  for (const visitorId of ['undefined', '{{ visitor }}']) {
    const { status, body, id } = await report({ visitorId, landings: first });
    expect([status, body.data.warnings[0].path]).toEqual([200, 'visitorId']);
    expect(await listed(id)).toMatchObject({ visitorId: null, extra: { visitorId } });
    const byKey = await report({ visitorId }, { byKey: true });
    expect(await listed(byKey.id)).toMatchObject({ visitorId, firstTouch: null });
  }
});

it('an amount of three decimals counts in a currency that has three', async () => {
  const { status, id } = await report({ amount: '12.500', currency: 'kwd' });
  expect([status, (await listed(id)).amount]).toEqual([200, 12.5]);
  expect((await report({ amount: '12.500', currency: 'EUR' })).status).toBe(400);
  expect((await report({ amount: '12.500', currency: 'KWD' }, { byKey: true })).status).toBe(400);
});

it('a name of 60 kB, and a visitor that is no text, do not refuse a page’s report', async () => {
  const { status, body, id } = await report({ name: 'x'.repeat(60_000), visitorId: { a: 1 } });
  expect([status, body.data.warnings.map(({ path }: { path: string }) => path)]).toEqual([
    200,
    ['name', 'visitorId'],
  ]);
  expect((await listed(id)).name).toBe('x'.repeat(255));
});
