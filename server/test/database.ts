import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Sql } from '../src/database/connect.js';
import type { TestPostgres } from './globalSetup.js';
import { withDatabase } from './withDatabase.js';

/** A database of a test's own. */
export interface TestDatabase {
  sql: Sql;
  /** For `DATABASE_URL`. */
  url: string;
  /** What a child process needs to use this same database. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** A fresh, migrated database of the run's shared PostgreSQL, cloned from a template; dropped by `close()`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { machines, template } = await testPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(machines, (admin) => admin`create database ${admin(name)} template ${admin(template)}`);
  const url = withDatabase(machines[0]!, name);
  const sql = connect(url, 10);
  return {
    sql,
    url,
    env: { DATABASE_URL: url },
    async close() {
      await sql.end({ timeout: 5 });
      // Child processes that a test has killed may not have let go yet.
      await administer(machines, (admin) => admin`drop database ${admin(name)} with (force)`);
    },
  };
}

/** The PostgreSQL of the run, started by the first test that asks. */
export async function testPostgres(): Promise<TestPostgres> {
  const response = await fetch(inject('postgresOnDemand'));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestPostgres;
}

/** Runs a statement on every machine, side by side. */
async function administer(urls: string[], run: (admin: Sql) => PromiseLike<unknown>): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      const admin = connect(url, 1);
      try {
        await run(admin);
      } finally {
        await admin.end();
      }
    }),
  );
}
