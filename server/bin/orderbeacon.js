#!/usr/bin/env node
import { existsSync } from 'node:fs';

const cli = new URL('../dist/cli.js', import.meta.url);
// Only the repository has it: an installed package and a container are built for good.
const freshness = new URL('../../.config/freshness.js', import.meta.url);

if (existsSync(freshness)) await ensureBuilt();
await import(cli.href);

/**
 * Builds where nothing was built yet. Where the sources are newer it says so and goes on: a backup by night must
 * not begin with a build of what somebody has just fetched.
 */
async function ensureBuilt() {
  const { isFresh, workspaces } = await import(freshness.href);
  if (workspaces.every(isFresh)) return;
  if (existsSync(cli)) {
    process.stderr.write('orderbeacon: the sources have changed since the build; run: npm run build\n');
    return;
  }
  const { buildStale } = await import(new URL('build.js', freshness).href);
  await buildStale();
}
