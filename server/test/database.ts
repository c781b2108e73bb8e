import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Sql } from '../src/database/connect.js';
import { template } from './globalSetup.js';
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
  const server = await postgresUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(server, (admin) => admin`create database ${admin(name)} template ${admin(template)}`);
  const url = withDatabase(server, name);
  const sql = connect(url, 10);
  return {
    sql,
    url,
    env: { DATABASE_URL: url },
    async close() {
      await sql.end({ timeout: 5 });
      // Child processes that a test has killed may not have let go yet.
      await administer(server, (admin) => admin`drop database ${admin(name)} with (force)`);
    },
  };
}

async function postgresUrl(): Promise<string> {
  const response = await fetch(inject('postgresOnDemand'));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

async function administer(url: string, run: (admin: Sql) => Promise<unknown>): Promise<void> {
  const admin = connect(url, 1);
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}
