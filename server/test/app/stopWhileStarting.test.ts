// @module-tag all
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/database/connection/connect.js';
import { ownMigrations } from '../../src/database/migrations.js';
import { createTestDatabase } from '../kit/database.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

/** The lock of `applyMigration.ts`. */
const lockKey = '8030591472428541281';
const program = fileURLToPath(new URL('../../bin/orderbeacon.js', import.meta.url));

it('SIGTERM while a start waits for another server’s migration ends it with 0', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { name } = ownMigrations().at(-1)!;
  await database.sql`delete from migration where name = ${name}`;
  const other = connect(database.url, 1);
  await other`select pg_advisory_lock(${lockKey})`;
  onTestFinished(() => other.end({ timeout: 0 }));

  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...database.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes(`Migration ${name} is still running.`)) child.kill('SIGTERM');
  }
  // The lock is still held: the start did not wait for it.
  expect(await exited).toEqual([0, null]);
  expect(output).not.toContain('listens on');
});

it('Ctrl-C while the first start makes its database ends it with 0 and no error', async () => {
  const dataDir = temporaryFolder();
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ORDERBEACON_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, as a shell gives to each command. Ctrl-C goes to all of the group.
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const exited = once(child, 'exit');
  // Once this file exists, initdb runs statements, which a SIGINT cancels.
  const isMaking = () =>
    readdirSync(join(dataDir, 'postgres')).some((name) =>
      existsSync(join(dataDir, 'postgres', name, 'base/1/pg_filenode.map')),
    );
  await vi.waitFor(() => expect(isMaking()).toBe(true), { timeout: 60_000, interval: 5 });
  process.kill(-child.pid!, 'SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(output).toBe('');
});
