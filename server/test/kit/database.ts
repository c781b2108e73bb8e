import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Sql } from '../../src/database/connection/connect.js';
import { joinMachines } from './machines.js';
import { withDatabase } from './withDatabase.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that answers with the run's `TestPostgres` as JSON. The first request starts it. */
    postgresOnDemand: string;
    /** Set if the run's PostgreSQL is the coordinator of a Citus cluster. */
    isCitus: boolean;
  }
}

/** The PostgreSQL of a run. */
export interface TestPostgres {
  /** URLs of the machines that have each database: one, or those of a Citus cluster with the coordinator first. */
  machines: string[];
  /** Name of the migrated database that tests clone. It is on all machines. */
  template: string;
}

/** A database for one test or server. */
export interface TestDatabase {
  sql: Sql;
  /** For `DATABASE_URL`. */
  url: string;
  /** The settings with which a child process uses the same database. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Creates a migrated database in the run's shared PostgreSQL, cloned from a template. `close()` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { machines, template } = await testPostgres();
  const name = newName();
  // Copying the template's files takes half the time of writing them to the log as well.
  await administer(
    machines,
    (admin) => admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`,
  );
  return opened(machines, name);
}

/** Creates a database without migrations. On a Citus cluster it is on the coordinator only, without Citus. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const [machine] = (await testPostgres()).machines;
  const name = newName();
  await administer([machine!], (admin) => admin`create database ${admin(name)}`);
  return opened([machine!], name);
}

/**
 * Creates a database without migrations on all machines of a Citus cluster.
 * @param isJoined false: the machines do not know each other and have no extension; see `joinMachines`
 */
export async function createBareCluster(isJoined = true): Promise<TestDatabase & { machines: string[] }> {
  const { machines } = await testPostgres();
  const name = newName();
  await administer(machines, (admin) => admin`create database ${admin(name)}`);
  const own = machines.map((url) => withDatabase(url, name));
  if (isJoined) await joinMachines(own);
  return { ...opened(machines, name), machines: own };
}

/** Connects to a database that another test server uses, or that a test has made. `close()` does not drop it. */
export function joinDatabase(url: string): TestDatabase {
  const sql = connect(url, 10);
  return { sql, url, env: { DATABASE_URL: url }, close: () => sql.end({ timeout: 5 }) };
}

/** Drops a database. It retries, because on a busy machine the last backends take longer to end than PostgreSQL's 5 s. */
async function drop(admin: Sql, name: string): Promise<void> {
  const objectInUse = '55006';
  for (let isThere = true; isThere; ) {
    isThere = await admin`drop database ${admin(name)} with (force)`.then(
      () => false,
      (error) => {
        if (error.code !== objectInUse) throw error;
        return true;
      },
    );
  }
}

const newName = () => `test_${randomBytes(6).toString('hex')}`;

function opened(machines: string[], name: string): TestDatabase {
  const database = joinDatabase(withDatabase(machines[0]!, name));
  return {
    ...database,
    async close() {
      await database.close();
      // Child processes that a test has killed may still have connections, and the daemon of Citus connects again.
      await administer(
        machines,
        (admin) => admin`alter database ${admin(name)} with allow_connections false`,
      );
      await administer(machines, (admin) => drop(admin, name));
    },
  };
}

/** Returns the PostgreSQL of the run. The first test that asks starts it. */
export async function testPostgres(): Promise<TestPostgres> {
  const response = await fetch(inject('postgresOnDemand'));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestPostgres;
}

/**
 * One connection to each machine, which stays open as long as the worker. Connecting takes 6 ms of CPU, a third of the time to
 * create and drop a database.
 */
const admins = new Map<string, Sql>();

function adminOf(url: string): Sql {
  const admin = admins.get(url) ?? connect(url, 1);
  admins.set(url, admin);
  return admin;
}

/** Runs a statement on every machine, concurrently. */
async function administer(urls: string[], run: (admin: Sql) => PromiseLike<unknown>): Promise<void> {
  await Promise.all(urls.map((url) => run(adminOf(url))));
}
