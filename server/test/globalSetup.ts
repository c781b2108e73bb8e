import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '../src/database/connect.js';
import { migrate } from '../src/database/migrate.js';
import { openEmbedded } from '../src/embedded/open.js';
import { withDatabase } from './withDatabase.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL and the migrated database in it to clone. */
    database: { url: string; template: string };
  }
}

const template = 'migrated';

/** One embedded PostgreSQL for the whole run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-test-'));
  // As root PostgreSQL runs as another user, who has to come in.
  chmodSync(folder, 0o755);
  const { url, close } = await openEmbedded(folder, () => {});
  const admin = connect(url, 1);
  await admin`create database ${admin(template)}`;
  await admin.end();
  const sql = connect(withDatabase(url, template), 1);
  await migrate(sql);
  await sql.end();
  project.provide('database', { url, template });

  return async function teardown() {
    await close();
    await rm(folder, { recursive: true });
  };
}
