#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { isNodeNewEnough } from './nodeVersion.js';

const cli = new URL('../dist/cli.js', import.meta.url);

if (isNodeNewEnough()) {
  if (existsSync(cli)) await import(cli.href);
  else {
    // A checkout whose `npm ci` ran no scripts or failed; packages and images are always built.
    process.stderr.write('orderbeacon: This checkout is not built. Run: npm run build\n');
    process.exitCode = 1;
  }
}
