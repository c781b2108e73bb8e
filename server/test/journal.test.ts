import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { dataFolder } from './dataFolder.js';
import { temporaryFolder } from './temporaryFolder.js';

const program = fileURLToPath(new URL('../bin/orderbeacon.js', import.meta.url));

/** Starts a server, with a demo team that it makes, whose stdout is a file; resolves with all that it prints. */
async function startInto(streamOf: (file: number) => string): Promise<string> {
  const folder = temporaryFolder();
  const path = join(folder, 'journal');
  const file = openSync(path, 'w');
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      ORDERBEACON_DATA_DIR: await dataFolder('migrated', join(folder, 'data')),
      JOURNAL_STREAM: streamOf(file),
    },
    stdio: ['ignore', file, 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
    closeSync(file);
  });
  await expect.poll(() => readFileSync(path, 'utf8'), { timeout: 300_000 }).toContain('integrity=');
  return readFileSync(path, 'utf8');
}

it('the journal gets neither the demo’s key nor a link that signs in, but the commands that print them', async () => {
  const printed = await startInto((file) => {
    const { dev, ino } = fstatSync(file);
    return `${dev}:${ino}`;
  });
  expect(printed).toMatch(/^Console: +node_modules\/\.bin\/orderbeacon console --team team_\w+$/m);
  expect(printed).toMatch(/^API key: +node_modules\/\.bin\/orderbeacon key create --team team_\w+ --test$/m);
  expect(printed).not.toMatch(/ob_test_|sign-in/);
});

it('a stdout that is not the journal gets both, also in a service', async () => {
  const printed = await startInto(() => '8:1');
  expect(printed).toMatch(/^Console: +http:\S+sign-in#team_/m);
  expect(printed).toMatch(/^API key: +ob_test_\w+/m);
});
