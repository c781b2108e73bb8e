import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { makeRunFolder } from './runFolder.ts';

makeRunFolder();

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Ends a worker whose run was interrupted. Otherwise it would go on, and make new files in the removed folder. */
const endWithRun = 'data:text/javascript,process.once("disconnect",()=>process.kill(process.pid,"SIGKILL"))';

const room = (name: string, more: object = {}) => ({
  test: {
    name,
    root: name,
    include: ['test/**/*.test.ts'],
    // No time is measured. A test that takes 3 s alone has time on a machine that is ten times as busy as it can be.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    retry: 0,
    // Files share processes, because loading the modules again for each would take a third of the CPU time.
    isolate: false,
    execArgv: ['--import', endWithRun],
    ...more,
  },
});

/** Configures one runner for all rooms. A test that fails once is a failed test: there are no retries. */
export default defineConfig({
  root: pathOf('..'),
  test: {
    projects: [
      room('build', { root: '.config', include: ['*.test.ts'] }),
      room('sdk'),
      room('e2e', { include: ['specs/**/*.test.ts'], globalSetup: ['globalSetup.ts'] }),
      room('server', { globalSetup: ['test/globalSetup.ts', 'test/kit/dataFolderTemplates.ts'] }),
    ],
    globalSetup: ['requireBuild.ts', '../e2e/orderbeaconOnDemand.ts', '../e2e/browsersOnDemand.ts'].map(
      pathOf,
    ),
    // At least three, because many tests wait for other processes. Not many more, because each worker loads all modules.
    maxWorkers: Math.max(3, availableParallelism()),
    tags: [
      { name: 'slow', description: 'Needs more than a minute on a busy machine.', timeout: 300_000 },
      {
        name: 'all',
        description:
          'Runs before a change lands, by `npm run test:all`: further engines and levels of what `npm test` promises.',
      },
      { name: 'long', description: 'Runs every night and before a release.', timeout: 1_800_000 },
    ],
    // For `npm run coverage`, which prints each file with lines that no test reaches. Lines that only run in a child process, such as
    // the server's command, do not count.
    coverage: {
      include: ['server/src/**', 'sdk/src/**'],
      reporter: [['text', { skipFull: true, maxCols: 200 }], 'json'],
      reportsDirectory: pathOf('../coverage'),
    },
    // Without it vitest would end after 10 s, and servers that are still stopping would stay.
    teardownTimeout: 120_000,
    reporters: ['default', pathOf('summary.ts')],
  },
});
