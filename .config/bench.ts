import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Configures the benchmarks that need a browser, and the picture of the README. The server's bench runs without vitest. */
export default defineConfig({
  root: fileURLToPath(new URL('../e2e', import.meta.url)),
  test: {
    include: ['bench/**/*.bench.ts'],
    globalSetup: ['globalSetup.ts', 'orderbeaconOnDemand.ts', 'browsersOnDemand.ts'],
    testTimeout: 300_000,
  },
});
