#!/usr/bin/env node
import { existsSync } from 'node:fs';

const cli = new URL('../dist/cli.js', import.meta.url);
// Only the repository has it: an installed package and a container are built for good.
const builder = new URL('../../.config/build.js', import.meta.url);

if (existsSync(builder)) {
  const { buildMissing } = await import(builder.href);
  await buildMissing(existsSync(cli));
}
await import(cli.href);
