import { describe, expect, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { expireRefused } from '../src/refused/expireRefused.js';
import { type RefusedBounds, refusedBounds } from '../src/refused/refusedBounds.js';
import { isMeant, isWaiting } from '../src/refused/sql/conditions.js';
import { countWaiting, groupRefused } from '../src/refused/sql/listRefused.js';
import { countRefusals } from '../src/refused/sql/refusalCount.js';
import { replay } from './refused.js';
import { startServerForTest, type TestServer } from './server.js';
import { openShop, type Shop, test } from './shop.js';

const from = (host: string) => ({ origin: `https://${host}` });
const dayMs = 24 * 60 * 60_000;

/** The refusals of a shop since yesterday, by reason. */
const countsOf = ({ sql, team }: Shop) =>
  countRefusals(sql, team, { from: new Date(Date.now() - dayMs), to: new Date(Date.now() + dayMs) });

/** Counts of refused reports, by the metric's label `outcome`. */
async function countOutcomes(server: TestServer) {
  const { text } = await server.send('GET', '/metrics');
  const found = [...text.matchAll(/^orderbeacon_refused_reports_total\{outcome="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, outcome, count]) => [outcome, Number(count)]));
}

describe('on a server with bounds of its own', () => {
  const open = async (refused: Partial<RefusedBounds>) => openShop(await startServerForTest({ refused }));

  it('past the bounds of a host and of a team reports are counted and not kept, and other hosts and teams are', async () => {
    const shop = await open({ places: { ...refusedBounds.places, unknown: 5 }, placesOfSender: 3 });
    const other = await openShop(shop.server);
    for (const host of ['a', 'b'])
      for (let n = 0; n < 6; n++)
        await shop.report({ orderId: `${host}-${n}`, amount: 1 }, from(`${host}.example`));
    await other.report({}, from('a.example'));
    const kept = (await shop.refused()).map(({ orderId }) => orderId);
    expect(kept).toEqual(['a-0', 'a-1', 'a-2', 'b-0', 'b-1']);
    expect(await other.refused()).toHaveLength(1);
    const none = { repeated: 0, dropped: 0, evicted: 0 };
    expect(await countOutcomes(shop.server)).toEqual({ ...none, kept: 6, counted: 7 });
    await expect.poll(() => countsOf(shop)).toEqual([{ reason: 'domain_not_allowed', reports: 12 }]);
    expect(await countWaiting(shop.sql, shop.team)).toBe(5);
    expect(await groupRefused(shop.sql, shop.team)).toMatchObject([
      { host: 'b.example', reports: 2, sums: [{ currency: 'USD', amount: '2' }] },
      { host: 'a.example', reports: 3, sums: [{ currency: 'USD', amount: '3' }] },
    ]);
  });

  it('a team that made room is kept again', async () => {
    const shop = await open({ placesOfSender: 1, rememberFullMs: 0 });
    const send = (n: number) => shop.report({ orderId: `o-${n}`, amount: 'x' });
    for (const n of [0, 1]) await send(n);
    await replay(shop.sql, shop.team, {}, { changes: { amount: 1 } });
    await send(2);
    expect(await shop.refused()).toMatchObject([{ orderId: 'o-2' }]);
  });

  it('a report that finds no room is counted and answered, and good orders are stored', async () => {
    const shop = await open({ reportsWaiting: 0 });
    const bad = [0, 1, 2].map(() => shop.report({ amount: 'x' }));
    const answers = await Promise.all([...bad, shop.report()]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
    expect(await shop.refused()).toEqual([]);
    expect(await countOutcomes(shop.server)).toMatchObject({ kept: 0, counted: 0, dropped: 3 });
    await expect.poll(() => countsOf(shop)).toEqual([{ reason: 'invalid_request', reports: 3 }]);
  });

  it('what cannot be kept in time is answered with 503, and is kept when it comes again', async () => {
    const shop = await open({ waitAtMostMs: 200 });
    const bad = { orderId: 'o-1', amount: 'x' };
    await inTransaction(shop.sql, async (tx) => {
      await tx`lock table refused_report in exclusive mode`;
      for (const body of [bad, { ...bad, items: ['x'.repeat(70_000)] }]) {
        const answer = await shop.report(body);
        expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
        expect(answer.headers.get('retry-after')).toBe('2');
      }
    });
    expect((await shop.report(bad)).status).toBe(400);
    expect(await shop.refused()).toHaveLength(1);
    expect(await countsOf(shop)).toEqual([{ reason: 'invalid_request', reports: 1 }]);
  });
});

test('the same report refused again is one entry with a count, its last reason, and its first date', async ({
  shop,
}) => {
  const report = { teamId: shop.teamId, email: 'ann@mail.example', amount: 1, orderId: 'o-1' };
  const all = await Promise.all(Array.from({ length: 40 }, () => shop.report(report, from('a.example'))));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([403]));
  const [first, ...others] = await shop.refused();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ times: 40, reason: 'domain_not_allowed' });
  // A shop's retry whose source is broken by now is the same order of the same money.
  await shop.report({ ...report, source: 7 }, from('a.example'));
  const [last, ...more] = await shop.refused();
  expect(more).toEqual([]);
  expect(last).toMatchObject({ id: first!.id, times: 41, reason: 'invalid_request', field: 'source' });
  expect(last!.receivedAt).toEqual(first!.receivedAt);
  expect(last!.lastAt.getTime()).toBeGreaterThanOrEqual(first!.lastAt.getTime());
  expect(last!.body).toBe(JSON.stringify(report));
});

test('a whole body takes the place of a cut one of the same report', async ({ shop }) => {
  const report = { teamId: shop.teamId, email: 'ann@mail.example', amount: 1, orderId: 'o-1' };
  await shop.report({ ...report, items: ['x'.repeat(70_000)] }, from('a.example'));
  expect(await shop.refused()).toMatchObject([{ isCut: true, reason: 'payload_too_large' }]);
  await shop.report(report, from('a.example'));
  expect(await shop.refused()).toMatchObject([
    { isCut: false, reason: 'domain_not_allowed', body: JSON.stringify(report), times: 2 },
  ]);
});

test('a stranger who sends another buyer, amount or currency under the same orderId hides nothing', async ({
  shop,
}) => {
  const { teamId } = shop;
  const report = { teamId, email: 'ann@mail.example', amount: 49.9, orderId: 'o-1', currency: 'EUR' };
  const bogus = [
    { ...report, email: 'eve@stranger.example' },
    { ...report, amount: 0 },
    { ...report, amount: '49.9' },
    { ...report, currency: 'USD' },
    { teamId, orderId: 'o-1' },
    { ...report, orderId: { toString: 'o-1' } },
  ];
  for (const each of [...bogus, report]) await shop.report(JSON.stringify(each), from('a.example'));
  // Nor from another host.
  await shop.report(report, from('b.example'));
  const kept = await shop.refused();
  expect(kept.map(({ times }) => times)).toEqual(Array(8).fill(1));
  const own = kept.filter(({ body }) => body === JSON.stringify(report));
  expect(own.map(({ host }) => host)).toEqual(['a.example', 'b.example']);
});

test('a report that is 30 days old is neither listed nor replayed, and is removed; counts after 90 days', async ({
  shop,
}) => {
  const { sql, team } = shop;
  for (let n = 0; n < 3; n++) await shop.report({ orderId: `o-${n}` }, from('a.example'));
  await expect.poll(() => countsOf(shop)).toMatchObject([{ reports: 3 }]);
  const thirtyDaysAgo = new Date(Date.now() - 30 * dayMs);
  await sql`
    update refused_report set received_at = ${thirtyDaysAgo} where team_id = ${team} and order_id <> 'o-2'`;
  await sql`
    insert into refused_count select team_id, day - interval '91 days', reason, host, field, 5, last_at
    from refused_count where team_id = ${team}`;
  expect(await shop.refused()).toMatchObject([{ orderId: 'o-2' }]);
  expect(await replay(sql, team)).toHaveLength(1);
  await expireRefused(sql);
  expect(await sql`select order_id from refused_report where team_id = ${team}`).toEqual([
    { order_id: 'o-2' },
  ]);
  const counts = await sql`select reports::int as reports from refused_count where team_id = ${team}`;
  expect(counts).toEqual([{ reports: 3 }]);
});

it('to see what waits, each kept report looks for its own order and reads no others', async () => {
  const shop = await openShop(await startServerForTest());
  const { sql, team } = shop;
  await shop.report({ orderId: 'first' });
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, is_test,
      reported_by, created_at)
    select team_id, gen_random_uuid(), 'ORD-' || n, person_id, 'o-' || n, 1, 'USD', 'OTHER', false, 'key', now()
    from placed_order, generate_series(1, 5000) n`;
  for (let n = 0; n < 20; n++) await shop.report({ orderId: `o-${n}` }, from('a.example'));
  await sql`analyze`;
  const plan = await sql`
    explain select id from refused_report where ${isMeant(sql, team, {})} and ${isWaiting(sql, team)}`;
  expect(JSON.stringify(plan)).toMatch(/Index Scan using placed_order_order_id/);
  expect(JSON.stringify(plan)).not.toMatch(/Seq Scan on placed_order/);
});
