// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { readPostmaster } from '../../src/embedded/postmaster.js';
import { dataFolder } from '../kit/dataFolder.js';
import { clusterIn } from '../kit/temporaryFolder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// npm passes SIGTERM on. It cannot pass SIGKILL on.
for (const [signal, tags] of [
  ['SIGKILL', []],
  ['SIGTERM', ['long']],
] as const)
  it(`${signal} to \`npm start\` alone ends the server and its PostgreSQL, and frees the port`, {
    tags: [...tags],
  }, async () => {
    const dataDir = await dataFolder('migrated');
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ORDERBEACON_DATA_DIR: dataDir },
      // A separate process group, so that all of it can be ended if the test fails.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(npm, 'exit');
    onTestFinished(() => {
      try {
        process.kill(-npm.pid!, 'SIGKILL');
      } catch {
        // All processes of the group have ended.
      }
    });
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await expect.poll(() => output, { timeout: 300_000 }).toContain('Demo team:');
    const url = /listens on (\S+)/.exec(output)![1];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    npm.kill(signal);
    await exited;
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('down');
    await expect.poll(() => readPostmaster(clusterIn(dataDir))).toBe(null);
  });
