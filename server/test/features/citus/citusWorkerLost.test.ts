// @module-tag long
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { connect, type Sql, statementBounds } from '../../../src/database/connection/connect.js';
import { queueBounds } from '../../../src/database/queue.js';
import { runOrderbeacon } from '../../kit/command.js';
import { testPostgres } from '../../kit/database.js';
import { findLockWaits } from '../../kit/lockWaits.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';
import { withDatabase } from '../../kit/withDatabase.js';
import { startWriters, type Writers } from '../../kit/writers.js';
import { addTestSource, type TestSource } from '../sources/kit/sources.js';
import { payment, stripeEvent } from '../sources/kit/stripeSamples.js';
import { addTeams, lose, openBoth, workerOf } from './workers.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

/** Makes a worker hang at some tables of one database. */
async function hang(machine: string, database: string, tables = 'placed_order') {
  const worker = connect(withDatabase(machine, database), 1);
  onTestFinished(() => worker.end());
  // Citus hides shards otherwise.
  await worker`set citus.override_table_visibility = off`;
  const shards = await worker<{ name: string }[]>`
    select relname as name from pg_class where relname ~ ${`^(${tables})_[0-9]+$`} and relkind = 'r'`;
  expect(shards.length).toBeGreaterThan(0);
  await worker.unsafe('set citus.enable_manual_changes_to_shards = on');
  await worker.unsafe(
    `begin; lock table ${shards.map(({ name }) => name).join(', ')} in access exclusive mode`,
  );
  return { heal: () => worker.unsafe('rollback') };
}

/** Makes commits of a team's orders fail, on the worker that has them. */
async function failCommits(sql: Sql, url: string, team: string) {
  const port = await workerOf(sql, team);
  const machine = (await testPostgres()).machines.find((each) => new URL(each).port === String(port))!;
  const worker = connect(withDatabase(machine, new URL(url).pathname.slice(1)), 1);
  onTestFinished(() => worker.end());
  const [{ shard }] = await sql<[{ shard: string }]>`
    select 'placed_order_' || get_shard_id_for_distribution_column('placed_order', ${team}::uuid) as shard`;
  await worker.unsafe(`
    set citus.enable_ddl_propagation = off;
    set citus.enable_manual_changes_to_shards = on;
    create function public.fail() returns trigger language plpgsql as $$ begin raise 'lost'; end $$;
    create constraint trigger fail after insert or update on ${shard} deferrable initially deferred
      for each row execute function public.fail()`);
  return { end: () => worker.unsafe(`drop trigger fail on ${shard}`) };
}

/** Asserts that each order is stored once with its buyer, and that no acknowledged one is missing. */
async function expectWhole(sql: Sql, acknowledged: string[]) {
  const stored = await sql<{ orderId: string; email: string | null }[]>`
    select order_id as "orderId", email from placed_order o
    left join person p on p.team_id = o.team_id and p.id = person_id`;
  const names = stored.map(({ orderId }) => orderId);
  expect(new Set(names).size).toBe(names.length);
  expect(acknowledged.filter((orderId) => !names.includes(orderId))).toEqual([]);
  expect(stored.filter(({ email }) => email === null)).toEqual([]);
}

/** Resolves when the writers have had this many more answers of a status. */
async function more({ statuses }: Writers, status: number, count: number) {
  const before = statuses.get(status) ?? 0;
  await expect.poll(() => (statuses.get(status) ?? 0) - before).toBeGreaterThanOrEqual(count);
}

describe.skipIf(!inject('isCitus'))(`a worker that is lost (skipped where ${reason})`, () => {
  it('stops the orders of the teams that live there, by 503, and no others; nothing acknowledged is missing', async () => {
    const server = await startServerForTest();
    const { sql, url } = server;
    const [, lost] = (await testPostgres()).machines;
    const { own, others } = await addTeams(server, Number(new URL(lost!).port));
    const writing = { lost: startWriters(url, own, 8), others: startWriters(url, others, 8) };
    await Promise.all([more(writing.lost, 200, 50), more(writing.others, 200, 50)]);

    for (let round = 0; round < 3; round++) {
      const { heal } = await lose(lost!, new URL(server.env.DATABASE_URL!).pathname.slice(1));
      await more(writing.lost, 503, 8);
      const stopped = writing.lost.acknowledged.length;
      await more(writing.others, 200, 50);
      expect(writing.lost.acknowledged.length).toBe(stopped);
      await heal();
      await more(writing.lost, 200, 50);
    }

    await Promise.all([writing.lost.stop(), writing.others.stop()]);
    expect([...writing.others.statuses.keys()]).toEqual([200]);
    expect([...writing.lost.statuses.keys()].sort()).toEqual([200, 503]);
    await expectWhole(sql, [...writing.lost.acknowledged, ...writing.others.acknowledged]);
  });

  it('leaves the server ready, whose log names it, and ends a command of a team there in a sentence that does, too', async () => {
    const server = await startServerForTest();
    const [, lost] = (await testPostgres()).machines;
    const { own } = await addTeams(server, Number(new URL(lost!).port));
    const { heal } = await lose(lost!, new URL(server.env.DATABASE_URL!).pathname.slice(1));
    expect((await server.send('GET', '/readyz')).status).toBe(200);
    const { code, stderr } = await runOrderbeacon(['domain', 'list', '--team', own[0]!], server.env);
    const order = { teamId: own[0]!, email: 'ann@mail.example', amount: 5, orderId: '1' };
    expect((await server.report(order)).status).toBe(503);
    await heal();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^orderbeacon: The coordinator does not reach a worker of the Citus cluster: [^\n]+\n$/,
      ),
    ]);
    const { host } = new URL(lost!);
    expect(stderr).toContain(host);
    expect(server.lines.filter((line) => line.includes('"level":50') && line.includes(host))).not.toEqual([]);
  });

  it('and hangs without a word makes reports 503, and once it is back all teams are served', async () => {
    const server = await startServerForTest({ bounds: statementBounds, queue: queueBounds });
    const { sql, url } = server;
    const [, lost] = (await testPostgres()).machines;
    const { own, ...teams } = await addTeams(server, Number(new URL(lost!).port));
    // Each team has one writer, so each team on the lost worker has a statement that hangs.
    const ofLost = own.map((team) => startWriters(url, [team], 1));
    const others = startWriters(url, teams.others, 8);
    const eachOfLost = (status: number, count: number) =>
      Promise.all(ofLost.map((writers) => more(writers, status, count)));
    await Promise.all([eachOfLost(200, 5), more(others, 200, 50)]);

    const { heal } = await hang(lost!, new URL(server.env.DATABASE_URL!).pathname.slice(1));
    await eachOfLost(503, 1);
    await heal();
    await Promise.all([eachOfLost(200, 5), more(others, 200, 50)]);

    await Promise.all([...ofLost, others].map(({ stop }) => stop()));
    for (const { statuses } of [...ofLost, others]) {
      for (const status of statuses.keys()) expect([200, 503]).toContain(status);
    }
    await expectWhole(
      sql,
      [...ofLost, others].flatMap(({ acknowledged }) => acknowledged),
    );
  });

  it('and hangs while a team there sends events leaves those of other teams their turn', async () => {
    const server = await startServerForTest({ bounds: statementBounds, queue: { waitAtMostMs: 2_000 } });
    const { there, elsewhere, lost } = await openBoth(server);
    const [hanging, other] = [
      await addTestSource(server, there.team, { kind: 'stripe' }),
      await addTestSource(server, elsewhere.team, { kind: 'stripe' }),
    ];
    const say = async (source: TestSource) =>
      (await source.say(stripeEvent('payment_intent.succeeded', payment()))).status;
    const { heal } = await hang(lost, new URL(server.env.DATABASE_URL!).pathname.slice(1), 'source');
    const refused = [say(hanging), say(hanging), say(hanging)];
    await expect.poll(async () => (await findLockWaits(server.sql)).length).toBeGreaterThan(0);
    expect(await say(other)).toBe(200);
    expect(await Promise.all(refused)).toEqual([503, 503, 503]);
    await heal();
    expect(await say(hanging)).toBe(200);
  });

  it('at the moment of the commit makes a report 503, and stores nothing of it', async () => {
    const server = await startServerForTest();
    const shop = await openShop(server);
    const [order, next] = [shop.order(), shop.order()];
    expect((await shop.report(order)).status).toBe(200);
    const fault = await failCommits(shop.sql, server.env.DATABASE_URL!, shop.team);

    for (const refused of [await shop.report(next), await shop.reportByKey({ ...order, amount: 7 })])
      expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    const amounts = async () => (await shop.stored()).map(({ amount }) => Number(amount));
    expect(await amounts()).toEqual([order.amount]);

    await fault.end();
    expect((await shop.report(next)).body.data.isNew).toBe(true);
    expect((await shop.reportByKey({ ...order, amount: 7 })).body.data).toMatchObject({ amount: 7 });
    expect(await amounts()).toEqual([7, next.amount]);
  });
});
