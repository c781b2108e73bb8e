// @module-tag long
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { addDomain } from '../../../src/core/teams/sql/domain.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import { connect, type Sql } from '../../../src/database/connection/connect.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { migrate } from '../../../src/database/migrate.js';
import { ownMigrations } from '../../../src/database/migrations.js';
import { tables } from '../../../src/database/tables.js';
import { byDistribution } from '../../../src/features/citus/byDistribution.js';
import { distributeTable, referenceTables } from '../../../src/features/citus/distributedTables.js';
import { distributeNewTables } from '../../../src/features/citus/distributeTables.js';
import { addForeignKey, dropForeignKey, listForeignKeys } from '../../../src/features/citus/foreignKeys.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { createBareCluster, createTestDatabase } from '../../kit/database.js';
import { joinMachines } from '../../kit/machines.js';
import { placeOrders } from '../../kit/placeOrder.js';
import { runProcess, startServerProcess } from '../../kit/process.js';
import { startWriters } from '../../kit/writers.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

const foreignKeys = (sql: Sql) => sql`
  select relname, conname, pg_get_constraintdef(c.oid) from pg_constraint c join pg_class on pg_class.oid = conrelid
  where contype = 'f' and relname in ${sql([...tables])} order by 1, 2`;
const indexes = (sql: Sql) => sql`
  select indexname, indexdef from pg_indexes where tablename in ${sql([...tables])} order by 1`;
const placements = (sql: Sql) => sql<{ name: string; kind: string }[]>`
  select relname as name, concat(partmethod, repmodel) as kind from pg_dist_partition
  join pg_class on pg_class.oid = logicalrelid`;

/** Stores 500 orders of 500 buyers in a new team, and resolves with the team's id. */
async function addOldOrders(sql: Sql): Promise<string> {
  const id = newUuid();
  await createTeam(sql, { id, name: 'Old', storefrontUrl: 'https://shop.example' });
  await placeOrders(
    sql,
    id,
    Array.from({ length: 500 }, (_, n) => ({ email: `${n}@old.example`, orderId: `old-${n}` })),
  );
  return id;
}

/** Distributes a database of release 0.4.0, as that release does. */
function distributeOld(sql: Sql): Promise<void> {
  return inTransaction(sql, async (tx) => {
    await tx`set local citus.multi_shard_modify_mode to 'sequential'`;
    const old = await tx<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
    const own = tables.filter((table) => old.some(({ name }) => name === table));
    const keys = await listForeignKeys(tx, own);
    for (const key of keys) await dropForeignKey(tx, key);
    for (const table of own)
      await distributeTable(
        tx,
        table,
        table === 'signing_key' || referenceTables.includes(table) ? null : 'signing_key',
      );
    for (const key of keys) await addForeignKey(tx, key);
  });
}

describe.skipIf(!inject('isCitus'))(`migrate --distribute (skipped where ${reason})`, () => {
  it.each(['that was never distributed', 'that was migrated before it had Citus'])(
    'distributes a database %s, under a server that stores orders, and loses none',
    async (state) => {
      const isJoined = !state.includes('before it had Citus');
      const { sql, env, machines, close } = await createBareCluster(isJoined);
      onTestFinished(close);
      await migrate(sql, undefined, { migrated: distributeNewTables });
      if (!isJoined) await joinMachines(machines);
      const old = await addOldOrders(sql);
      const keys = await foreignKeys(sql);
      const indexesBefore = await indexes(sql);
      const uuids = Array.from({ length: 8 }, () => newUuid());
      for (const id of uuids) {
        await createTeam(sql, { id, name: 'Shop', storefrontUrl: 'https://shop.example' });
        await addDomain(sql, id, { entry: 'shop.example', isTest: false });
      }
      const server = await startServerProcess({ ...env, ORDERBEACON_RATE_LIMIT: 'off' });
      const teams = uuids.map((id) => encodeId('team', id));
      const writers = startWriters(server.url, teams, 8);
      await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(100);

      const { code, stdout, stderr } = await runProcess(['migrate', '--distribute'], env);
      expect([code, stderr.replace(/^Another session holds.*\n/, '')]).toEqual([0, '']);
      expect(stdout).toMatch(/^Nothing to apply\.\nDistributed .*placed_order/);
      const then = writers.acknowledged.length;
      await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(then + 100);
      await writers.stop();

      const kinds = new Map((await placements(sql)).map(({ name, kind }) => [name, kind]));
      for (const table of tables) {
        expect([table, kinds.get(table)]).toEqual([
          table,
          ['installation', 'team', 'api_key'].includes(table) ? 'nt' : 'hs',
        ]);
        // Citus must leave no rows in the coordinator's own table.
        const [{ size }] = await sql<
          [{ size: number }]
        >`select pg_relation_size(${table}::regclass)::int as size`;
        expect([table, size]).toEqual([table, 0]);
      }
      expect(await foreignKeys(sql)).toEqual(keys);
      expect(await indexes(sql)).toEqual(indexesBefore);
      expect(await sql`select from placed_order where team_id = ${old}`).toHaveLength(500);
      const stored = await sql<{ orderId: string; email: string }[]>`
        select order_id as "orderId", email from placed_order o join person p on p.team_id = o.team_id and p.id = person_id`;
      const times = new Map<string, number>();
      for (const { orderId } of stored) times.set(orderId, (times.get(orderId) ?? 0) + 1);
      expect(writers.acknowledged.filter((orderId) => times.get(orderId) !== 1)).toEqual([]);
      expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
      // A report that came while the tables were locked, or while statements changed, is sent again.
      const others = [...writers.statuses.keys()].filter((status) => status !== 200 && status !== 503);
      expect(others).toEqual([]);

      const again = await runProcess(['migrate', '--distribute'], env);
      expect([again.code, again.stdout]).toEqual([0, 'Nothing to apply.\nNothing to distribute.\n']);
      const kindOf = async (table: string) =>
        (await placements(sql)).find(({ name }) => name === table)?.kind;
      // A later release may add a table like this one.
      await sql`alter table console_link drop constraint console_link_team_id_fkey`;
      await sql`select undistribute_table('console_link')`;
      await sql`alter table console_link add foreign key (team_id) references team`;
      // Citus knows the table because of its foreign key. All of its rows are on the coordinator.
      expect(await kindOf('console_link')).toBe('ns');
      const later = await runProcess(['migrate'], env);
      expect([later.code, later.stdout]).toEqual([0, 'Nothing to apply.\n']);
      expect(await kindOf('console_link')).toBe('hs');
      expect(await foreignKeys(sql)).toEqual(keys);
    },
  );

  it('a database that release 0.4.0 has distributed becomes one of this release, with its orders, names and refunds', async () => {
    const { sql, env, close } = await createBareCluster();
    onTestFinished(close);
    await migrate(sql, ownMigrations().slice(0, 4));
    await distributeOld(sql);
    // Teams on several shards.
    const teams = [newUuid(), newUuid(), newUuid()];
    for (const team of teams) {
      await sql`insert into team (id, name, storefront_url) values (${team}, 'Old', 'https://shop.example')`;
      await sql`insert into person (team_id, id, email) values (${team}, ${team}, 'ann@mail.example')`;
      await sql`
        insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, is_test, reported_by, created_at)
        values (${team}, ${team}, 'ORD-1M8MGEDBJKGVB', ${team}, '1001', 5, 'USD', 'OTHER', false, 'key', now())`;
      await sql`
        insert into order_key (team_id, key, is_test, placed_order_id, amount, currency)
        values (${team}, 'k-1', false, ${team}, 5, 'USD'), (${team}, 'pi_1', false, ${team}, null, null)`;
      await sql`
        insert into refund (team_id, is_test, refund_id, placed_order_id, order_id, payment_id, amount, counts, currency, created_at)
        values (${team}, false, 'r-1', ${team}, '1001', null, 2, 2, 'USD', now()),
          (${team}, false, 'r-2', null, '1002', null, 3, null, null, now()),
          (${team}, false, 're_3', null, null, 'pi_3', 4, null, null, now())`;
    }

    const { code, stderr } = await runProcess(['migrate'], env);
    expect([code, stderr.replaceAll(/^Migration \w+ is still running\.\n/gm, '')]).toEqual([0, '']);
    const fresh = await createTestDatabase();
    onTestFinished(fresh.close);
    expect(await foreignKeys(sql)).toEqual(await foreignKeys(fresh.sql));
    expect(await indexes(sql)).toEqual(await indexes(fresh.sql));
    const sorted = async (of: Sql) =>
      (await placements(of)).map(({ name, kind }) => `${name} ${kind}`).sort();
    expect(await sorted(sql)).toEqual(await sorted(fresh.sql));
    for (const team of teams) {
      expect(await sql`select kind, key, object from order_key where team_id = ${team} order by key`).toEqual(
        [
          { kind: 'number', key: '1002', object: 'refund:r-2' },
          { kind: 'idempotency', key: 'k-1', object: '' },
          { kind: 'provider', key: 'pi_1', object: 'legacy' },
          { kind: 'provider', key: 'pi_3', object: 're_3' },
        ],
      );
      expect(await sql`select refund_id as id, counts from refund where team_id = ${team}`).toEqual([
        { id: 'r-1', counts: '2' },
      ]);
      expect(
        await sql`select object, waits_as as why from statement where team_id = ${team} order by object`,
      ).toEqual([
        { object: 're_3', why: 'refund' },
        { object: 'refund:r-2', why: 'refund' },
      ]);
    }
  });

  it('a server that has found tables of one PostgreSQL finds them distributed ten seconds later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { sql, env, close } = await createBareCluster(true);
    onTestFinished(close);
    await migrate(sql, undefined, { migrated: distributeNewTables });
    const form = byDistribution(sql, { local: async () => 'local', distributed: async () => 'distributed' });
    expect(await form()).toBe('local');
    expect((await runProcess(['migrate', '--distribute'], env)).code).toBe(0);
    expect(await form()).toBe('local');
    vi.advanceTimersByTime(10_000);
    expect(await form()).toBe('distributed');
  });

  it('says in one line that the URL is a worker’s, and names the coordinator', async () => {
    const { machines, close } = await createBareCluster(false);
    onTestFinished(close);
    // This worker was migrated before it became a worker.
    const worker = connect(machines[1]!, 1);
    await migrate(worker);
    await worker.end();
    await joinMachines(machines);
    const { code, stdout, stderr } = await runProcess(['migrate', '--distribute'], {
      DATABASE_URL: machines[1]!,
    });
    const { host } = new URL(machines[0]!);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `orderbeacon: DATABASE_URL leads to a worker of the Citus cluster; set it to the coordinator, ${host}.\n`,
    ]);
  });

  it('says in one line that the cluster has no workers, and leaves the database as it was', async () => {
    const { sql, env, close } = await createBareCluster();
    onTestFinished(close);
    for (const { name, port } of await sql<{ name: string; port: number }[]>`
      select nodename as name, nodeport as port from pg_dist_node where groupid <> 0`)
      await sql`select citus_remove_node(${name}, ${port})`;
    const { code, stdout, stderr } = await runProcess(['migrate', '--distribute'], env);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      "orderbeacon: This Citus cluster has no worker that could take rows; add each on the coordinator, in this database: select citus_add_node('HOST', 5432).\n",
    ]);
    expect(await placements(sql)).toEqual([]);
  });
});
