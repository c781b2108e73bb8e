import { expect, vi } from 'vitest';
import { encodeId } from '../../../src/values/ids.js';
import { hourMs } from '../../../src/values/time.js';
import { startReceiver } from '../../kit/receiver.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { addTestHook, liftAnswerLimit } from './kit/hooks.js';

const waiting = { timeout: 60_000, interval: 50 };

/** Reads the deliveries of a shop, in the order of their events. */
const rowsOf = ({ sql, team }: Shop) =>
  sql`select *, next_at - attempted_at as pause from hook_delivery where team_id = ${team} order by created_at, id`;

const hookOf = async ({ sql, team }: Shop) => (await sql`select * from hook where team_id = ${team}`)[0]!;

/** Switches the hooks of a shop off; `switchOn` switches them on. */
const switchOff = ({ sql, team }: Shop) => sql`update hook set disabled_at = now() where team_id = ${team}`;
const switchOn = ({ sql, team }: Shop) =>
  sql`update hook set disabled_at = null, failing_since = null where team_id = ${team}`;

/** Adds deliveries of all orders for the hook while it is off. */
const enqueueOrders = ({ sql, team }: Shop) => sql`
  insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
  select team_id, placed_order.id, hook.id, 'order.changed', placed_order.id, json_build_object('orderId', order_id)
  from placed_order join hook using (team_id) where team_id = ${team}`;

/** Adds a second hook, and waits until it got two more orders, the second in a later round than the first. */
async function letOthersGetOrders(shop: Shop) {
  const other = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: other.url });
  for (const count of [1, 2]) {
    await shop.report();
    await vi.waitFor(() => expect(other.received).toHaveLength(count), waiting);
  }
}

test('delivers an order with every field, once', async ({ shop }) => {
  const receiver = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  const { body } = await shop.report({ orderId: 'a', items: [{ sku: 'x' }], gift: true });
  await vi.waitFor(async () => expect((await rowsOf(shop))[0]!.status).toBe(200), waiting);
  const [row] = await rowsOf(shop);
  const [{ headers, json }] = receiver.received as [(typeof receiver.received)[0]];
  const { data } = (await shop.read(body.data.id)).body;
  expect(json).toEqual({ type: 'order.created', timestamp: row!.created_at.toISOString(), data });
  expect(data).toMatchObject({ orderId: 'a', items: [{ sku: 'x' }], extra: { gift: true }, refunds: [] });
  expect(headers).toMatchObject({
    'webhook-id': encodeId('msg', row!.id),
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Orderbeacon\/\d/),
  });
  expect(row).toMatchObject({ attempts: 1, error: null, next_at: null, delivered_at: expect.any(Date) });
  await shop.report({ orderId: 'later' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), waiting);
  expect(receiver.received.map(({ json }) => json.data.orderId)).toEqual(['a', 'later']);
});

test('tries a failed delivery again after five seconds with the same id and body, and then says when it succeeded', async ({
  shop,
}) => {
  let concurrent: object[] = [];
  const receiver = await startReceiver(async (response, _, number) => {
    if (number === 0) return void response.writeHead(500).end('no\0 space');
    concurrent = [(await rowsOf(shop))[0]!, await hookOf(shop)];
    response.writeHead(204).end();
  });
  await addTestHook(shop.sql, shop.team, { url: receiver.url, events: ['order.created'] });
  await shop.report({ orderId: 'a', amount: 5 });
  await vi.waitFor(async () => expect((await rowsOf(shop))[0]!.status).toBe(500), waiting);
  await shop.reportByKey({ orderId: 'a', amount: 7, name: 'Ann' });
  await shop.refund({ orderId: 'a', refundId: 'r', amount: 7 });
  const [{ attempted_at, next_at }] = (await rowsOf(shop)) as unknown as [Record<string, Date>];
  const delayMs = next_at!.getTime() - attempted_at!.getTime();
  expect([delayMs >= 5_000, delayMs < 7_000]).toEqual([true, true]);
  await shop.sql`update hook_delivery set next_at = now() where team_id = ${shop.team}`;
  await vi.waitFor(async () => expect((await rowsOf(shop))[0]!.status).toBe(204), waiting);
  // The second attempt is counted when it begins.
  expect(concurrent).toMatchObject([
    { attempts: 2, status: 500, error: expect.stringMatching(/500/), delivered_at: null },
    { failing_since: expect.any(Date) },
  ]);
  expect(concurrent[0]).toMatchObject({ answer: expect.stringMatching(/^no. space$/) });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  const [first, second] = receiver.received;
  expect(second!.body).toBe(first!.body);
  expect(second!.json.data).toMatchObject({ amount: 5, name: null, paymentStatus: 'PAID', refunds: [] });
  expect((await rowsOf(shop))[0]).toMatchObject({ attempts: 2, error: null, next_at: null });
  await vi.waitFor(async () => expect((await hookOf(shop)).failing_since).toBeNull(), waiting);
});

test('waits as long as Retry-After says, and leaves the hook alone meanwhile', async ({ shop }) => {
  const receiver = await startReceiver((response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end();
  });
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await shop.report();
  await vi.waitFor(async () => expect((await rowsOf(shop))[0]!.status).toBe(429), waiting);
  const [row] = await rowsOf(shop);
  expect(row!.next_at - row!.attempted_at).toBeGreaterThanOrEqual(3_600_000);
  expect(row!.next_at - row!.attempted_at).toBeLessThan(3_700_000);
  await letOthersGetOrders(shop);
  expect(receiver.received).toHaveLength(1);
});

/** Computes a time from the id of an order, such as `71 hours`. */
const hoursAgo = (orderId: string) => new Date(Date.now() - Number.parseInt(orderId, 10) * hourMs);

test('has the last attempt of a delivery three days after the first, and none later', async ({ shop }) => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await switchOff(shop);
  for (const orderId of ['71 hours', '72 hours']) await shop.report({ orderId });
  await enqueueOrders(shop);
  for (const { id, orderId } of await shop.stored())
    await shop.sql`
      update hook_delivery set attempts = 8, begun_at = ${hoursAgo(orderId)}
      where team_id = ${shop.team} and subject_id = ${id}`;
  await switchOn(shop);
  await vi.waitFor(async () => {
    const rows = await shop.sql`
      select order_id as "orderId", (extract(epoch from next_at - begun_at) / 3600)::float8 as hours
      from hook_delivery d join placed_order o on o.team_id = d.team_id and o.id = subject_id
      where d.team_id = ${shop.team} and status = 500 order by order_id`;
    expect(rows).toEqual([
      { orderId: '71 hours', hours: expect.closeTo(72, 2) },
      { orderId: '72 hours', hours: null },
    ]);
  }, waiting);
  expect(receiver.received).toHaveLength(2);
});

test('switches a hook off that answers 410, and sends it nothing more', async ({ shop }) => {
  const receiver = await startReceiver((response) => void response.writeHead(410).end());
  const hook = await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await shop.report();
  await vi.waitFor(
    async () =>
      expect(await hookOf(shop)).toMatchObject({
        disabled_at: expect.any(Date),
        disabled_reason: expect.stringMatching(/410/),
      }),
    waiting,
  );
  await letOthersGetOrders(shop);
  const rows = (await rowsOf(shop)).filter(({ hook_id }) => hook_id === hook);
  expect(rows).toMatchObject([{ attempts: 1, next_at: null }]);
  expect(receiver.received).toHaveLength(1);
});

test('switches a hook off that has failed for five days, and keeps what is pending', async ({ shop }) => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await shop.sql`
    update hook set failing_since = now() - interval '121 hours', failed_at = now() - interval '30 hours'
    where team_id = ${shop.team}`;
  await shop.report();
  await vi.waitFor(async () => expect((await hookOf(shop)).disabled_reason).toMatch(/five days/), waiting);
  expect(await rowsOf(shop)).toMatchObject([{ attempts: 1, next_at: expect.any(Date) }]);
});

test('sends what is pending of the last three days to a hook that is on again', async ({ shop }) => {
  const receiver = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await switchOff(shop);
  for (const orderId of ['71 hours', '73 hours']) await shop.report({ orderId });
  await enqueueOrders(shop);
  for (const { id, orderId } of await shop.stored())
    await shop.sql`
      update hook_delivery set next_at = ${hoursAgo(orderId)}
      where team_id = ${shop.team} and subject_id = ${id}`;
  await switchOn(shop);
  await letOthersGetOrders(shop);
  const sent = () => receiver.received.map(({ json }) => json.data.orderId);
  await vi.waitFor(() => expect(sent()).toContain('71 hours'), waiting);
  expect(sent()).not.toContain('73 hours');
});

test('does not switch a hook off for a failure after days without an attempt', async ({ shop }) => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await shop.sql`
    update hook set failing_since = now() - interval '20 days', failed_at = now() - interval '17 days'
    where team_id = ${shop.team}`;
  await shop.report();
  await vi.waitFor(async () => {
    const { disabled_at, failing_since } = await hookOf(shop);
    expect([disabled_at, failing_since > new Date(Date.now() - 3_600_000)]).toEqual([null, true]);
  }, waiting);
});

test('sends nothing of an order whose buyer was erased, or that was discarded, and says so', async ({
  shop,
}) => {
  const receiver = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await switchOff(shop);
  for (const orderId of ['erased', 'discarded'])
    await shop.report({ orderId, email: `${orderId}@mail.example` });
  await enqueueOrders(shop);
  const ids = new Map((await shop.stored()).map(({ id, orderId }) => [orderId, id]));
  await shop.command('person', 'erase', '--email', 'erased@mail.example');
  await shop.discard(encodeId('ord', ids.get('discarded')));
  await switchOn(shop);
  const notSent = { next_at: null, delivered_at: null, error: expect.stringMatching(/^Not sent/) };
  await vi.waitFor(async () => expect(await rowsOf(shop)).toMatchObject([notSent, notSent]), waiting);
  expect(receiver.received).toEqual([]);
  expect((await hookOf(shop)).failing_since).toBeNull();
});

test('attempts each of 100 deliveries once, although two servers and a slow receiver share them', {
  tags: ['all'],
}, async ({ beside: _, shop }) => {
  let inFlight = 0;
  let most = 0;
  const receiver = await startReceiver((response) => {
    most = Math.max(most, ++inFlight);
    setTimeout(() => {
      inFlight--;
      response.end();
    }, 20);
  });
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await Promise.all(Array.from({ length: 100 }, () => shop.report()));
  await vi.waitFor(async () => {
    const pending = (await rowsOf(shop)).filter(({ delivered_at }) => delivered_at === null);
    expect(pending).toEqual([]);
  }, waiting);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  expect(receiver.received).toHaveLength(100);
  expect(most).toBeLessThanOrEqual(10);
});

test('stops while a receiver hangs, and leaves what was cut and claimed due immediately', async () => {
  liftAnswerLimit();
  const receiver = await startReceiver(() => {});
  const server = await startServerForTest();
  const shop = await openShop(server);
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  await Promise.all(Array.from({ length: 20 }, () => shop.report()));
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);
  await server.stop();
  // A stop waits a second until the rows are written. A busy machine may take longer.
  await vi.waitFor(async () => {
    const rows = await shop.sql`
      select distinct attempts, delivered_at, next_at <= now() as "isDue" from hook_delivery`;
    expect(rows).toEqual([{ attempts: 0, delivered_at: null, isDue: true }]);
  }, waiting);
  expect(await rowsOf(shop)).toHaveLength(20);
});
