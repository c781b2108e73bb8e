import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { startClock } from '../src/database/clock.js';
import type { Sql } from '../src/database/connection/connect.js';
import { expireRefused } from '../src/refused/expireRefused.js';
import { msOfUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { addTestHook } from './hooks.js';
import { replay, waitingOf } from './refused.js';
import { startServerForTest } from './server.js';

const dayMs = 86_400_000;

afterEach(() => void vi.useRealTimers());

/** Sets the clock of this process, which the server runs in. The database has its own. */
function setClock(aheadMs: number) {
  vi.useRealTimers();
  if (aheadMs !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
}

async function start() {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { get } = await signIn(server, teamId);
  const report = async (orderId: string, more = {}) =>
    (await server.report({ teamId, email: 'ann@buyer.example', amount: 1, orderId, ...more })).body.data;
  /** Number of orders on the overview. */
  const counted = async (range: string) => {
    const { text } = await get(`/console?range=${range}`);
    return Number(/<dt>Orders<\/dt><dd>(\d+)<\/dd>/.exec(text)?.[1] ?? 0);
  };
  return { server, uuid, teamId, report, get, counted };
}

it.each([-30, -1, 1, 30])(
  'a server whose clock is wrong by %i days at the start gives its orders the right time, and counts them',
  async (days) => {
    const beforeMs = Date.now();
    setClock(days * dayMs);
    const { server, report, get, counted } = await start();
    const { createdAt } = await report('wrong');
    expect(await counted('24h')).toBe(1);
    setClock(0);
    // A server's clock may be a little behind its database's.
    expect(Date.parse(createdAt)).toBeGreaterThan(beforeMs - 60_000);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    await report('right');
    for (const range of ['24h', '7d', '30d']) expect([range, await counted(range)]).toEqual([range, 2]);
    expect((await get('/console/orders')).text.match(/<tr id="ord_/g)).toHaveLength(2);
    const orders = await server.sql<
      { id: string; at: Date }[]
    >`select id, created_at as at from placed_order`;
    for (const { id, at } of orders) expect(Math.abs(msOfUuid(id) - at.getTime())).toBeLessThan(60_000);
  },
);

it.each([-1, 1])(
  'a clock that jumps by %i days while somebody looks at the console hides no order of then or later',
  async (days) => {
    const { report, counted } = await start();
    await report('before');
    expect(await counted('24h')).toBe(1);
    setClock(days * dayMs);
    await report('meanwhile');
    expect(await counted('24h')).toBe(2);
    setClock(0);
    await report('after');
    for (const range of ['24h', '7d']) expect([range, await counted(range)]).toEqual([range, 3]);
  },
);

it.each([-400, 30, 400])(
  'a server whose clock is wrong by %i days at the start removes and hides no refused report',
  async (days) => {
    setClock(0);
    const before = await start();
    await before.report('kept', { amount: 'much' });
    setClock(days * dayMs);
    const { server, uuid } = before;
    await expireRefused(server.sql);
    await before.report('meanwhile', { amount: 'much' });
    expect((await waitingOf(server.sql, uuid)).map(({ orderId }) => orderId)).toEqual(['meanwhile', 'kept']);
    expect((await before.get('/console/refused')).text).toContain('2 orders');
    setClock(0);
    expect(await waitingOf(server.sql, uuid)).toHaveLength(2);
    const [row] = await server.sql`
      select count(*)::int as late from refused_report where abs(extract(epoch from now() - received_at)) > 60`;
    expect(row).toEqual({ late: 0 });
  },
);

it.each([-1, 1])(
  'a command on a machine whose clock is wrong by %i days counts --since back from the time of the database',
  async (days) => {
    const { server, uuid, teamId, report } = await start();
    await addTestHook(server.sql, uuid);
    await report('now');
    setClock(days * dayMs);
    for (const args of [
      ['order', 'list', '--until', '0m'],
      ['order', 'export', '--format', 'csv', '--until', '0m'],
      ['hook', 'deliveries'],
    ]) {
      const { stdout } = await runOrderbeacon([...args, '--team', teamId, '--since', '1h'], server.env);
      expect([args, stdout]).toEqual([args, expect.stringMatching(/ORD-|order\.created/)]);
    }
  },
);

it('the time that a busy database tells late at the start is told again', async () => {
  let nowMs = 1_000;
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => monotonic.mockRestore());
  const answers = [
    { ms: 5_000, tookMs: 300 },
    { ms: 5_301, tookMs: 2 },
    { ms: 5_303, tookMs: 500 },
  ];
  const sql = async () => {
    const { ms, tookMs } = answers.shift()!;
    nowMs += tookMs;
    return [{ ms }];
  };
  const clock = await startClock(sql as unknown as Sql);
  clock.stop();
  expect(clock.nowMs()).toBe(5_801);
});

it('a refused report that is stored under a wrong clock is counted when the clock is right again', async () => {
  const { server, uuid, report, counted } = await start();
  await report('first');
  await report('later', { currency: 7 });
  expect(await counted('24h')).toBe(1);
  await server.sql`update refused_report set body = replace(body, ':7', ':"USD"')`;
  setClock(-2 * dayMs);
  expect(await replay(server.sql, uuid)).toHaveLength(1);
  setClock(0);
  expect(await counted('24h')).toBe(2);
});

it('expiry removes a day of the oldest reports at a time, so that a database’s clock that is ahead costs no more', async () => {
  const { server, uuid, report } = await start();
  // As if the clock were 33 days ahead: every report has expired. The oldest are of two days apart and of one day.
  for (let n = 0; n < 5; n++) {
    await report(`o-${n}`, { amount: 'much' });
    const receivedAt = new Date(Date.now() - 33 * 86_400_000 + n * 10 * 3_600_000);
    await server.sql`update refused_report set received_at = ${receivedAt} where order_id = ${`o-${n}`}`;
  }
  const left = async () => (await server.sql`select from refused_report`).length;
  await expireRefused(server.sql);
  expect(await left()).toBe(2);
  await expireRefused(server.sql);
  expect(await left()).toBe(0);
  expect(await waitingOf(server.sql, uuid)).toEqual([]);
});
