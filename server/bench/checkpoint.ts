import type { Sql } from '../src/database/connection/connect.js';
import type { Candidate } from './candidate.js';
import { fillOrders } from './fillOrders.js';
import { inTurn, median, withCosts } from './inTurn.js';
import { measure } from './load.js';
import { count, ms, notify, ratio, row, us } from './table.js';

/** Connections of the load, which at half load pause before each request. */
const connections = 64;

/** Orders that are stored before: each index has many pages then, and a checkpoint makes each be written whole once. */
const storedOrders = 500_000;

/**
 * Prints the latencies at half load while PostgreSQL writes a checkpoint, and while it vacuums the orders with the pauses
 * of autovacuum. Then the rate, the time and the write-ahead log of the first orders after a checkpoint, with each
 * `wal_compression` that this PostgreSQL has.
 */
export async function measureCheckpoint(
  candidate: Candidate,
  personUuid: string,
  rounds: number,
  seconds: number,
): Promise<void> {
  const { sql } = candidate;
  await fillOrders(sql, personUuid, 1, storedOrders);
  await sql`vacuum analyze`;
  await measureDisturbed(candidate, rounds, seconds);
  await measureCompressions(candidate, rounds, seconds);
}

async function measureDisturbed(
  { sql, orders, server }: Candidate,
  rounds: number,
  seconds: number,
): Promise<void> {
  const full = await measure(orders, connections, seconds);
  const pauseMs = (connections * 1000) / (full.perSecond / 2);
  const disturbances: Record<string, (isOver: () => boolean) => Promise<void>> = {
    nothing: async () => {},
    'a checkpoint': async () => void (await sql`checkpoint`),
    'a vacuum': async (isOver) => {
      const own = await sql.reserve();
      await own`set vacuum_cost_delay = '2ms'`;
      while (!isOver()) await own`vacuum (index_cleanup on) placed_order`;
      await own`reset vacuum_cost_delay`;
      own.release();
    },
  };
  const measurements = Object.entries(disturbances).map(([name, disturb]) => [
    name,
    async () => {
      let isOver = false;
      const running = disturb(() => isOver);
      const costs = await withCosts(() => measure(orders, connections, seconds, pauseMs), server.cpuMs);
      isOver = true;
      await running;
      return costs;
    },
  ]);
  const measured = await inTurn(rounds, Object.fromEntries(measurements));
  row('half load beside', 'orders/s', 'p50 ms', 'p99 ms', 'of nothing');
  for (const name of Object.keys(disturbances)) {
    const { perSecond, p50Ms, p99Ms } = measured[name]!;
    row(name, count(perSecond), ms(p50Ms), ms(p99Ms), ratio(p99Ms, measured.nothing!.p99Ms));
  }
  notify('');
}

async function measureCompressions(candidate: Candidate, rounds: number, seconds: number): Promise<void> {
  const { sql, orders, server, databaseCpuMs } = candidate;
  const [{ methods }] = await sql<[{ methods: string[] }]>`
    select (select json_agg(m) from unnest(enumvals) m where m <> 'on') as methods
    from pg_settings where name = 'wal_compression'`;
  const walBytes = new Map<string, number[]>();
  const measurements = methods.map((method) => [
    method,
    async () => {
      await setCompression(sql, method);
      await sql`checkpoint`;
      const [{ start }] = await sql<[{ start: string }]>`select pg_current_wal_insert_lsn() as start`;
      const costs = await withCosts(() => measure(orders, connections, seconds), server.cpuMs, databaseCpuMs);
      const [{ bytes }] = await sql<[{ bytes: number }]>`
        select (pg_current_wal_insert_lsn() - ${start}::pg_lsn)::float8 as bytes`;
      walBytes.set(method, [...(walBytes.get(method) ?? []), bytes / costs.requests]);
      return costs;
    },
  ]);
  const measured = await inTurn(rounds, Object.fromEntries(measurements));
  await setCompression(sql, 'default');
  row('wal_compression, first orders', 'orders/s', 'of off', 'PostgreSQL', 'p99 ms', 'WAL bytes');
  for (const method of methods) {
    const { perSecond, databaseUs, p99Ms } = measured[method]!;
    row(
      method,
      count(perSecond),
      ratio(perSecond, measured.off!.perSecond),
      us(databaseUs),
      ms(p99Ms),
      count(median(walBytes.get(method)!)),
    );
  }
  notify('');
}

/**
 * Sets the compression of the role's connections, and ends those that are open. The embedded PostgreSQL has the setting on
 * its command line, which takes precedence over `alter system`, and a role's setting takes precedence over both.
 */
async function setCompression(sql: Sql, method: string): Promise<void> {
  await sql.unsafe(`alter role current_user set wal_compression = ${method}`);
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where usename = current_user and pid <> pg_backend_pid()`;
}
