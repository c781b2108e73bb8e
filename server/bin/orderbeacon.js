#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isNodeNewEnough } from './nodeVersion.js';

const cli = new URL('../dist/cli.js', import.meta.url);
// Only the repository has it: an installed package and a container are built for good.
const freshness = new URL('../../.config/freshness.js', import.meta.url);

if (isNodeNewEnough() && (!existsSync(freshness) || (await isBuilt()))) await import(cli.href);

/**
 * Builds a checkout in which nothing was built yet. Refuses where the sources have changed since the build: after an
 * upgrade the old code would run with the new version's files, or on the new version's database.
 */
async function isBuilt() {
  const { isFresh, workspaces } = await import(freshness.href);
  if (workspaces.every(isFresh)) return true;
  if (existsSync(cli)) {
    process.stderr.write(
      'orderbeacon: The sources have changed since the build, so nothing was done. Run: npm run build\n',
    );
    process.exitCode = 1;
    return false;
  }
  // In a process of its own, with which the compiler's processes end.
  const build = fileURLToPath(new URL('build.js', freshness));
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return status === 0;
}
