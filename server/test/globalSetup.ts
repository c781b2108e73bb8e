import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import type { TestPostgres } from './kit/database.js';
import { joinMachines, onEach } from './kit/machines.js';
import { withDatabase } from './kit/withDatabase.js';

/**
 * Serves one PostgreSQL to all workers of the run. The first test that needs it prepares it. It is the one of
 * `ORDERBEACON_TEST_DATABASE_URL`, whose user may create databases; if unset, an embedded one. If the URL's database is the
 * coordinator of a Citus cluster, each test file gets a database on all its machines, with distributed tables.
 */
export default async function setup(project: TestProject) {
  const given = process.env.ORDERBEACON_TEST_DATABASE_URL;
  const machines = given ? await findMachines(given) : [];
  let started: Promise<Started> | undefined;
  // Idle connections stay open. If one were closed while a busy worker sends its next request, that request would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    started ??= given ? prepare(machines) : start();
    started.then(
      ({ postgres }) => response.end(JSON.stringify(postgres)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('postgresOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  project.provide('isCitus', machines.length > 1);

  return async function teardown() {
    server.close();
    await (await started)?.stop();
  };
}

interface Started {
  postgres: TestPostgres;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  // Imported here, so that a run without a database loads none of it.
  const { startPostgres } = await import('./database/startPostgres.js');
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-test-'));
  // If this is root, PostgreSQL runs as another user, who needs access.
  chmodSync(folder, 0o755);
  const { url, close } = await startPostgres(folder);
  const { postgres } = await prepare([url]);
  return {
    postgres,
    async stop() {
      await workersHaveLeft(url);
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Waits until workers have closed their servers, for at most 10 s. vitest does not wait for it. */
function workersHaveLeft(url: string): Promise<void> {
  return onEach([url], async (sql) => {
    for (let left = 200; left > 0; left--) {
      if ((await sql`select from pg_database where datname like 'test\\_%'`).length === 0) return;
      await delay(50);
    }
  });
}

/** Makes the template on every machine. */
async function prepare(machines: string[]): Promise<Started> {
  const { migrate } = await import('../src/database/migrate.js');
  const { distribute } = await import('../src/features/citus/commands/distribute.js');
  const template = `template_${randomBytes(6).toString('hex')}`;
  for (const url of machines) await onEach([url], (admin) => admin`create database ${admin(template)}`);
  const own = machines.map((url) => withDatabase(url, template));
  const isCitus = machines.length > 1;
  if (isCitus) await joinMachines(own);
  await onEach([own[0]!], async (sql) => {
    await migrate(sql);
    // A few shards are enough, and are cloned faster than 32.
    if (isCitus) await sql`set citus.shard_count = 4`;
    if (isCitus) await distribute(sql, () => {});
  });
  // The daemon of Citus stays connected, and a database with connections cannot be cloned.
  await onEach(machines, async (admin) => {
    await admin`alter database ${admin(template)} with allow_connections false`;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${template}`;
  });
  return {
    postgres: { machines, template },
    stop: () => onEach(machines, (admin) => admin`drop database ${admin(template)} with (force)`),
  };
}

/** Finds the machines of the cluster whose coordinator the URL names. Without Citus it is only that URL. */
async function findMachines(url: string): Promise<string[]> {
  const machines = [url];
  await onEach([url], async (sql) => {
    const [{ isThere }] = await sql<[{ isThere: boolean }]>`
      select to_regclass('pg_catalog.pg_dist_node') is not null as "isThere"`;
    if (!isThere) return;
    const workers = await sql<{ name: string; port: number }[]>`
      select nodename as name, nodeport as port from pg_dist_node where groupid <> 0 order by groupid`;
    for (const { name, port } of workers) {
      const worker = new URL(url);
      worker.hostname = name;
      worker.port = String(port);
      machines.push(worker.href);
    }
  });
  return machines;
}
