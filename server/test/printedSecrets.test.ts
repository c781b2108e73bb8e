import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { announceDemo } from '../src/site/announceDemo.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';
import { dataFolder } from './dataFolder.js';
import { test } from './shop.js';
import { temporaryFolder } from './temporaryFolder.js';

const program = fileURLToPath(new URL('../bin/orderbeacon.js', import.meta.url));

/** Starts a server, with a demo team that it makes, whose stdout is a file; resolves with all that it prints. */
async function startInto(path: string): Promise<string> {
  const file = openSync(path, 'w');
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      ORDERBEACON_DATA_DIR: await dataFolder('migrated', join(temporaryFolder(), 'data')),
    },
    stdio: ['ignore', file, 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
    closeSync(file);
  });
  await expect
    .poll(() => readFileSync(path, 'utf8'), { timeout: 300_000 })
    .toMatch(/Or pin the first|released versions/);
  return readFileSync(path, 'utf8');
}

it('a file gets neither the demo’s key nor a link that signs in, but the commands that print them', async () => {
  const printed = await startInto(join(temporaryFolder(), 'log'));
  expect(printed).toMatch(/^Console: +node_modules\/\.bin\/orderbeacon console --team team_\w+$/m);
  expect(printed).toMatch(/^API key: +node_modules\/\.bin\/orderbeacon key create --team team_\w+ --test$/m);
  expect(printed).not.toMatch(/ob_test_|sign-in/);
});

test('a terminal gets a link to the console before anything else of the demo, and the key', async ({
  server,
}) => {
  const { sql, url: publicUrl } = server;
  let printed = '';
  const options = { publicUrl, sdk: await loadSdkFiles(), isPageServed: true, isTerminal: true };
  await announceDemo(sql, options, (text) => {
    printed += text;
  });
  expect(printed).toMatch(/^\nConsole: +http:\S+sign-in#team_\S+\n[^\n]*15 minutes[^\n]*\nDemo page: +http/);
  expect(printed).toMatch(/^API key: +ob_test_\w+ /m);
});
