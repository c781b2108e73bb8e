import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { sendTo, startServerBeside, startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let beside: Awaited<ReturnType<typeof startServerBeside>>;
let team: { uuid: string; teamId: string };
let key: string;
let testKey: string;

beforeAll(async () => {
  server = await startTestServer();
  beside = await startServerBeside(server.env.DATABASE_URL!);
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
  testKey = await server.addKey(team.uuid, 'test');
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

let count = 0;
/** Names that no other test uses. */
const names = () => {
  const number = ++count;
  return {
    a: `a-${number}`,
    b: `b-${number}`,
    k1: `k1-${number}`,
    k2: `k2-${number}`,
    k3: `k3-${number}`,
    email: `buyer-${number}@mail.example`,
  };
};

interface KeyedReport {
  email: string;
  orderId?: string;
  amount?: number;
  currency?: string;
  name?: string;
}

/** Reports by key; `url` is the server's. */
const send = (idempotencyKey: string | null, said: KeyedReport, { by = key, url = server.url } = {}) =>
  sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${by}`,
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ teamId: team.teamId, amount: 10, ...said }),
  });

/** Reports by key and returns the stored order. */
async function order(...args: Parameters<typeof send>) {
  const { status, body } = await send(...args);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as { id: string; isNew: boolean; amount: number };
}

const refusalOf = async (...args: Parameters<typeof send>) => {
  const { status, body } = await send(...args);
  return [status, body.error?.message.match(/another (.*); nothing/)?.[1]];
};
const ordersOf = async (email: string) =>
  (
    await server.sql`
      select from placed_order join person using (team_id) where person.id = person_id and email = ${email}`
  ).length;

describe('an Idempotency-Key stays with the order that it met', () => {
  it('though the order has one already: each finds it alone, and none may name another order', async () => {
    const { a, b, k1, k2, k3, email } = names();
    const { id } = await order(k2, { email, orderId: a });
    for (const later of [k1, k3]) expect(await order(later, { email, orderId: a })).toMatchObject({ id });
    for (const each of [k1, k2, k3]) {
      expect(await order(each, { email })).toMatchObject({ id, isNew: false });
      expect(await refusalOf(each, { email, orderId: b })).toEqual([422, 'orderId']);
      expect(await refusalOf(each, { email: `x-${email}`, amount: 11, currency: 'EUR' })).toEqual([
        422,
        'email, amount, currency',
      ]);
    }
    expect(await ordersOf(email)).toBe(1);
  });

  it('though a page reported the order first', async () => {
    const { a, b, k1, k2, email } = names();
    await server.report({ teamId: team.teamId, email, amount: 3, orderId: a });
    const { id } = await order(k1, { email, orderId: a });
    await order(k2, { email, orderId: a });
    for (const each of [k1, k2]) {
      expect(await order(each, { email })).toMatchObject({ id, amount: 10 });
      expect(await refusalOf(each, { email, orderId: b })).toEqual([422, 'orderId']);
    }
  });

  it('though its report said something else than the order: the same report finds it again, another is refused', async () => {
    const { a, b, k1, k2, email } = names();
    const { id } = await order(k1, { email, orderId: a });
    const said = { email: `x-${email}`, orderId: a, amount: 12, currency: 'EUR' };
    for (let round = 0; round < 2; round++) expect(await order(k2, said)).toMatchObject({ id, amount: 10 });
    expect(await refusalOf(k2, { ...said, orderId: b })).toEqual([422, 'orderId']);
    expect(await refusalOf(k2, { ...said, amount: 10 })).toEqual([422, 'amount']);
    expect(await refusalOf(k2, { email, orderId: a })).toEqual([422, 'email, amount, currency']);
    expect(await refusalOf(k2, { ...said, email: `y-${email}` })).toEqual([422, 'email']);
    expect(await ordersOf(said.email)).toBe(0);
  });

  it('as a reportId in the body of a report with a key does', async () => {
    const { a, b, k1, k2, email } = names();
    const { id } = await order(k1, { email, orderId: a });
    const byBody = (more: object) =>
      server.reportByKey(key, { teamId: team.teamId, email, amount: 10, reportId: k2, ...more });
    expect((await byBody({ orderId: a })).body.data).toMatchObject({ id });
    expect((await byBody({})).body.data).toMatchObject({ id });
    expect((await byBody({ orderId: b })).status).toBe(422);
    expect((await send(k2, { email, orderId: b })).status).toBe(422);
  });

  it('and with that alone: of two orders that a report names, the orderId decides', async () => {
    const { a, k1, k2, email } = names();
    const { id } = await order(k1, { email, orderId: a });
    const other = await order(k2, { email });
    expect(await order(k2, { email, orderId: a })).toMatchObject({ id });
    expect(await order(k2, { email })).toMatchObject({ id: other.id, isNew: false });
  });

  it('live and test apart', async () => {
    const { a, b, k1, k2, email } = names();
    await order(k1, { email, orderId: a });
    await order(k2, { email, orderId: a });
    const test = await order(k2, { email, orderId: b }, { by: testKey });
    expect(test.isNew).toBe(true);
    expect(await order(k2, { email }, { by: testKey })).toMatchObject({ id: test.id });
    expect(await refusalOf(k2, { email, orderId: b })).toEqual([422, 'orderId']);
  });
});

describe('keys that come at the same moment, to two servers,', () => {
  const urls = () => [server.url, beside.url];
  const rounds = 12;

  it('for one order are kept with it, new or known', async () => {
    for (let round = 0; round < rounds; round++) {
      const { a, b, k1, k2, k3, email } = names();
      if (round % 2) await order(null, { email, orderId: a });
      const keys = [k1, k2, k3];
      const answers = await Promise.all(
        [...keys, ...keys].map((each, n) => order(each, { email, orderId: a }, { url: urls()[n % 2] })),
      );
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      for (const each of keys) {
        expect(await order(each, { email })).toMatchObject({ id: answers[0]!.id });
        expect(await refusalOf(each, { email, orderId: b })).toEqual([422, 'orderId']);
      }
    }
  });

  it('are kept with one order where two are named, and refused with the other', async () => {
    for (let round = 0; round < rounds; round++) {
      const { a, b, k1, k2, email } = names();
      await order(k1, { email, orderId: a });
      if (round % 3 === 0) await order(null, { email, orderId: b });
      const answers = await Promise.all(
        [a, b, a, b].map((orderId, n) => send(k2, { email, orderId }, { url: urls()[(n >> 1) % 2] })),
      );
      const statuses = answers.map(({ status }) => status);
      expect([statuses.join(), round]).toEqual([
        statuses[0] === 200 ? '200,422,200,422' : '422,200,422,200',
        round,
      ]);
    }
  });
});

describe('a key is forgotten', () => {
  const discard = (id: string) => runOrderbeacon(['order', 'discard', '--team', team.teamId, id], server.env);
  const keptFor = (keys: string[]) => server.sql`
    select person_id from order_key where team_id = ${team.uuid} and idempotency_key in ${server.sql(keys)}`;

  it('with its order when that is discarded', async () => {
    const { a, b, k1, k2, email } = names();
    const { id } = await order(k1, { email, orderId: a }, { by: testKey });
    await order(k2, { email, orderId: a }, { by: testKey });
    expect((await discard(id)).code).toBe(0);
    expect(await keptFor([k1, k2])).toEqual([]);
    for (const each of [k1, k2])
      expect((await order(each, { email, orderId: `${b}-${each}` }, { by: testKey })).isNew).toBe(true);
  });

  it('never by erasing a person, who is removed from all that it said', async () => {
    const { a, k1, k2, k3, email } = names();
    const { id } = await order(k1, { email, orderId: a, name: 'Ann' });
    await order(k2, { email, orderId: a });
    await order(k3, { email: `x-${email}`, orderId: a });
    const erase = (of: string) =>
      runOrderbeacon(['person', 'erase', '--team', team.teamId, '--email', of], server.env);
    await erase(email);
    await erase(`x-${email}`);
    expect((await keptFor([k1, k2, k3])).map((row) => row.person_id)).toEqual([null, null, null]);
    for (const each of [k1, k2]) expect(await order(each, { email })).toMatchObject({ id, isNew: false });
    expect(await ordersOf(email)).toBe(0);
  });
});

it('a person without a name gets the one that a page gives late, though a key reported the order without it', async () => {
  const { a, email } = names();
  const sent = { teamId: team.teamId, email, amount: 10, orderId: a };
  await order(null, { email, orderId: a });
  await server.report({ ...sent, visitorId: 'v-1' });
  const nameOf = async () => (await server.sql`select name from person where email = ${email}`)[0]!.name;
  expect(await nameOf()).toBeNull();
  await server.report({ ...sent, name: 'Ann' });
  expect(await nameOf()).toBe('Ann');
  await server.report({ ...sent, name: 'Eve' });
  expect(await nameOf()).toBe('Ann');
  expect(await server.sql`select name from placed_order where order_id = ${a}`).toEqual([{ name: null }]);
  await order(null, { email, orderId: a, name: 'Anna' });
  expect(await nameOf()).toBe('Anna');
});

it('an order keeps 100 further keys, however often it is reported with new ones, and is found still', async () => {
  const { a, k1, k2, k3, email } = names();
  const { id } = await order(k1, { email, orderId: a });
  const keys = () => server.sql`select from order_key where placed_order_id = ${decodeId('ord', id)}`;
  await server.sql`
    insert into order_key (team_id, idempotency_key, is_test, placed_order_id, amount, currency)
    select team_id, idempotency_key || '-' || n, is_test, placed_order_id, 10, 'USD'
    from order_key, generate_series(1, 99) n where placed_order_id = ${decodeId('ord', id)}`;
  for (const further of [k2, k3, k3]) {
    expect(await order(further, { email, orderId: a })).toMatchObject({ id, isNew: false });
    expect(await keys()).toHaveLength(101);
  }
  expect(await refusalOf(k2, { email, orderId: a, amount: 11 })).toEqual([422, 'amount']);
});
