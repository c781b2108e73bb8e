import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../src/sql/embedded.js';
import { migrate } from '../src/sql/migrate.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL: its socket folder, its superuser, and the migrated database to clone. */
    database: { socketFolder: string; user: string; template: string };
  }
}

const template = 'migrated';

/** One embedded PostgreSQL for the whole run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-test-'));
  // As root PostgreSQL runs as another user, who has to come in.
  chmodSync(folder, 0o755);
  const { connection, close } = await openEmbedded(folder, () => {});
  const admin = postgres({ ...connection, max: 1 });
  await admin`create database ${admin(template)}`;
  await admin.end();
  const sql = postgres({ ...connection, database: template, max: 1, onnotice: () => {} });
  await migrate(sql);
  await sql.end();
  project.provide('database', { socketFolder: dirname(connection.path), user: connection.user, template });

  return async function teardown() {
    await close();
    await rm(folder, { recursive: true });
  };
}
