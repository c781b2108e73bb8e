import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Hundreds of test databases have some 300 files each: on a disk one costs 0.16 s of CPU, in memory 0.02 s. A program
// cannot be started from a file system that is mounted with `noexec`.
const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;
if (existsSync(memory) && !/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize >= neededBytes) process.env.TMPDIR ??= memory;
}

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
      room('e2e', { include: ['specs/**/*.test.ts'], globalSetup: ['globalSetup.ts'] }),
      room('server', { globalSetup: ['test/globalSetup.ts', 'test/dataFolderTemplates.ts'] }),
    ],
    globalSetup: ['requireBuild.ts', '../e2e/orderbeaconOnDemand.ts', '../e2e/browsersOnDemand.ts'].map(
      pathOf,
    ),
    // Many tests wait for other processes and for time to pass. With three workers a core of two is idle at times, and five took
    // 8 to 10 % more CPU time than three or four.
    maxWorkers: Math.max(4, availableParallelism()),
    // Without it vitest ends after 10 s, and servers that are still stopping stay.
    teardownTimeout: 120_000,
    reporters: ['default', pathOf('summary.ts')],
  },
});
