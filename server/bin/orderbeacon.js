#!/usr/bin/env node
import { existsSync } from 'node:fs';
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
  const { buildStale } = await import(new URL('build.js', freshness).href);
  await buildStale();
  return true;
}
