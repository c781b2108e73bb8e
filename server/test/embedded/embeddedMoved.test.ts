// @module-tag all
// @module-tag slow
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { isAlive } from '../../src/embedded/postmaster.js';
import { dataFolder } from '../kit/dataFolder.js';
import { gone, runningIn, startUser } from '../kit/embeddedProcesses.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import { clusterIn, temporaryFolder } from '../kit/temporaryFolder.js';

/** Makes a parent for folders that are moved, and a database in one of them that another process uses. */
async function startInOld(name = 'data') {
  const parent = temporaryFolder();
  const dataDir = join(parent, name);
  await dataFolder('initialised', dataDir);
  const user = await startUser(dataDir);
  await user.query('create table kept as select 1 as one');
  const pid = runningIn(dataDir);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { parent, dataDir, user, pid };
}

/** Makes a new database in a folder that was moved away or deleted. */
async function createFresh(dataDir: string) {
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir });
  await sql`create table fresh as select 1 as one`;
  await close();
}

/** Opens the database in a folder again, and lists its tables. */
async function tablesIn(dataDir: string): Promise<string[]> {
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir }, { creates: false });
  const rows = await sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace`;
  await close();
  return rows.map(({ name }) => name);
}

test('a server whose folder was moved away loses its PostgreSQL to kill -9, says so, and leaves the new folder alone', async () => {
  const { parent, dataDir, user, pid } = await startInOld();
  const moved = join(parent, 'moved');
  renameSync(dataDir, moved);
  await createFresh(dataDir);
  process.kill(pid, 'SIGKILL');
  await gone(pid);
  await expect
    .poll(() => user.said)
    .toEqual([expect.stringMatching(/^The data folder \S+\/data was moved, /)]);
  expect(await user.query('insert into kept values (2)')).toEqual({ error: expect.anything() });
  await user.close();
  expect(await tablesIn(moved)).toEqual(['kept']);
  expect(await tablesIn(dataDir)).toEqual(['fresh']);
});

test('a server whose folder was deleted leaves a database whole that was made anew in its place', async () => {
  const { dataDir, user } = await startInOld();
  rmSync(dataDir, { recursive: true });
  await createFresh(dataDir);
  await user.close();
  expect(await tablesIn(dataDir)).toEqual(['fresh']);
});

test('every order that a server acknowledged before and after its folder was moved away is in the moved one', async () => {
  const parent = temporaryFolder();
  const dataDir = await dataFolder('migrated', join(parent, 'data'));
  const env = { ORDERBEACON_DATA_DIR: dataDir, ORDERBEACON_RATE_LIMIT: 'off' };
  const server = await startServerProcess(env);
  const teamId = /team_[0-9a-z]{26}/.exec(server.output())![0];
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      const orderId = `${writer}-${n}`;
      const { status } = await sendTo(new URL('/svc-api/v1/orders', server.url), 'POST', {
        headers: { 'content-type': 'application/json', origin: 'http://localhost' },
        body: JSON.stringify({ teamId, orderId, email: 'ann@buyer.example', amount: n }),
      });
      if (status === 200) acknowledged.push(orderId);
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
  const moved = join(parent, 'moved');
  renameSync(dataDir, moved);
  const before = acknowledged.length;
  await createFresh(dataDir);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 100);
  isOver = true;
  await Promise.all(writers);
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);

  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir: moved });
  const rows = await sql`select order_id as "orderId" from placed_order`;
  await close();
  const stored = new Set(rows.map(({ orderId }) => orderId));
  expect(stored.size).toBe(rows.length);
  expect(acknowledged.filter((orderId) => !stored.has(orderId))).toEqual([]);
  expect(await tablesIn(dataDir)).toEqual(['fresh']);
});

test('a start in a moved folder that is still in use joins those who use it, also where its path is too long for a socket', async () => {
  const { parent, dataDir, user, pid } = await startInOld('x'.repeat(100));
  const moved = join(parent, 'm'.repeat(100));
  renameSync(dataDir, moved);
  const joined = await openDatabase({ databaseUrl: null, dataDir: moved });
  await joined.sql`insert into kept values (2)`;
  expect(await user.query('select one from kept order by one')).toEqual([{ one: 1 }, { one: 2 }]);
  await user.close();
  expect(await joined.sql`select one from kept where one = 2`).toHaveLength(1);
  await joined.close();
  await gone(pid);
  expect(await tablesIn(moved)).toEqual(['kept']);
});

test('a copy of a folder in use is a database of its own', async () => {
  const { parent, dataDir, user } = await startInOld();
  await user.query('checkpoint');
  const copy = join(parent, 'copy');
  execFileSync('cp', ['-a', dataDir, copy]);
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir: copy });
  await sql`drop table kept`;
  await close();
  expect(await user.query('select one from kept')).toEqual([{ one: 1 }]);
  expect(clusterIn(copy)).not.toBe(clusterIn(dataDir));
});
