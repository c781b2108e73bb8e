import { onTestFinished } from 'vitest';
import { connect, type Sql } from '../../../src/database/connection/connect.js';
import { testPostgres } from '../../kit/database.js';
import type { TestServer } from '../../kit/server.js';
import { openShop, type Shop } from '../../kit/shop.js';
import { withDatabase } from '../../kit/withDatabase.js';

/** Finds the port of the worker that has a team's orders. */
export async function workerOf(sql: Sql, team: string): Promise<number> {
  const [row] = await sql<[{ port: number }]>`
    select nodeport as port from pg_dist_node join pg_dist_placement using (groupid)
    where shardid = get_shard_id_for_distribution_column('placed_order', ${team}::uuid)`;
  return row.port;
}

/** Makes a worker refuse and cut all connections of one database, as if it had died. */
export async function lose(machine: string, database: string) {
  const admin = connect(machine, 1);
  onTestFinished(() => admin.end());
  const allow = (isAllowed: boolean) =>
    admin.unsafe(`alter database ${database} with allow_connections ${isAllowed}`);
  onTestFinished(async () => {
    await allow(true);
    // A transaction that was prepared there would keep the database from being dropped.
    const [coordinator] = (await testPostgres()).machines;
    const sql = connect(withDatabase(coordinator!, database), 1);
    await sql`select recover_prepared_transactions()`;
    await sql.end();
  });
  await allow(false);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
  return { heal: () => allow(true) };
}

/** Adds teams until five are on the worker with this port, and five on others. */
export async function addTeams(server: TestServer, lostPort: number) {
  const own: string[] = [];
  const others: string[] = [];
  while (own.length < 5 || others.length < 5) {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const teams = (await workerOf(server.sql, uuid)) === lostPort ? own : others;
    teams.push(teamId);
  }
  return { own, others };
}

/** Opens a shop on the worker that will be lost, and one on another. */
export async function openBoth(server: TestServer) {
  const [, lost] = (await testPostgres()).machines;
  const port = Number(new URL(lost!).port);
  let [there, elsewhere]: (Shop | undefined)[] = [];
  while (!there || !elsewhere) {
    const shop = await openShop(server);
    if ((await workerOf(server.sql, shop.team)) === port) there = shop;
    else elsewhere = shop;
  }
  const database = new URL(server.env.DATABASE_URL!).pathname.slice(1);
  return { there, elsewhere, lost: lost!, loseWorker: () => lose(lost!, database) };
}
