import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isPostmasterOf, readPostmaster } from '../../src/embedded/postmaster.js';

/** Creates an empty folder. It is removed when the test ends, and so are the databases in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-test-'));
  // If this is root, PostgreSQL runs as another user, who needs access; otherwise its data would be elsewhere and stay.
  chmodSync(folder, 0o755);
  onTestFinished(async () => {
    await endDatabases(folder);
    // The children of a killed PostgreSQL end, and write, a moment later than it.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  return folder;
}

/** Ends each PostgreSQL whose last user was killed. */
async function endDatabases(folder: string) {
  for (const name of ['.', ...readdirSync(folder)]) {
    const cluster = clusterIn(join(folder, name));
    const pid = existsSync(join(cluster, 'postmaster.pid')) && readPostmaster(cluster)?.pid;
    if (!pid || !isPostmasterOf(cluster, pid)) continue;
    process.kill(pid, 'SIGQUIT');
    await expect.poll(() => isPostmasterOf(cluster, pid), { interval: 20 }).toBe(false);
  }
}

/** Returns the folder in which an embedded PostgreSQL keeps its data. */
export const clusterIn = (dataDir: string) => join(dataDir, 'postgres', 'cluster');
