import { expect, it, onTestFinished } from 'vitest';
import { encodeId } from '../src/values/ids.js';
import { startBalancer } from './balancer.js';
import { runOrderbeacon } from './command.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { type ServerProcess, startServerProcess } from './process.js';
import { readiness } from './readiness.js';
import { sendTo, startTestServer } from './server.js';

const ordersPath = '/svc-api/v1/orders';
const productPath = '/svc-api/v1/products/t-shirt';

/** Starts a server on a database. */
type StartServer<Server> = (database: TestDatabase) => Promise<Server>;

/** Starts a server that is as patient as a storm of requests on a busy machine needs. */
const startPatient: StartServer<{ url: string }> = async ({ url }) => {
  const server = await startTestServer({ databaseUrl: url });
  onTestFinished(() => server.close());
  return server;
};

const startProcess: StartServer<ServerProcess> = ({ env }) =>
  startServerProcess({ ...env, ORDERBEACON_RATE_LIMIT: 'off' });

/** Two servers on one database, a balancer in front of them, and a team with a key. */
async function startTwoServers<Server extends { url: string }>(start: StartServer<Server>) {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const servers = await Promise.all([start(database), start(database)]);
  const balancer = await startBalancer(servers.map(({ url }) => url));

  async function command(args: string[], input?: string) {
    const { code, stdout, stderr } = await runOrderbeacon([...args, '--json'], database.env, input);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  const { id: teamId } = await command(['team', 'create', '--name', 'Test']);
  await command(['domain', 'add', '--team', teamId, 'shop.example']);
  await command(['domain', 'add', '--team', teamId, '--test', 'localhost']);
  const key = await command(['key', 'create', '--team', teamId]);
  const testKey = await command(['key', 'create', '--team', teamId, '--test']);
  const byKey = { authorization: `Bearer ${key.key}` };
  const byTestKey = { authorization: `Bearer ${testKey.key}` };
  const byPage = { origin: 'https://shop.example' };
  const byTestPage = { origin: 'http://localhost:3000' };

  const post = (path: string, body: object, headers: Record<string, string>, url = balancer) =>
    sendTo(new URL(path, url), 'POST', {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const get = (path: string, url = balancer) => sendTo(new URL(path, url), 'GET', { headers: byKey });
  const callers = { byKey, byTestKey, byPage, byTestPage };
  return { ...database, servers, command, teamId, keyId: key.id as string, ...callers, post, get };
}

it('reports of one order that reach both servers concurrently make one order, and the key’s word counts', async () => {
  const { sql, teamId, byKey, byPage, post } = await startTwoServers(startPatient);
  const order = { teamId, email: 'ann@buyer.example' };
  const orderIds = Array.from({ length: 10 }, (_, n) => `o-${n}`);
  // Pages and keys come in pairs, so that with two servers each meets both of each order.
  const answers = await Promise.all(
    orderIds.flatMap((orderId) =>
      [byPage, byPage, byKey, byKey, byPage, byPage, byKey, byKey].map((who) =>
        post(ordersPath, { ...order, orderId, amount: who === byKey ? 2 : 1 }, who),
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(80).fill(200));
  expect(answers.filter(({ body }) => body.data.isNew)).toHaveLength(10);
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(10);
  const rows = await sql`select order_id, amount::float, reported_by from placed_order order by order_id`;
  expect(rows.map((row) => row.order_id)).toEqual(orderIds);
  expect(rows.filter((row) => row.amount !== 2 || row.reported_by !== 'both')).toEqual([]);
});

it('100 concurrent reports of one order, live and test, by pages and keys, make one live and one test order', async () => {
  const { sql, teamId, byKey, byTestKey, byPage, byTestPage, post } = await startTwoServers(startPatient);
  const ofPage = { amount: 1, name: 'Page', items: [{ sku: 'page' }], visitorId: 'v-page' };
  const ofKey = { amount: 250, currency: 'EUR', name: 'Key', items: [{ sku: 'key' }] };
  const callers = [
    { who: byPage, says: ofPage },
    { who: byTestPage, says: ofPage },
    { who: { ...byKey, 'idempotency-key': 'evt_live' }, says: ofKey },
    { who: { ...byTestKey, 'idempotency-key': 'evt_test' }, says: ofKey },
  ];
  for (let round = 0; round < 3; round++) {
    const order = { teamId, email: `buyer-${round}@shop.example`, orderId: `o-${round}` };
    const reports = Array.from({ length: 100 }, (_, n) => callers[(n >> 1) % 4]!);
    const answers = await Promise.all(
      reports.map(({ who, says }) => {
        const once =
          'idempotency-key' in who ? { 'idempotency-key': `${who['idempotency-key']}_${round}` } : {};
        return post(ordersPath, { ...order, ...says }, { ...who, ...once });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    for (const isTest of [false, true]) {
      const ofMode = answers.filter(({ body }) => body.data.isTest === isTest);
      expect(ofMode).toHaveLength(50);
      expect(ofMode.filter(({ body }) => body.data.isNew)).toHaveLength(1);
      expect(new Set(ofMode.map(({ body }) => body.data.id)).size).toBe(1);
    }
    const rows = await sql`
      select o.is_test, amount::float, currency, o.name, items, visitor_id, reported_by, idempotency_key,
        person.name as person_name
      from placed_order o join person on person.team_id = o.team_id and person.id = person_id where order_id = ${order.orderId} order by is_test`;
    const said = { amount: 250, currency: 'EUR', name: 'Key', items: ofKey.items, visitor_id: 'v-page' };
    expect(rows).toEqual([
      {
        ...said,
        is_test: false,
        reported_by: 'both',
        idempotency_key: `evt_live_${round}`,
        person_name: 'Key',
      },
      {
        ...said,
        is_test: true,
        reported_by: 'both',
        idempotency_key: `evt_test_${round}`,
        person_name: 'Key',
      },
    ]);
  }
});

it('a reportId is one order and a known order keeps strangers out, whichever server is asked', async () => {
  const { sql, teamId, byPage, post, servers } = await startTwoServers(startPatient);
  const order = { teamId, email: 'ann@buyer.example', amount: 1 };
  const retries = await Promise.all(
    Array.from({ length: 20 }, () => post(ordersPath, { ...order, reportId: 'r-1' }, byPage)),
  );
  expect(new Set(retries.map(({ body }) => body.data.id)).size).toBe(1);
  expect(retries.filter(({ body }) => body.data.isNew)).toHaveLength(1);

  const [first, second] = servers.map(({ url }) => url);
  expect((await post(ordersPath, { ...order, orderId: 'o-1' }, byPage, first)).status).toBe(200);
  const stranger = { ...order, email: 'eve@stranger.example', orderId: 'o-1' };
  for (const url of [first, second])
    expect((await post(ordersPath, stranger, byPage, url)).body.error.code).toBe('order_conflict');
  expect(await sql`select from placed_order`).toHaveLength(2);
  expect(await sql`select from person`).toHaveLength(1);
});

it('a revoked key, a changed product and a removed domain count immediately on both servers', async () => {
  const { teamId, keyId, byKey, byPage, post, get, command, servers } = await startTwoServers(startProcess);
  const order = { teamId, email: 'ann@buyer.example', amount: 1 };
  const urls = servers.map(({ url }) => url);
  const importTee = (price: number) =>
    command(
      ['product', 'import', '--team', teamId, '-'],
      JSON.stringify([{ title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price }]),
    );
  // Each server is asked before the change, so that it has remembered what it remembers.
  for (const price of [10, 20]) {
    await importTee(price);
    for (const url of urls) expect((await get(productPath, url)).body.data.price).toBe(price);
  }
  for (const url of urls) {
    expect((await post(ordersPath, order, byKey, url)).status).toBe(200);
    expect((await post(ordersPath, order, byPage, url)).status).toBe(200);
  }
  await command(['key', 'revoke', '--team', teamId, keyId]);
  await command(['domain', 'remove', '--team', teamId, 'shop.example']);
  for (const url of urls) {
    expect((await get(productPath, url)).status).toBe(401);
    expect((await post(ordersPath, order, byKey, url)).body.error.code).toBe('invalid_api_key');
    expect((await post(ordersPath, order, byPage, url)).body.error.code).toBe('domain_not_allowed');
  }
});

it('enrollments of one person that reach both servers concurrently make one subscription', async () => {
  const { sql, teamId, byKey, post, command } = await startTwoServers(startPatient);
  const sequence = await command(['sequence', 'create', '--team', teamId, '--name', 'Welcome']);
  const emails = Array.from({ length: 10 }, (_, n) => `buyer-${n}@mail.example`);
  await command(['person', 'import', '--team', teamId, '-'], ['email', ...emails].join('\n'));
  // One after the other: the first ones open the servers' connections, and the later ones truly race.
  for (const email of emails) {
    const body = { email, sequenceId: sequence.id };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => post('/svc-api/v1/sequences/enroll', body, byKey)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(16).fill(200));
    expect(new Set(answers.map((answer) => answer.body.data.subscriptionId)).size).toBe(1);
  }
  expect(await sql`select from subscription`).toHaveLength(10);
});

it('a server killed amid the load loses and doubles nothing: who asks again gets the one order', async () => {
  const { sql, teamId, byPage, post, servers } = await startTwoServers(startProcess);
  const acknowledged = new Map<string, string>();
  let turnedAway = 0;

  /** Reports as the SDK does: the same order again until somebody acknowledges it. */
  async function reportUntilHeard(orderId: string) {
    const order = { teamId, email: 'ann@buyer.example', amount: 1, orderId };
    for (;;) {
      const { status, body } = await post(ordersPath, order, byPage);
      if (status === 200) return void acknowledged.set(orderId, body.data.id);
      expect([502, 503]).toContain(status);
      // A busy server says 503, and the balancer 502 for the one that was killed.
      if (status === 502) turnedAway++;
    }
  }
  const shoppers = Array.from({ length: 16 }, async (_, shopper) => {
    for (let n = 0; n < 50; n++) await reportUntilHeard(`o-${shopper}-${n}`);
  });
  await expect.poll(() => acknowledged.size).toBeGreaterThan(100);
  servers[0]!.signal('SIGKILL');
  await Promise.all(shoppers);

  expect(turnedAway).toBeGreaterThan(0);
  const rows = await sql`select order_id, id from placed_order`;
  expect(new Map(rows.map((row) => [row.order_id, encodeId('ord', row.id)]))).toEqual(acknowledged);
  expect(rows).toHaveLength(800);
  expect(await readiness(servers[1]!.url)).toBe(200);
});
