import { createHmac } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { encodeId } from '../src/values/ids.js';
import { addTestHook, liftAnswerLimit, testHookSecret } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startServerForTest, startTestServer } from './server.js';

const waiting = { timeout: 60_000, interval: 50 };

type TellingServer = Awaited<ReturnType<typeof startServerForTest>>;

/** A server with a team, and a hook of it that calls `url`. */
async function startTelling(url: string) {
  const server = await startServerForTest();
  const team = await server.addTeam('shop.example');
  const hook = await addTestHook(server.sql, team.uuid, { url });
  const order = { teamId: team.teamId, email: 'ann@mail.example', amount: 5 };
  return { server, team, hook, order };
}

/** Tells the hook, while it is off, of all orders, as they are told while it is on. */
const tellOfOrders = (server: TellingServer) => server.sql`
  insert into hook_delivery (team_id, id, hook_id, type, subject_id)
  select placed_order.team_id, placed_order.id, hook.id, 'order.created', placed_order.id
  from placed_order join hook using (team_id)`;

/** Rows of deliveries, the first told first. */
const rowsOf = (server: TellingServer) => server.sql`
  select *, next_at - attempted_at as pause from hook_delivery order by created_at, id`;

it('delivers a signed order with every field, once', async () => {
  const receiver = await startReceiver();
  const { server, team, order } = await startTelling(receiver.url);
  const { body } = await server.report({ ...order, orderId: 'a', items: [{ sku: 'x' }], gift: true });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);
  const [{ headers, body: sent, json }] = receiver.received as [(typeof receiver.received)[0]];
  await vi.waitFor(async () => expect((await rowsOf(server))[0]!.delivered_at).toBeInstanceOf(Date), waiting);
  const [row] = await rowsOf(server);
  const key = await server.addKey(team.uuid);
  const read = await server.send('GET', `/svc-api/v1/orders/${body.data.id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(json).toEqual({
    type: 'order.created',
    timestamp: row!.created_at.toISOString(),
    data: read.body.data,
  });
  expect(json.data).toMatchObject({
    orderId: 'a',
    items: [{ sku: 'x' }],
    extra: { gift: true },
    refunds: [],
  });
  expect(headers['webhook-id']).toBe(encodeId('msg', row!.id));
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${sent}`;
  const secret = Buffer.from(testHookSecret.slice(6), 'base64');
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Orderbeacon\/\d/),
  });
  expect(row).toMatchObject({ attempts: 1, status: 200, error: null, next_at: null });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(receiver.received).toHaveLength(1);
});

it('tries a failed delivery again after five seconds with the same id, and then says when it succeeded', async () => {
  let toldMeanwhile: object[] = [];
  const receiver = await startReceiver(async (response, _, number) => {
    if (number === 0) return void response.writeHead(500).end('no\0 space');
    toldMeanwhile = [(await rowsOf(server))[0]!, { failingSince: await failingSince() }];
    response.writeHead(204).end();
  });
  const { server, order } = await startTelling(receiver.url);
  const failingSince = async () => (await server.sql`select failing_since from hook`)[0]!.failing_since;
  await server.report({ ...order, orderId: 'a' });
  await vi.waitFor(async () => expect((await rowsOf(server))[0]!.status).toBe(204), waiting);
  // The second attempt is counted when it begins.
  expect(toldMeanwhile).toMatchObject([
    {
      attempts: 2,
      status: 500,
      error: expect.stringMatching(/500/),
      answer: expect.stringMatching(/^no. space$/),
      delivered_at: null,
    },
    { failingSince: expect.any(Date) },
  ]);
  expect(receiver.received).toHaveLength(2);
  const [first, second] = receiver.received;
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(4_900);
  expect((await rowsOf(server))[0]).toMatchObject({ attempts: 2, error: null, next_at: null });
  await vi.waitFor(async () => expect(await failingSince()).toBeNull(), waiting);
});

it('waits as long as Retry-After says, and leaves the hook alone meanwhile', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end();
  });
  const { server, order } = await startTelling(receiver.url);
  await server.report({ ...order, orderId: 'a' });
  await vi.waitFor(async () => expect((await rowsOf(server))[0]!.status).toBe(429), waiting);
  const [row] = await rowsOf(server);
  expect(row!.next_at - row!.attempted_at).toBeGreaterThanOrEqual(3_600_000);
  expect(row!.next_at - row!.attempted_at).toBeLessThan(3_700_000);
  await server.report({ ...order, orderId: 'b' });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(receiver.received).toHaveLength(1);
});

it('has the last attempt of a delivery three days after the first, and none later', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { server, order } = await startTelling(receiver.url);
  await server.sql`update hook set disabled_at = now()`;
  for (const age of ['71 hours', '72 hours']) await server.report({ ...order, orderId: age });
  await tellOfOrders(server);
  for (const { id, age } of await server.sql`select id, order_id as age from placed_order`)
    await server.sql`
      update hook_delivery set attempts = 8, begun_at = ${new Date()}::timestamptz - ${age}::interval
      where subject_id = ${id}`;
  await server.sql`update hook set disabled_at = null`;
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), waiting);
  await vi.waitFor(async () => {
    const rows = await server.sql`
      select order_id as "orderId", (extract(epoch from next_at - begun_at) / 3600)::float8 as hours
      from hook_delivery join placed_order on placed_order.team_id = hook_delivery.team_id and placed_order.id = subject_id
      where status = 500 order by order_id`;
    expect(rows).toEqual([
      { orderId: '71 hours', hours: expect.closeTo(72, 2) },
      { orderId: '72 hours', hours: null },
    ]);
  }, waiting);
});

it('switches a hook off that answers 410, and sends it nothing more', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(410).end());
  const { server, order } = await startTelling(receiver.url);
  await server.report({ ...order, orderId: 'a' });
  await vi.waitFor(async () => {
    const [hook] = await server.sql`select disabled_at, disabled_reason from hook`;
    expect(hook).toMatchObject({
      disabled_at: expect.any(Date),
      disabled_reason: expect.stringMatching(/410/),
    });
  }, waiting);
  expect((await rowsOf(server))[0]).toMatchObject({ attempts: 1, next_at: null });
  await server.report({ ...order, orderId: 'b' });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(receiver.received).toHaveLength(1);
});

it('switches a hook off that has failed for five days, and keeps what is pending for when it is on again', async () => {
  let status = 500;
  const receiver = await startReceiver((response) => void response.writeHead(status).end());
  const { server, order, hook } = await startTelling(receiver.url);
  await server.sql`update hook set failing_since = now() - interval '121 hours', failed_at = now() - interval '30 hours'`;
  await server.report({ ...order, orderId: 'a' });
  await vi.waitFor(async () => {
    const [row] = await server.sql`select disabled_reason from hook`;
    expect(row!.disabled_reason).toMatch(/five days/);
  }, waiting);
  expect((await rowsOf(server))[0]).toMatchObject({ attempts: 1, next_at: expect.any(Date) });
  await server.sql`update hook_delivery set next_at = now() - interval '71 hours'`;
  const old = await server.sql`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, next_at)
    select team_id, gen_random_uuid(), hook_id, type, subject_id, now() - interval '73 hours' from hook_delivery
    returning id`;
  status = 200;
  await server.sql`update hook set disabled_at = null, failing_since = null where id = ${hook}`;
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), waiting);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).not.toContain(
    encodeId('msg', old[0]!.id),
  );
});

it('does not switch a hook off for a failure after days without an attempt', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { server, order } = await startTelling(receiver.url);
  await server.sql`
    update hook set failing_since = now() - interval '20 days', failed_at = now() - interval '17 days'`;
  await server.report({ ...order, orderId: 'a' });
  await vi.waitFor(async () => {
    const [row] = await server.sql`
      select disabled_at, failing_since > now() - interval '1 hour' as "isAnew" from hook`;
    expect(row).toEqual({ disabled_at: null, isAnew: true });
  }, waiting);
});

it('sends nothing of an order whose buyer was erased, or that was discarded, and says so', async () => {
  const receiver = await startReceiver();
  const { server, order } = await startTelling(receiver.url);
  await server.sql`update hook set disabled_at = now()`;
  await server.report({ ...order, orderId: 'a' });
  await server.sql`update person set email = null`;
  await server.report({ ...order, orderId: 'b', email: 'bob@mail.example' });
  await tellOfOrders(server);
  await server.sql`delete from placed_order where order_id = 'b'`;
  await server.sql`update hook set disabled_at = null`;
  const notSent = { next_at: null, delivered_at: null, error: expect.stringMatching(/^Not sent/) };
  await vi.waitFor(
    async () =>
      expect(await rowsOf(server)).toEqual([
        expect.objectContaining(notSent),
        expect.objectContaining(notSent),
      ]),
    waiting,
  );
  expect(receiver.received).toEqual([]);
  expect((await server.sql`select failing_since from hook`)[0]!.failing_since).toBeNull();
});

it('delivers to a good hook while another one hangs and a third refuses connections', async () => {
  liftAnswerLimit();
  const hanging = await startReceiver(() => {});
  const good = await startReceiver();
  const { server, team, order } = await startTelling(hanging.url);
  await addTestHook(server.sql, team.uuid, { url: 'http://127.0.0.1:9/' });
  for (let batch = 0; batch < 10; batch++)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => server.report({ ...order, orderId: `before-${batch}-${at}` })),
    );
  await addTestHook(server.sql, team.uuid, { url: good.url });
  await vi.waitFor(() => expect(hanging.received).toHaveLength(1), waiting);
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => server.report({ ...order, orderId: `${batch}-${at}` })),
    );
    await vi.waitFor(() => expect(good.received).toHaveLength(20 * (batch + 1)), waiting);
  }
  // It hangs still: a batch that had waited for it would not have come.
  expect(hanging.received).toHaveLength(1);
});

it('attempts each of 500 deliveries once, although two servers and a slow receiver share them', async () => {
  let inFlight = 0;
  let most = 0;
  const receiver = await startReceiver((response) => {
    most = Math.max(most, ++inFlight);
    setTimeout(() => {
      inFlight--;
      response.end();
    }, 20);
  });
  const { server, order } = await startTelling(receiver.url);
  const beside = await startTestServer({ databaseUrl: server.env.DATABASE_URL! });
  try {
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => server.report({ ...order, orderId: `${batch}-${at}` })),
      );
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(500), waiting);
    await vi.waitFor(async () => {
      const [{ pending }] = await server.sql<[{ pending: number }]>`
        select count(*)::int as pending from hook_delivery where delivered_at is null`;
      expect(pending).toBe(0);
    }, waiting);
  } finally {
    await beside.close();
  }
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(500);
  expect(receiver.received).toHaveLength(500);
  expect(most).toBeLessThanOrEqual(10);
});

it('stops while a receiver hangs, and leaves what was cut and claimed due immediately', async () => {
  liftAnswerLimit();
  const receiver = await startReceiver(() => {});
  const { server, order } = await startTelling(receiver.url);
  await Promise.all(Array.from({ length: 20 }, (_, at) => server.report({ ...order, orderId: `${at}` })));
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);
  await server.stop();
  // A stop waits for a second until the rows are written, which may take a busy machine longer.
  await vi.waitFor(async () => {
    const rows = await server.sql`
      select distinct attempts, delivered_at, next_at <= now() as "isDue" from hook_delivery`;
    expect(rows).toEqual([{ attempts: 0, delivered_at: null, isDue: true }]);
  }, waiting);
  expect(await rowsOf(server)).toHaveLength(20);
});
