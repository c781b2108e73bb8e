// @module-tag all
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { statementBounds } from '../../../src/database/connection/connect.js';
import { startDatabaseProxy } from '../../kit/databaseProxy.js';
import { startReceiver } from '../../kit/receiver.js';
import { startServerForTest, type TestServer } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';
import { addTestHook } from './kit/hooks.js';

const waiting = { timeout: 60_000, interval: 50 };

/** Reads the log lines about faults of background work. */
const faultsOf = (server: TestServer) =>
  server.lines.map((line) => JSON.parse(line)).filter(({ work }) => work !== undefined);

it('while one team’s deliveries are locked, and other jobs hang in the database, another team gets its own', async () => {
  const server = await startServerForTest({ bounds: { ...statementBounds, lockMs: 500 } });
  const [locked, other] = [await openShop(server), await openShop(server)];
  let answer = () => {};
  const hanging = await startReceiver((response) => {
    answer = () => response.end();
  });
  const receiver = await startReceiver();
  await addTestHook(server.sql, locked.team, { url: hanging.url });
  await addTestHook(server.sql, other.team, { url: receiver.url });
  await locked.report();
  await vi.waitFor(() => expect(hanging.received).toHaveLength(1), waiting);
  const { background } = server.pools;
  for (let n = 0; n < 3; n++) void background`select pg_sleep(600)`.catch(() => {});
  await server.sql.begin(async (tx) => {
    await tx`select from hook_delivery where team_id = ${locked.team} for update`;
    answer();
    // The limit on waits for a lock does not reach the workers of a cluster.
    const fault = inject('isCitus') ? '57014' : '55P03';
    await vi.waitFor(() => expect(faultsOf(server)).toMatchObject([{ fault }]), waiting);
    await other.report();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);
  });
  await vi.waitFor(
    async () => expect(await server.sql`select from hook_delivery where delivered_at is null`).toEqual([]),
    waiting,
  );
  expect(hanging.received).toHaveLength(1);
});

it('deliveries go on when the database comes back, each fault has one line a minute, and nothing is lost', async () => {
  const receiver = await startReceiver();
  let proxy: Awaited<ReturnType<typeof startDatabaseProxy>> | undefined;
  const server = await startServerForTest({
    wayTo: async (url) => {
      proxy = await startDatabaseProxy(url);
      return proxy.url;
    },
  });
  onTestFinished(() => proxy!.close());
  const { sql, team, report } = await openShop(server);
  const hook = await addTestHook(sql, team, { url: receiver.url });
  await sql`update hook set disabled_at = now()`;
  await sql`
    insert into hook_delivery (team_id, id, hook_id, type, data)
    select ${team}, gen_random_uuid(), ${hook}, 'hook.test', '{"message":"x"}' from generate_series(1, 30)`;
  proxy!.set({ kind: 'refuse' });
  proxy!.reset();
  await sql`update hook set disabled_at = null`;
  await vi.waitFor(() => expect(faultsOf(server)).not.toEqual([]), waiting);
  expect(receiver.received).toEqual([]);
  proxy!.set({ kind: 'none' });
  const left = () => sql`select from hook_delivery where delivered_at is null`;
  await vi.waitFor(async () => expect(await left()).toHaveLength(0), waiting);
  expect(receiver.received).toHaveLength(30);
  const kinds = faultsOf(server).map(({ work, fault }) => `${work} ${fault}`);
  expect(new Set(kinds).size).toBe(kinds.length);
  await vi.waitFor(async () => expect((await report({ orderId: 'after' })).status).toBe(200), waiting);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(31), waiting);
});
