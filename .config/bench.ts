import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Runs the benchmarks that need a browser, and makes the picture of the README; the server's own run without vitest. */
export default defineConfig({
  root: fileURLToPath(new URL('../e2e', import.meta.url)),
  test: {
    include: ['bench/**/*.bench.ts'],
    globalSetup: ['globalSetup.ts', 'orderbeaconOnDemand.ts', 'browsersOnDemand.ts'],
    testTimeout: 300_000,
  },
});
