import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { findSecret } from '../src/database/installation.js';
import { migrate } from '../src/database/migrate.js';
import { type Migration, ownMigrations } from '../src/database/migrations.js';
import { newUuid, personUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { createEmptyDatabase } from './database.js';
import { startServerProcess } from './process.js';
import { sendTo, startServerForTest } from './server.js';
import { temporaryFolder } from './temporaryFolder.js';

/** A backup that release 0.1.0 has written, of a team with an order of each kind. */
const backupOf010 = readFileSync(new URL('./fixtures/backup-0.1.0.ndjson', import.meta.url));

async function openEmptyDatabase() {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.close());
  return database;
}

const first = (): Migration[] => ownMigrations().slice(0, 1);

it('a backup of release 0.1.0 is restored, and a retry of each of its reports finds its order', async () => {
  const { env, sql } = await openEmptyDatabase();
  await sql.end();
  const file = join(temporaryFolder(), 'backup.gz');
  writeFileSync(file, gzipSync(backupOf010));
  expect(await runOrderbeacon(['restore', file], env)).toMatchObject({ code: 0 });
  const run = async (...args: string[]) => {
    const { stdout, stderr, code } = await runOrderbeacon([...args, '--json'], env);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const [{ id: team }] = await run('team', 'list');
  const listed = await run('order', 'list', '--team', team);
  const ids = (orders: { orderId: string; reportId: string; idempotencyKey: string }[]) =>
    orders.map(({ orderId, reportId, idempotencyKey }) => [orderId, reportId, idempotencyKey]).reverse();
  const kept = [
    ['page', 'ob:page', null],
    [null, 'ob:visit', null],
    [null, null, 'evt_hook'],
    ['named', null, 'evt_named'],
    ['both', null, 'evt_both'],
    ['merged', 'ob:merged', null],
    ['test', 'ob:test', null],
  ];
  expect(ids(listed)).toEqual(kept);

  const { key } = await run('key', 'create', '--team', team);
  const server = await startServerProcess(env);
  const send = async (headers: object, body: object) => {
    const answer = await sendTo(new URL('/svc-api/v1/orders', server.url), 'POST', {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ teamId: team, currency: 'EUR', ...body }),
    });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  const byPage = (body: object) => send({ origin: 'https://shop.example' }, body);
  const byKey = (body: object, evt: string) =>
    send({ authorization: `Bearer ${key}`, 'idempotency-key': evt }, body);
  const answers = [
    await byPage({ email: 'page@shop.example', amount: 1, orderId: 'page', reportId: 'ob:page' }),
    await byPage({ email: 'visit@shop.example', amount: 2, reportId: 'ob:visit' }),
    await byKey({ email: 'hook@shop.example', amount: 3 }, 'evt_hook'),
    await byKey({ email: 'named@shop.example', amount: 4 }, 'evt_named'),
    await byKey({ email: 'both@shop.example', amount: 5, orderId: 'both' }, 'evt_both'),
    await byKey({ email: 'merged@shop.example', amount: 6, orderId: 'merged' }, 'evt_merged'),
  ];
  const byNumber = new Map(listed.map((order: { id: string; amount: number }) => [order.amount, order.id]));
  for (const [at, { id, isNew }] of answers.entries())
    expect([id, isNew]).toEqual([byNumber.get(at + 1), false]);
  expect(await byPage({ email: 'test@shop.example', amount: 8, orderId: 'test' })).toMatchObject({
    isNew: true,
    isTest: false,
  });
});

it('migrating moves no more than a backend’s keys, and a second run from the first statement on does no harm', async () => {
  const { sql } = await openEmptyDatabase();
  await migrate(sql, first());
  const team = '00000000-0000-0000-0000-000000000001';
  await sql`insert into team (id, name, storefront_url) values (${team}, 'Test', 'https://shop.example')`;
  await sql`insert into person (team_id, id) values (${team}, ${team})`;
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, report_id, amount, currency, source, is_test,
      reported_by, created_at)
    select ${team}, gen_random_uuid(), 'ORD-' || n, ${team}, case when n % 2 = 0 then 'evt-' else 'ob:' end || n, 1, 'USD',
      'OTHER', false, (array['browser', 'key', 'both'])[n % 3 + 1], now()
    from generate_series(1, 3000) n`;
  expect(await migrate(sql)).toEqual(
    ownMigrations()
      .slice(1)
      .map(({ name }) => name),
  );
  const moved = () => sql`
    select reported_by, left(coalesce(report_id, ''), 3) as report, left(coalesce(idempotency_key, ''), 3) as key,
      count(*)::int as orders
    from placed_order group by 1, 2, 3 order by 1, 2, 3`;
  const expected = [
    { reported_by: 'both', report: '', key: 'evt', orders: 500 },
    { reported_by: 'both', report: 'ob:', key: '', orders: 500 },
    { reported_by: 'browser', report: 'evt', key: '', orders: 500 },
    { reported_by: 'browser', report: 'ob:', key: '', orders: 500 },
    { reported_by: 'key', report: '', key: 'evt', orders: 500 },
    { reported_by: 'key', report: '', key: 'ob:', orders: 500 },
  ];
  expect(await moved()).toEqual(expected);
  await sql`delete from migration where name between '000003' and '000006'`;
  expect(await migrate(sql)).toHaveLength(3);
  expect(await moved()).toEqual(expected);
});

it('of the orders of release 0.2.0 those that a key gave another buyer, and its own time, are known as moved', async () => {
  const { sql } = await openEmptyDatabase();
  await migrate(
    sql,
    ownMigrations().filter(({ name }) => name < '000021'),
  );
  const team = newUuid();
  await sql`insert into person (team_id, id) values (${team}, ${team})`;
  const dayMs = 86_400_000;
  const add = (
    number: string,
    by: string,
    storedAgo: number,
    createdAgo: number,
    mergedAgo: number | null,
  ) => {
    const ago = (days: number) => new Date(Date.now() - days * dayMs);
    return sql`
      insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by,
        created_at, merged_at)
      values (${team}, ${newUuid(+ago(storedAgo))}, ${number}, ${team}, 1, 'USD', 'OTHER', false, ${by},
        ${ago(createdAgo)}, ${mergedAgo === null ? null : ago(mergedAgo)})`;
  };
  await add('moved', 'key', 60, 2, 2);
  await add('key', 'key', 3, 3, null);
  await add('key-merged', 'key', 3, 3, 2);
  await add('replayed', 'key', 2, 9, 1);
  await add('both', 'both', 60, 60, 2);
  await migrate(sql);
  const moved = await sql<{ name: string; days: number }[]>`
    select order_number as name, round(extract(epoch from created_at - moved_from) / 86400)::int as days
    from placed_order where moved_from is not null`;
  expect(moved).toEqual([{ name: 'moved', days: 58 }]);
});

/** The insert of release 0.1.0: it knows no column of its own for a backend's key, and names no conflict. */
function insertAs010(
  { sql }: Awaited<ReturnType<typeof startServerForTest>>,
  team: string,
  order: { personId: string; orderId: string | null; reportId: string | null; by: 'browser' | 'key' },
) {
  return sql<{ id: string }[]>`
    insert into placed_order (
      team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, name, items,
      visitor_id, is_test, reported_by, created_at
    )
    select ${team}, gen_random_uuid(), 'ORD-' || gen_random_uuid(), ${order.personId}, ${order.orderId},
      ${order.reportId}, 1, 'USD', 'OTHER', null, null, null, false, ${order.by}, now()
    on conflict do nothing
    returning id`;
}

it('beside a server of release 0.1.0 each retry of a backend is one order, whichever server it reaches', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const report = { teamId, email: 'ann@shop.example', amount: 1 };
  const byKey = async (evt: string, more = {}) =>
    (await server.reportByKey(key, { ...report, ...more }, { 'idempotency-key': evt })).body.data;
  await byKey('evt_new');
  const personId = personUuid(await findSecret(server.sql), uuid, report.email);
  const old = { personId, orderId: null, reportId: null, by: 'key' as const };

  expect(await insertAs010(server, uuid, { ...old, reportId: 'evt_new' })).toHaveLength(0);
  expect(await insertAs010(server, uuid, { ...old, reportId: 'evt_old' })).toHaveLength(1);
  expect(await byKey('evt_old')).toMatchObject({ isNew: false });
  // The first report that changes the order gives the key the column that is its own.
  expect(await byKey('evt_old', { name: 'Ann', orderId: 'o-1' })).toMatchObject({ isNew: false });
  expect(
    await server.sql`select order_id, report_id, idempotency_key from placed_order where name = 'Ann'`,
  ).toEqual([{ order_id: 'o-1', report_id: null, idempotency_key: 'evt_old' }]);
  expect(await insertAs010(server, uuid, { ...old, orderId: 'o-1' })).toHaveLength(0);

  const page = { ...old, orderId: 'o-2', reportId: 'ob:page', by: 'browser' as const };
  expect(await insertAs010(server, uuid, page)).toHaveLength(1);
  expect((await server.report({ ...report, orderId: 'o-2', reportId: 'ob:page' })).body.data).toMatchObject({
    isNew: false,
  });
  expect(await server.sql`select from placed_order where team_id = ${uuid}`).toHaveLength(3);
});
