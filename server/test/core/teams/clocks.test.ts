import { afterEach, expect, it, vi } from 'vitest';
import { startClock } from '../../../src/database/clock.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { expireRefused } from '../../../src/features/refused/cleanRefused.js';
import { replay } from '../../features/refused/kit/refused.js';
import { addTestHook } from '../../features/webhooks/kit/hooks.js';
import { tilesOf } from '../../kit/html.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';

const dayMs = 86_400_000;

afterEach(() => void vi.useRealTimers());

/** Sets the clock of this process, in which the server runs. The database has another clock. */
function setClock(aheadMs: number) {
  vi.useRealTimers();
  if (aheadMs !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
}

/** Opens a shop on a server that starts now, with its wrong clock. */
async function start() {
  const shop = await openShop(await startServerForTest());
  const { get } = await shop.console();
  /** Reads the number of orders on the overview. */
  const counted = async (range: string) => {
    const { text } = await get(`/console?range=${range}`);
    return Number(tilesOf(text).Orders?.[0] ?? 0);
  };
  return { ...shop, get, counted };
}

it.each([-30, 1])(
  'a server whose clock is wrong by %i days at the start gives its orders the right time, and counts them',
  async (days) => {
    const beforeMs = Date.now();
    setClock(days * dayMs);
    const { report, stored, get, counted } = await start();
    const { createdAt } = (await report()).body.data;
    expect(await counted('7d')).toBe(1);
    setClock(0);
    // A server's clock may be a little behind its database's.
    expect(Date.parse(createdAt)).toBeGreaterThan(beforeMs - 60_000);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    await report();
    for (const range of ['7d', '30d']) expect([range, await counted(range)]).toEqual([range, 2]);
    expect((await get('/console/orders')).text.match(/<tr id="ord_/g)).toHaveLength(2);
    // A UUIDv7 begins with its millisecond.
    const msOf = (uuid: string) => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
    for (const { id, createdAt } of await stored())
      expect(Math.abs(msOf(id) - createdAt.getTime())).toBeLessThan(60_000);
  },
);

it('a clock that jumps by a day while somebody looks at the console hides no order of then or later', {
  tags: ['all'],
}, async () => {
  const { report, counted } = await start();
  for (const [at, days] of [0, -1, 0, 1, 0].entries()) {
    setClock(days * dayMs);
    await report();
    expect([days, await counted('7d')]).toEqual([days, at + 1]);
  }
  expect(await counted('30d')).toBe(5);
});

it.each([-400, 30])(
  'a server whose clock is wrong by %i days at the start removes and hides no refused report',
  { tags: ['all'] },
  async (days) => {
    setClock(0);
    const { sql, team, report, refused, get } = await start();
    await report({ orderId: 'kept', amount: 'much' });
    setClock(days * dayMs);
    await expireRefused(sql);
    await report({ orderId: 'meanwhile', amount: 'much' });
    expect((await refused()).map(({ orderId }) => orderId)).toEqual(['kept', 'meanwhile']);
    expect((await get('/console/refused')).text).toContain('2 orders');
    setClock(0);
    expect(await refused()).toHaveLength(2);
    expect(
      await sql`
      select from refused_report
      where team_id = ${team} and abs(extract(epoch from now() - received_at)) > 60`,
    ).toEqual([]);
  },
);

it('a command on a machine whose clock is a day off counts --since back from the time of the database', {
  tags: ['all'],
}, async () => {
  const { sql, team, report, command } = await start();
  await addTestHook(sql, team);
  await report();
  for (const days of [-1, 1]) {
    setClock(days * dayMs);
    for (const args of [
      ['order', 'list', '--until', '0m'],
      ['order', 'export', '--format', 'csv', '--until', '0m'],
    ]) {
      const { stdout } = await command(...args, '--since', '1h');
      expect([days, args, stdout]).toEqual([days, args, expect.stringMatching(/ORD-/)]);
    }
  }
});

it('the time that a busy database tells late at the start is told again', async () => {
  let nowMs = 1_000;
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
  const clock = await startClock(sql as unknown as Sql, () => nowMs);
  clock.stop();
  expect(clock.nowMs()).toBe(5_801);
});

it('a refused report that is stored under a wrong clock is counted when the clock is right again', {
  tags: ['all'],
}, async () => {
  const { sql, team, report, counted } = await start();
  await report();
  await report({ currency: 7 });
  expect(await counted('7d')).toBe(1);
  await sql`update refused_report set body = replace(body, ':7', ':"USD"') where team_id = ${team}`;
  setClock(-2 * dayMs);
  expect(await replay(sql, team)).toHaveLength(1);
  setClock(0);
  expect(await counted('7d')).toBe(2);
});

it('expiry removes a day of the oldest reports at a time, so that a database’s clock that is ahead costs no more', {
  tags: ['all'],
}, async () => {
  const { sql, team, report, refused } = await start();
  // Every report has expired, as if the clock were 33 days ahead. The three oldest are of one day, and all are of two days.
  for (let n = 0; n < 5; n++) {
    await report({ orderId: `o-${n}`, amount: 'much' });
    const receivedAt = new Date(Date.now() - 33 * dayMs + n * 10 * 3_600_000);
    await sql`
      update refused_report set received_at = ${receivedAt} where team_id = ${team} and order_id = ${`o-${n}`}`;
  }
  const left = async () => (await sql`select from refused_report where team_id = ${team}`).length;
  await expireRefused(sql);
  expect(await left()).toBe(2);
  await expireRefused(sql);
  expect(await left()).toBe(0);
  expect(await refused()).toEqual([]);
});
