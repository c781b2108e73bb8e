// @module-tag all
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/database/connection/connect.js';
import { superuser } from '../../src/embedded/initCluster.js';
import { readPostmaster } from '../../src/embedded/postmaster.js';
import { documentOf, runOrderbeacon } from '../kit/command.js';
import { dataFolder } from '../kit/dataFolder.js';
import { executable } from '../kit/process.js';
import { test } from '../kit/shop.js';
import { clusterIn } from '../kit/temporaryFolder.js';

/** Runs the command as a process whose output is not only a pipe that is read to its end. */
const start = (args: string[], env: Record<string, string>, stdout: number | 'pipe') =>
  spawn(process.execPath, [executable, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });

test.runIf(existsSync('/dev/full')).for([
  ['order', 'export', '--format', 'csv'],
  ['order', 'list', '--json'],
])('%s %s to a full disk fails with one line that says so', async (args, { shop }) => {
  await shop.report();
  const full = openSync('/dev/full', 'w');
  const child = start([...args, '--team', shop.teamId], shop.server.env, full);
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  closeSync(full);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('orderbeacon: Cannot write the output: ENOSPC.'),
  ]);
});

test.for([
  [['domain', 'list'], 0],
  [['domain', 'remove', 'never.example'], 2],
] as const)(
  'a reader of stderr that has gone changes nothing about %s, which ends with %i',
  async (row, { shop }) => {
    const [args, expected] = row;
    const child = start([...args, '--team', shop.teamId], shop.server.env, 'pipe');
    child.stderr!.destroy();
    const [stdout, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
    expect([code, stdout.includes(shop.domain)]).toEqual([expected, expected === 0]);
  },
);

it('a reader of stdout that has gone leaves no embedded PostgreSQL behind', async () => {
  const dataDir = await dataFolder('migrated');
  const child = start(['team', 'list'], { ORDERBEACON_DATA_DIR: dataDir }, 'pipe');
  child.stdout!.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  expect([code, stderr]).toEqual([0, `Used the database in ${dataDir}.\n`]);
  expect(readPostmaster(clusterIn(dataDir))).toBeNull();
});

it('Ctrl-C while the embedded PostgreSQL starts leaves none behind', async () => {
  const dataDir = await dataFolder('migrated');
  const child = start(['team', 'list'], { ORDERBEACON_DATA_DIR: dataDir }, 'pipe');
  await vi.waitFor(() => expect(readPostmaster(clusterIn(dataDir))).not.toBeNull(), {
    timeout: 20_000,
    interval: 1,
  });
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  expect(readPostmaster(clusterIn(dataDir))).toBeNull();
});

it('Ctrl-C leaves no embedded PostgreSQL behind, and ends the command as it would', async () => {
  const dataDir = await dataFolder('migrated');
  const env = { ORDERBEACON_DATA_DIR: dataDir };
  const { id } = documentOf(await runOrderbeacon(['team', 'create', '--name', 'Shop', '--json'], env));
  const child = spawn(process.execPath, [executable, 'person', 'import', '--team', id, '-'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr = text(child.stderr);
  const sql = connect(`postgres://${superuser}@localhost/postgres?host=${join(dataDir, 'postgres')}`, 1);
  const findWaiting = () =>
    sql`select from pg_stat_activity where query like '/* findSecret */%'`.catch(() => []);
  await expect.poll(findWaiting).toHaveLength(1);
  await sql.end();
  child.kill('SIGINT');
  const [code, signal] = await once(child, 'exit');
  expect([code, signal, await stderr]).toEqual([null, 'SIGINT', '']);
  expect(readPostmaster(clusterIn(dataDir))).toBeNull();
});
