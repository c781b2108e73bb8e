import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../src/database/connection/connect.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { findWaitsBehind } from './lockWaits.js';
import { startTestServer } from './server.js';

/** The effects that strangers, test keys and pages may have on an order, over HTTP and in PostgreSQL. */
let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let liveKey: string;
let testKey: string;

beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  await server.sql`insert into domain values (${team.uuid}, 'localhost', true)`;
  liveKey = await server.addKey(team.uuid);
  testKey = await server.addKey(team.uuid, 'test');
});
afterAll(() => server.close());

let count = 0;
const newOrder = () => ({
  teamId: team.teamId,
  email: `buyer-${++count}@shop.example`,
  amount: 250,
  orderId: `trust-${count}`,
});
const byKey = (report: object, idempotencyKey?: string, key = liveKey) =>
  server.reportByKey(key, report, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey });
const byPage = (report: object) => server.report(report);
const byTestPage = (report: object) => server.report(report, { origin: 'http://localhost' });
const stored = (orderId: string) => server.sql`
  select o.*, amount::float as amount, person.email, person.name as person_name
  from placed_order o join person on person.team_id = o.team_id and person.id = o.person_id
  where o.team_id = ${team.uuid} and order_id = ${orderId} order by is_test`;
const personName = async (email: string) =>
  (await server.sql`select name from person where team_id = ${team.uuid} and email = ${email}`)[0]?.name;

describe('live and test are two worlds:', () => {
  it('a live order is stored though a test key has reported its orderId, and the other way round', async () => {
    for (const [first, second] of [
      [testKey, liveKey],
      [liveKey, testKey],
    ] as const) {
      const order = newOrder();
      const one = await byKey({ ...order, amount: first === liveKey ? 250 : 1 }, undefined, first);
      const two = await byKey({ ...order, amount: second === liveKey ? 250 : 1 }, undefined, second);
      expect([one.body.data.isNew, two.body.data.isNew]).toEqual([true, true]);
      expect(await stored(order.orderId)).toMatchObject([
        { is_test: false, amount: 250, reported_by: 'key' },
        { is_test: true, amount: 1, reported_by: 'key' },
      ]);
      expect((await byKey(order, undefined, first)).body.data).toEqual({ ...one.body.data, isNew: false });
      expect((await byKey(order, undefined, second)).body.data).toEqual({ ...two.body.data, isNew: false });
    }
  });

  it('a page that claims a test domain freezes no live order', async () => {
    const order = newOrder();
    await byTestPage({ ...order, amount: 0 });
    expect((await byPage(order)).body.data).toMatchObject({ amount: 250, isTest: false, isNew: true });
  });

  it('a reportId and an Idempotency-Key of a test are no live order’s', async () => {
    const { orderId: _, ...order } = newOrder();
    for (const report of [byTestPage, byPage])
      expect((await report({ ...order, reportId: 'ob:mode' })).body.data.isNew).toBe(true);
    for (const key of [testKey, liveKey])
      expect((await byKey(order, 'evt_mode', key)).body.data.isNew).toBe(true);
  });

  it('a test’s name gives way to a live key’s', async () => {
    const order = newOrder();
    await byKey({ ...order, name: 'Test' }, undefined, testKey);
    expect(await personName(order.email)).toBe('Test');
    await byKey({ ...order, name: 'Ann' });
    expect(await personName(order.email)).toBe('Ann');
  });
});

describe('pages and backends have identifiers of their own:', () => {
  it('a page cannot capture a backend’s Idempotency-Key by its reportId', async () => {
    const next = newOrder();
    const other = newOrder();
    const { orderId: _, ...keyed } = newOrder();
    await byPage({ ...other, orderId: next.orderId, reportId: 'evt_captured' });
    await byPage({ ...other, orderId: undefined, reportId: 'evt_captured' });
    const answer = await byKey(keyed, 'evt_captured');
    expect(answer.body.data).toMatchObject({ isNew: true, amount: 250 });
    const [row] = await server.sql`
      select order_id, idempotency_key, report_id, amount::float, email from placed_order
      join person using (team_id) where person.id = person_id and idempotency_key = 'evt_captured'`;
    expect(row).toEqual({
      order_id: null,
      idempotency_key: 'evt_captured',
      report_id: null,
      amount: 250,
      email: keyed.email,
    });
    await byKey({ ...next, amount: 777 });
    expect(await stored(next.orderId)).toMatchObject([{ amount: 777, email: next.email }]);
  });

  it('the reportId in the body of a report with a key is an Idempotency-Key, unless the header is there', async () => {
    const { orderId: _, ...order } = newOrder();
    const first = await byKey({ ...order, reportId: 'evt_body' });
    expect((await byKey(order, 'evt_body')).body.data).toEqual({ ...first.body.data, isNew: false });
    const both = await byKey({ ...order, reportId: 'evt_body' }, 'evt_header');
    expect(both.body.data.isNew).toBe(true);
    expect((await byPage({ ...order, reportId: 'evt_body' })).body.data.isNew).toBe(true);
  });

  it('a page’s reportId counts only where there is no orderId', async () => {
    const one = newOrder();
    const other = { ...newOrder(), email: one.email };
    await byPage({ ...one, reportId: 'ob:shared' });
    expect((await byPage({ ...other, reportId: 'ob:shared' })).body.data.isNew).toBe(true);
    const alone = { ...one, orderId: undefined, reportId: 'ob:shared' };
    const first = await byPage(alone);
    expect(first.body.data.isNew).toBe(true);
    expect((await byPage(alone)).body.data).toEqual({ ...first.body.data, isNew: false });
    expect(await stored(one.orderId)).toMatchObject([{ report_id: null }]);
  });

  it('a backend’s key is kept with an order that pages had reported: either of the two ids finds it', async () => {
    const order = newOrder();
    const page = await byPage({ ...order, amount: 1 });
    const merged = await byKey(order, 'evt_merged');
    expect(merged.body.data).toMatchObject({ id: page.body.data.id, amount: 250 });
    const { orderId: _, ...withoutOrderId } = order;
    expect((await byKey(withoutOrderId, 'evt_merged')).body.data).toEqual(merged.body.data);
    expect((await byKey(order)).body.data).toEqual(merged.body.data);
    expect(
      await server.sql`select from placed_order join person using (team_id)
      where person.id = person_id and email = ${order.email}`,
    ).toHaveLength(1);
  });

  it('the orderId decides where orderId and Idempotency-Key lead to two orders', async () => {
    const order = newOrder();
    const { orderId: _, ...withoutOrderId } = order;
    const keyed = await byKey(withoutOrderId, 'evt_two');
    const named = await byPage(order);
    expect(named.body.data.id).not.toBe(keyed.body.data.id);
    const answer = await byKey({ ...order, name: 'Ann' }, 'evt_two');
    expect(answer.body.data.id).toBe(named.body.data.id);
    expect((await byKey(withoutOrderId, 'evt_two')).body.data.id).toBe(keyed.body.data.id);
    expect(await stored(order.orderId)).toMatchObject([{ reported_by: 'both', name: 'Ann' }]);
  });
});

describe('a key report of another buyer than the page’s', () => {
  it('leaves nothing of the page’s: no visitor, name, items, reportId or time', async () => {
    const order = newOrder();
    const squatter = await byPage({
      ...order,
      email: 'squatter@evil.example',
      amount: 0,
      name: 'Eve',
      items: [{ sku: 'X' }],
      visitorId: 'v-eve',
      reportId: 'ob:eve',
    });
    // The time has milliseconds; the next report must not be of the same one.
    await expect.poll(() => new Date().toISOString()).not.toBe(squatter.body.data.createdAt);
    const answer = await byKey(order, 'evt_squatted');
    expect(answer.body.data.createdAt > squatter.body.data.createdAt).toBe(true);
    const [row] = await stored(order.orderId);
    expect(row).toMatchObject({
      email: order.email,
      amount: 250,
      name: null,
      items: null,
      visitor_id: null,
      report_id: null,
      idempotency_key: 'evt_squatted',
      reported_by: 'key',
    });
    expect(row!.created_at.toISOString()).toBe(answer.body.data.createdAt);
    const again = await byPage({ ...order, email: 'squatter@evil.example', visitorId: 'v-eve' });
    expect(again.body.error.code).toBe('order_conflict');
    expect(await byPage({ ...order, visitorId: 'v-ann' })).toMatchObject({ status: 200 });
    expect(await stored(order.orderId)).toMatchObject([{ visitor_id: 'v-ann', reported_by: 'both' }]);
  });

  it('gives the person the key’s name in the place of one that a page said, never the reverse', async () => {
    const order = newOrder();
    await byPage({ ...order, name: 'Squatted' });
    expect(await personName(order.email)).toBe('Squatted');
    await byKey({ ...order, name: 'Ann' });
    expect(await personName(order.email)).toBe('Ann');
    await byPage({ ...newOrder(), email: order.email, name: 'Squatted' });
    await byKey({ ...newOrder(), email: order.email, name: 'Second' });
    expect(await personName(order.email)).toBe('Ann');
  });

  it('gives the key’s name to a person of one statement, whichever report comes first', async () => {
    for (const order of [newOrder(), newOrder()]) {
      const reports = [
        () => byPage({ ...order, orderId: `${order.orderId}-page`, name: 'Aaa' }),
        () => byKey({ ...order, name: 'Zoe' }),
      ];
      await Promise.all((count % 2 ? reports : reports.toReversed()).map((report) => report()));
      expect(await personName(order.email)).toBe('Zoe');
    }
  });

  it('believes what a later key report says over what only a page said', async () => {
    const order = newOrder();
    await byPage({ ...order, name: 'Page', items: [{ sku: 'page' }], visitorId: 'v-page' });
    await byKey(order);
    expect(await stored(order.orderId)).toMatchObject([{ name: 'Page', visitor_id: 'v-page' }]);
    await byKey({ ...order, name: 'Key', items: [{ sku: 'key' }], visitorId: 'v-key' });
    const says = { name: 'Key', items: [{ sku: 'key' }], visitor_id: 'v-key', page_fields: null };
    expect(await stored(order.orderId)).toMatchObject([says]);
    await byKey({ ...order, name: 'Other', items: [], visitorId: 'v-other' });
    expect(await stored(order.orderId)).toMatchObject([says]);
  });
});

it('a key report keeps the page’s name where its own is only the space between two empty ones', async () => {
  const order = newOrder();
  await byPage({ ...order, name: 'Ann' });
  await byKey({ ...order, name: ' ' });
  expect(await stored(order.orderId)).toMatchObject([{ reported_by: 'both', name: 'Ann' }]);
  expect(await personName(order.email)).toBe('Ann');
});

describe('one Idempotency-Key for two orders', () => {
  it.each([
    ['orderId', (order: object) => ({ ...order, orderId: 'another' })],
    ['email', (order: object) => ({ ...order, email: 'another@shop.example' })],
    ['amount', (order: object) => ({ ...order, amount: 251 })],
    ['currency', (order: object) => ({ ...order, currency: 'EUR' })],
  ])('is refused with 422 when the %s is another, and nothing is stored', async (field, change) => {
    const order = newOrder();
    const idempotencyKey = `evt_reused_${field}`;
    const first = await byKey(order, idempotencyKey);
    const before = await server.sql`select r::text from placed_order r order by id`;
    const people = await server.sql`select r::text from person r order by id`;
    const { status, body } = await byKey(change(order), idempotencyKey);
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(body.error.message).toContain(`another ${field}`);
    expect(await server.sql`select r::text from placed_order r order by id`).toEqual(before);
    expect(await server.sql`select r::text from person r order by id`).toEqual(people);
    expect((await byKey(order, idempotencyKey)).body.data).toEqual({ ...first.body.data, isNew: false });
  });

  it('names every field that differs', async () => {
    await byKey(newOrder(), 'evt_all');
    const { body } = await byKey({ ...newOrder(), amount: 1, currency: 'EUR' }, 'evt_all');
    expect(body.error.message).toContain('another orderId, email, amount, currency');
  });

  it('stores exactly one of the two when they come concurrently', async () => {
    const orders = Array.from({ length: 10 }, newOrder);
    const answers = await Promise.all(orders.map((order) => byKey(order, 'evt_race')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
    const rows = await server.sql`select order_id from placed_order where idempotency_key = 'evt_race'`;
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(rows).toEqual([{ order_id: orders[winner]!.orderId }]);
  });

  it('is no reuse when the report is the same: it is answered alike for ever', async () => {
    const order = newOrder();
    await byKey(order);
    // The order was another backend's before; this one's amount is not believed, and its retry is not refused.
    const differs = { ...order, amount: 9 };
    const first = await byKey(differs, 'evt_late');
    expect(first.body.data).toMatchObject({ amount: 250, isNew: false });
    expect(await byKey(differs, 'evt_late')).toMatchObject({ status: 200, body: first.body });
  });
});

describe('an order of an erased buyer', () => {
  const erase = async (email: string) => {
    const { erasePerson } = await import('../src/commands/personErase.js');
    const [person] =
      await server.sql`select id from person where team_id = ${team.uuid} and email = ${email}`;
    await erasePerson(server.sql, team.uuid, person!.id);
  };

  it('gets nothing back from a webhook that is replayed, or from the page', async () => {
    const order = { ...newOrder(), name: 'Ann', visitorId: 'v-ann' };
    await byKey(order, 'evt_erased');
    await erase(order.email);
    for (const again of [await byKey(order, 'evt_erased'), await byKey(order), await byKey(order, 'evt_new')])
      expect(again).toMatchObject({ status: 200, body: { data: { isNew: false, amount: 250 } } });
    expect((await byPage(order)).body.error.code).toBe('order_conflict');
    expect(await stored(order.orderId)).toMatchObject([{ email: null, name: null, visitor_id: null }]);
    expect(await personName(order.email)).toBe(undefined);
    const dump = await server.sql`select r::text from placed_order r where order_id = ${order.orderId}`;
    expect(JSON.stringify(dump)).not.toContain('Ann');
  });

  it('that only pages reported gets its money from a key, and nobody back', async () => {
    const order = { ...newOrder(), name: 'Ann', visitorId: 'v-ann', items: [{ sku: 'A' }] };
    await byPage({ ...order, amount: 1, items: undefined });
    await erase(order.email);
    const answer = await byKey(order, 'evt_erased_page');
    expect(answer.body.data).toMatchObject({ amount: 250, isNew: false });
    expect(await stored(order.orderId)).toMatchObject([
      { amount: 250, email: null, name: null, visitor_id: null, items: null, reported_by: 'both' },
    ]);
    expect(await personName(order.email)).toBe(undefined);
  });

  it('leaves a new purchase with that email a new person', async () => {
    const order = newOrder();
    const first = await byKey(order);
    await erase(order.email);
    const second = await byKey({ ...order, orderId: `${order.orderId}-again`, name: 'Ann' });
    expect(second.body.data).toMatchObject({ isNew: true });
    expect(await personName(order.email)).toBe('Ann');
    expect((await byKey(order)).body.data.peopleId).not.toBe(first.body.data.peopleId);
  });
});

it('an order that gets its orderId while another of that orderId is stored is a lost race, no 500', async () => {
  const order = newOrder();
  const { orderId: _, ...withoutOrderId } = order;
  await byKey(withoutOrderId, 'evt_raced');
  const { sql } = server;
  const waitsBehind = async (tx: Sql, statement: string) => {
    await expect
      .poll(() => findWaitsBehind(sql, tx))
      .toEqual([{ query: expect.stringContaining(statement) }]);
  };
  const { naming } = await inTransaction(sql, async (storing) => {
    const started = await inTransaction(sql, async (holding) => {
      await holding`select from placed_order
        where team_id = ${team.uuid} and idempotency_key = 'evt_raced' for update`;
      const report = byKey(order, 'evt_raced');
      // It has looked already, and found the one order that waits for its orderId.
      await waitsBehind(holding, '/* lockOrder */');
      await storing`
        insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, is_test,
          reported_by, created_at)
        select team_id, gen_random_uuid(), 'ORD-RACED', person_id, ${order.orderId}, amount, currency, source, false,
          'key', now() from placed_order where team_id = ${team.uuid} and idempotency_key = 'evt_raced'`;
      return { naming: report };
    });
    await waitsBehind(storing, '/* updateOrder */');
    return started;
  });
  expect(await naming).toMatchObject({ status: 200, body: { data: { orderNumber: 'ORD-RACED' } } });
});
