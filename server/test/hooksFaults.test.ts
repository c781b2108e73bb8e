import { expect, it, onTestFinished, vi } from 'vitest';
import { statementBounds } from '../src/database/statementBounds.js';
import { startDatabaseProxy } from './databaseProxy.js';
import { addTestHook } from './hooks.js';
import { startReceiver } from './receiver.js';
import { startServerForTest } from './server.js';

const waiting = { timeout: 60_000, interval: 50 };

/** Lines of the log about faults of work in the background. */
const faultsOf = (server: { lines: string[] }) =>
  server.lines.map((line) => JSON.parse(line)).filter(({ work }) => work !== undefined);

it('while deliveries are locked an order waits no longer than for any lock, and later all are told', async () => {
  const receiver = await startReceiver();
  const server = await startServerForTest({ bounds: statementBounds });
  const team = await server.addTeam('shop.example');
  await addTestHook(server.sql, team.uuid, { url: receiver.url });
  const order = { teamId: team.teamId, email: 'ann@mail.example', amount: 5 };
  const before = await server.report({ ...order, orderId: 'before' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), waiting);

  const during = await server.sql.begin(async (tx) => {
    await tx`lock table hook_delivery in access exclusive mode`;
    const refused = await server.report({ ...order, orderId: 'a' });
    await vi.waitFor(() => expect(faultsOf(server)).not.toEqual([]), waiting);
    return refused;
  });
  expect([during.status, during.body.error.code]).toEqual([503, 'unavailable']);
  expect(faultsOf(server)).toEqual([
    expect.objectContaining({ level: 50, work: 'hook_deliveries', fault: '55P03' }),
  ]);
  const { text } = await server.send('GET', '/metrics');
  expect(text).toMatch(/orderbeacon_background_faults_total\{work="hook_deliveries"\} [1-9]/);

  const after = await server.report({ ...order, orderId: 'a' });
  expect(after.status).toBe(200);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), waiting);
  expect(receiver.received.map(({ json }) => json.data.id)).toEqual([
    before.body.data.id,
    after.body.data.id,
  ]);
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
  const team = await server.addTeam('shop.example');
  const hook = await addTestHook(server.sql, team.uuid, { url: receiver.url });
  await server.sql`update hook set disabled_at = now(), disabled_reason = 'a test'`;
  const order = { teamId: team.teamId, email: 'ann@mail.example', amount: 5 };
  const add = (count: number) =>
    Promise.all(
      Array.from(
        { length: count },
        () => server.sql`
      insert into hook_delivery (team_id, id, hook_id, type, data)
      values (${team.uuid}, gen_random_uuid(), ${hook}, 'hook.test', '{"message":"x"}')`,
      ),
    );
  expect((await server.report({ ...order, orderId: 'before' })).status).toBe(200);
  await add(30);
  proxy!.set({ kind: 'refuse' });
  proxy!.reset();
  await server.sql`update hook set disabled_at = null, disabled_reason = null`;
  await vi.waitFor(() => expect(faultsOf(server).length).toBeGreaterThan(0), waiting);
  expect(receiver.received).toEqual([]);
  proxy!.set({ kind: 'none' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(30), waiting);
  await vi.waitFor(async () => {
    const left = await server.sql`select from hook_delivery where delivered_at is null`;
    expect(left).toHaveLength(0);
  }, waiting);
  const kinds = faultsOf(server).map(({ work, fault }) => `${work} ${fault}`);
  expect(new Set(kinds).size).toBe(kinds.length);
  await vi.waitFor(
    async () => expect((await server.report({ ...order, orderId: 'after' })).status).toBe(200),
    waiting,
  );
  await vi.waitFor(() => expect(receiver.received).toHaveLength(31), waiting);
});
