import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL. `/<DataFolderState>` answers with the path of the run's cluster in that state. The first request makes it. */
    dataFolderTemplates: string;
  }
}

/** `initialised`: as initdb leaves it; `migrated`: with all tables, and no team. */
export type DataFolderState = 'initialised' | 'migrated';

/** Serves the data folders that tests copy, as a global setup. Otherwise initdb and all migrations cost 2.3 s of CPU. */
export default async function setup(project: TestProject) {
  const parent = mkdtempSync(join(tmpdir(), 'orderbeacon-templates-'));
  // If this is root, PostgreSQL runs as another user, who needs access.
  chmodSync(parent, 0o755);
  const made: Partial<Record<DataFolderState, Promise<string>>> = {};
  // Idle connections stay open. If one were closed while a busy worker sends its next request, that request would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const state = request.url!.slice(1) as DataFolderState;
    made[state] ??= make(state, join(parent, state));
    made[state].then(
      (cluster) => response.end(cluster),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('dataFolderTemplates', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async function teardown() {
    server.close();
    await Promise.allSettled(Object.values(made));
    await rm(parent, { recursive: true });
  };
}

/** Makes the data folder, and resolves with the path of its cluster, which no process uses. */
async function make(state: DataFolderState, dataDir: string): Promise<string> {
  // Imported here, so that a run without an embedded database loads none of it.
  const { initialiseFolder } = await import('./initialiseFolder.js');
  const { cluster } = (await initialiseFolder(dataDir)).home;
  if (state === 'initialised') return cluster;
  const { openDatabase } = await import('../../src/database/openDatabase.js');
  const { migrate } = await import('../../src/database/migrate.js');
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir });
  await migrate(sql);
  await close();
  return cluster;
}
