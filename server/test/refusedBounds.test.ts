import { expect, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { expireRefused } from '../src/refused/expireRefused.js';
import { refusedBounds } from '../src/refused/refusedBounds.js';
import { isMeant, isWaiting } from '../src/refused/sql/conditions.js';
import { countWaiting, groupRefused } from '../src/refused/sql/listRefused.js';
import { countRefusals } from '../src/refused/sql/refusalCount.js';
import { replay, waitingOf } from './refused.js';
import { startServerForTest } from './server.js';

const start = (refused: object) => startServerForTest({ refused });
const from = (host: string) => ({ origin: `https://${host}` });
const dayMs = 24 * 60 * 60_000;
const span = () => ({ from: new Date(Date.now() - dayMs), to: new Date(Date.now() + dayMs) });

/** Counts of refused reports, by the metric's label `outcome`. */
async function countOutcomes(server: Awaited<ReturnType<typeof start>>) {
  const { text } = await server.send('GET', '/metrics');
  const found = [...text.matchAll(/^orderbeacon_refused_reports_total\{outcome="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, outcome, count]) => [outcome, Number(count)]));
}

it('past the bounds of a host and of a team reports are counted and not kept, and other hosts and teams are', async () => {
  const server = await start({ places: { ...refusedBounds.places, unknown: 5 }, placesOfSender: 3 });
  const flooded = await server.addTeam();
  const other = await server.addTeam();
  const send = (teamId: string, host: string, n: number) =>
    server.report({ teamId, email: 'ann@mail.example', amount: 1, orderId: `o-${n}` }, from(host));
  for (let n = 0; n < 6; n++) await send(flooded.teamId, 'a.example', n);
  for (let n = 0; n < 6; n++) await send(flooded.teamId, 'b.example', n);
  await send(other.teamId, 'a.example', 0);

  const kept = await waitingOf(server.sql, flooded.uuid);
  expect(kept.map(({ host, orderId }) => `${host} ${orderId}`).reverse()).toEqual([
    'a.example o-0',
    'a.example o-1',
    'a.example o-2',
    'b.example o-0',
    'b.example o-1',
  ]);
  expect(await waitingOf(server.sql, other.uuid)).toHaveLength(1);
  expect(await countOutcomes(server)).toEqual({ kept: 6, repeated: 0, counted: 7, dropped: 0, evicted: 0 });
  await expect
    .poll(() => countRefusals(server.sql, flooded.uuid, span()))
    .toEqual([{ reason: 'domain_not_allowed', reports: 12 }]);
  expect(await countWaiting(server.sql, flooded.uuid)).toBe(5);
  expect(await groupRefused(server.sql, flooded.uuid)).toMatchObject([
    { host: 'b.example', reports: 2, sums: [{ currency: 'USD', amount: '2' }] },
    { host: 'a.example', reports: 3, sums: [{ currency: 'USD', amount: '3' }] },
  ]);
});

it('a team that made room is kept again', async () => {
  const server = await start({ placesOfSender: 1, rememberFullMs: 0 });
  const { uuid, teamId } = await server.addTeam('shop.example');
  const send = (n: number) => server.report({ teamId, email: 'ann@mail.example', orderId: `o-${n}` });
  await send(0);
  await send(1);
  await replay(server.sql, uuid, {}, { changes: { amount: 1 } });
  await send(2);
  expect(await waitingOf(server.sql, uuid)).toMatchObject([{ orderId: 'o-2' }]);
});

it('the same report refused again is one entry with a count, its last reason, and its first date', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam();
  const report = { teamId, email: 'ann@mail.example', amount: 1, orderId: 'o-1' };
  const all = await Promise.all(Array.from({ length: 40 }, () => server.report(report, from('a.example'))));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([403]));
  const [first, ...others] = await waitingOf(server.sql, uuid);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ times: 40, reason: 'domain_not_allowed' });
  // A shop's retry whose source is broken by now is the same order of the same money.
  await server.report({ ...report, source: 7 }, from('a.example'));
  const [last] = await waitingOf(server.sql, uuid);
  expect(last).toMatchObject({ id: first!.id, times: 41, reason: 'invalid_request', field: 'source' });
  expect(last!.receivedAt).toEqual(first!.receivedAt);
  expect(last!.lastAt.getTime()).toBeGreaterThanOrEqual(first!.lastAt.getTime());
  expect(last!.body).toBe(JSON.stringify(report));
  expect((await countOutcomes(server)).kept).toBe(1);
});

it('a whole body takes the place of a cut one of the same report', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam();
  const report = { teamId, email: 'ann@mail.example', amount: 1, orderId: 'o-1' };
  await server.report({ ...report, items: ['x'.repeat(70_000)] }, from('a.example'));
  expect(await waitingOf(server.sql, uuid)).toMatchObject([{ isCut: true, reason: 'payload_too_large' }]);
  await server.report(report, from('a.example'));
  expect(await waitingOf(server.sql, uuid)).toMatchObject([
    { isCut: false, reason: 'domain_not_allowed', body: JSON.stringify(report), times: 2 },
  ]);
});

it('a stranger who sends another buyer, amount or currency under the same orderId hides nothing', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam();
  const report = { teamId, email: 'ann@mail.example', amount: 49.9, orderId: 'o-1', currency: 'EUR' };
  const bogus = [
    { ...report, email: 'eve@stranger.example' },
    { ...report, amount: 0 },
    { ...report, amount: '49.9' },
    { ...report, currency: 'USD' },
    { teamId, orderId: 'o-1' },
    { ...report, orderId: { toString: 'o-1' } },
  ];
  for (const each of [...bogus, report]) await server.report(each, from('a.example'));
  // Nor from another host, nor with the key of a test.
  await server.report(report, from('b.example'));
  const kept = await waitingOf(server.sql, uuid);
  expect(kept.map(({ times }) => times)).toEqual(Array(8).fill(1));
  expect(kept.filter(({ body }) => body === JSON.stringify(report)).map(({ host }) => host)).toEqual([
    'b.example',
    'a.example',
  ]);
});

it('a report that is 30 days old is neither listed nor replayed, and is removed; counts after 90 days', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam();
  for (let n = 0; n < 3; n++)
    await server.report(
      { teamId, email: 'ann@mail.example', amount: 1, orderId: `o-${n}` },
      from('a.example'),
    );
  const thirtyDaysAgo = new Date(Date.now() - 30 * 24 * 60 * 60_000);
  await server.sql`update refused_report set received_at = ${thirtyDaysAgo} where order_id <> 'o-2'`;
  await server.sql`
    insert into refused_count select team_id, day - interval '91 days', reason, host, field, 5, last_at
    from refused_count`;
  expect(await waitingOf(server.sql, uuid)).toMatchObject([{ orderId: 'o-2' }]);
  expect(await replay(server.sql, uuid)).toHaveLength(1);
  await expireRefused(server.sql);
  expect(await server.sql`select order_id from refused_report`).toEqual([{ order_id: 'o-2' }]);
  expect(await server.sql`select sum(reports)::int as reports from refused_count`).toEqual([{ reports: 3 }]);
});

it('a report that finds no room is counted and answered, and good orders are stored', async () => {
  const server = await start({ reportsWaiting: 0 });
  const { uuid, teamId } = await server.addTeam('shop.example');
  const order = { teamId, email: 'ann@mail.example', amount: 1 };
  const answers = await Promise.all([
    ...[0, 1, 2].map((n) => server.report({ ...order, amount: 'x', orderId: `o-${n}` })),
    server.report({ ...order, orderId: 'good' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
  expect(await waitingOf(server.sql, uuid)).toEqual([]);
  expect(await countOutcomes(server)).toEqual({ kept: 0, repeated: 0, counted: 0, dropped: 3, evicted: 0 });
  await expect
    .poll(() => countRefusals(server.sql, uuid, span()))
    .toEqual([{ reason: 'invalid_request', reports: 3 }]);
});

it('what cannot be kept in time is answered with 503, and is kept when it comes again', async () => {
  const server = await start({ waitAtMostMs: 200 });
  const { uuid, teamId } = await server.addTeam('shop.example');
  const bad = { teamId, email: 'ann@mail.example', amount: 'x' };
  await inTransaction(server.sql, async (tx) => {
    await tx`lock table refused_report in exclusive mode`;
    const long = { ...bad, items: ['x'.repeat(70_000)] };
    for (const body of [bad, long]) {
      const answer = await server.report(body);
      expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
      expect(answer.headers.get('retry-after')).toBe('2');
    }
  });
  expect((await server.report(bad)).status).toBe(400);
  expect(await waitingOf(server.sql, uuid)).toHaveLength(1);
  expect(await countRefusals(server.sql, uuid, span())).toEqual([{ reason: 'invalid_request', reports: 1 }]);
});

it('a report that a browser has stored by its own retry waits no more, live and test apart', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const testKey = await server.addKey(uuid, 'test');
  const report = { teamId, email: 'ann@mail.example', amount: 1 };
  const a = from('a.example');
  await server.report({ ...report, orderId: 'o-1' }, a);
  await server.report({ ...report, reportId: 'r-1' }, a);
  await server.report({ ...report, orderId: 'o-2' }, a);
  await server.reportByKey(key, { ...report, orderId: 'o-3', amount: '1' });
  // A test of the same orderId, and the same order from another host, are others.
  await server.reportByKey(testKey, { ...report, orderId: 'o-1' });
  await server.reportByKey(testKey, { ...report, orderId: 'o-2' });
  await server.reportByKey(testKey, { ...report, orderId: 'o-3' });
  const waiting = async () => (await waitingOf(server.sql, uuid)).map(({ orderId }) => orderId).sort();
  expect(await waiting()).toEqual([null, 'o-1', 'o-2', 'o-3']);
  await server.sql`insert into domain (team_id, entry, is_test) values (${uuid}, 'a.example', false)`;
  await server.report({ ...report, orderId: 'o-1' }, a);
  await server.report({ ...report, reportId: 'r-1' }, a);
  await server.reportByKey(key, { ...report, orderId: 'o-3' });
  expect(await waiting()).toEqual(['o-2']);
  expect(await countWaiting(server.sql, uuid)).toBe(1);
  expect(await groupRefused(server.sql, uuid)).toMatchObject([{ reports: 1 }]);
  const outcomes = (await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind);
  expect(outcomes).toEqual(['known', 'known', 'new', 'refused']);
});

it('to see what waits, each kept report looks for its own order and reads no others', async () => {
  const server = await start({});
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { sql } = server;
  await server.report({ teamId, email: 'ann@mail.example', amount: 1, orderId: 'first' });
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, is_test,
      reported_by, created_at)
    select team_id, gen_random_uuid(), 'ORD-' || n, person_id, 'o-' || n, 1, 'USD', 'OTHER', false, 'key', now()
    from placed_order, generate_series(1, 5000) n where team_id = ${uuid}`;
  for (let n = 0; n < 20; n++)
    await server.report(
      { teamId, email: 'ann@mail.example', amount: 1, orderId: `o-${n}` },
      from('a.example'),
    );
  await sql`analyze`;
  const plan = await sql`
    explain select id from refused_report where ${isMeant(sql, uuid, {})} and ${isWaiting(sql, uuid)}`;
  expect(JSON.stringify(plan)).toMatch(/Index Scan using placed_order_order_id/);
  expect(JSON.stringify(plan)).not.toMatch(/Seq Scan on placed_order/);
});
