import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { withDatabase } from './withDatabase.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the URL of the run's PostgreSQL, which the first request starts. */
    postgresOnDemand: string;
  }
}

/** The migrated database that each test file clones. */
export const template = 'migrated';

/** One embedded PostgreSQL for all workers of the run, started by the first test that needs one. */
export default async function setup(project: TestProject) {
  let started: Promise<Started> | undefined;
  const server = createServer((_, response) => {
    started ??= start();
    started.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('postgresOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async function teardown() {
    server.close();
    await (await started)?.stop();
  };
}

interface Started {
  url: string;
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  // Loaded here: a run without a database loads none of it.
  const { connect } = await import('../src/database/connect.js');
  const { migrate } = await import('../src/database/migrate.js');
  const { openEmbedded } = await import('../src/embedded/open.js');
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
  return {
    url,
    async stop() {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}
