import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startServerForTest } from './server.js';

const executable = fileURLToPath(new URL('../bin/orderbeacon.js', import.meta.url));

it.runIf(existsSync('/dev/full'))('an export to a full disk fails with one line that says so', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  await server.report({ teamId, email: 'ann@buyer.example', amount: 1 });
  const full = openSync('/dev/full', 'w');
  for (const args of [
    ['order', 'export', '--format', 'csv'],
    ['person', 'list'],
    ['order', 'list', '--json'],
  ]) {
    const child = spawn(process.execPath, [executable, ...args, '--team', teamId], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...server.env },
      stdio: ['ignore', full, 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    expect([args[1], code, stderr]).toEqual([
      args[1],
      1,
      expect.stringContaining('orderbeacon: Cannot write the output: ENOSPC.'),
    ]);
  }
  closeSync(full);
});

it('a reader of stderr that has gone changes neither the output nor the exit code', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  for (const [args, expected] of [
    [['domain', 'list'], 0],
    [['domain', 'remove', 'never.example'], 2],
  ] as const) {
    const child = spawn(process.execPath, [executable, ...args, '--team', teamId], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...server.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr!.destroy();
    const [stdout, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
    expect([code, stdout.includes('shop.example')]).toEqual([expected, expected === 0]);
  }
});
