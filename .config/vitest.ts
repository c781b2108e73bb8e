import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongFirst from './longFirst.js';
import { keepTemporaryFilesInMemory } from './temporaryFiles.js';

keepTemporaryFilesInMemory();

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const room = (name: string, more: object = {}) => ({
  test: {
    name,
    root: name,
    include: ['test/**/*.test.ts'],
    // Long enough for six starts with initdb on a machine ten times as busy as it can be; nothing is measured by it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    // Files share processes: loading the modules anew for each would be a third of the CPU time.
    isolate: false,
    ...more,
  },
});

/** One runner for all rooms. A test that fails once is a failed test: there are no retries. */
export default defineConfig({
  root: pathOf('..'),
  test: {
    projects: [
      room('build', { root: '.config', include: ['*.test.ts'] }),
      room('sdk'),
      room('e2e', {
        include: ['specs/**/*.test.ts'],
        globalSetup: [pathOf('buildFirst.ts'), 'globalSetup.ts'],
      }),
      room('server', { globalSetup: ['test/globalSetup.ts', 'test/dataFolderTemplates.ts'] }),
    ],
    globalSetup: ['buildOnDemand.ts', '../e2e/orderbeaconOnDemand.ts', '../e2e/browsersOnDemand.ts'].map(
      pathOf,
    ),
    // Many tests wait for other processes and for time to pass. With three workers a core of two is idle at times, and five took
    // 8 to 10 % more CPU time than three or four.
    maxWorkers: Math.max(4, availableParallelism()),
    // Without it vitest ends after 10 s, and servers that are still stopping stay.
    teardownTimeout: 120_000,
    sequence: { sequencer: LongFirst },
    reporters: ['default', pathOf('slowest.ts'), pathOf('summary.ts')],
  },
});
