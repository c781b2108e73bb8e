import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const buildFirst = fileURLToPath(new URL('./buildFirst.ts', import.meta.url));

const room = (name: string, { globalSetup = [] as string[], ...more } = {}) => ({
  test: {
    name,
    root: name,
    include: ['test/**/*.test.ts', 'specs/**/*.test.ts'],
    // Long enough for a start with initdb on a busy machine; nothing is measured by it.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: 0,
    globalSetup: [buildFirst, ...globalSetup],
    ...more,
  },
});

/** One runner for all rooms. A test that fails once is a failed test: there are no retries. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: [
      room('sdk'),
      room('server', { globalSetup: ['test/globalSetup.ts'] }),
      room('e2e', { globalSetup: ['globalSetup.ts'], fileParallelism: false }),
    ],
    reporters: ['default', fileURLToPath(new URL('./summary.ts', import.meta.url))],
  },
});
