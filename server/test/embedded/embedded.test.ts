// @module-tag slow
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { isPostmasterOf, readPostmaster } from '../../src/embedded/postmaster.js';
import { memoryBytes, sharedBuffersMb } from '../../src/embedded/settings.js';
import { DatabaseError } from '../../src/values/errors.js';
import { dataFolder } from '../kit/dataFolder.js';
import { gone, runningIn, startUser } from '../kit/embeddedProcesses.js';
import { clusterIn, temporaryFolder } from '../kit/temporaryFolder.js';

const started = 'select pg_postmaster_start_time()::text as at';

async function openHere(dataDir: string) {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  onTestFinished(() => database.close());
  return database;
}

test('PostgreSQL listens on no network address, keeps what it acknowledges, and compresses the pages that it logs', async () => {
  const { sql } = await openHere(await dataFolder('initialised'));
  const expected = {
    listen_addresses: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'pglz',
    server_encoding: 'UTF8',
    // The setting is in pages of 8 kB.
    shared_buffers: String(sharedBuffersMb(memoryBytes()) * 128),
  };
  const rows = await sql`select name, setting from pg_settings where name in ${sql(Object.keys(expected))}`;
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(expected);
});

test('PostgreSQL keeps an eighth of the memory for what it reads often, within bounds', () => {
  const gigabyte = 1024 ** 3;
  expect([0.25, 1, 4, 8, 64].map((size) => sharedBuffersMb(size * gigabyte))).toEqual([
    128, 128, 512, 1024, 1024,
  ]);
});

test('processes that start concurrently on an empty folder share one PostgreSQL, and leave none when they end so', async () => {
  const dataDir = temporaryFolder();
  const users = await Promise.all([startUser(dataDir), startUser(dataDir), startUser(dataDir)]);
  expect(users.map((user) => user.answer)).toEqual(['open', 'open', 'open']);
  const times = await Promise.all(users.map((user) => user.query(started)));
  expect(new Set(times.map(([row]) => row.at)).size).toBe(1);
  const left = readdirSync(join(dataDir, 'postgres')).filter((name) => !name.startsWith('.'));
  expect(left.sort()).toEqual(['cluster', 'postgres.log']);
  const pid = runningIn(dataDir);
  await Promise.all(users.map((user) => user.close()));
  await gone(pid);
});

test('PostgreSQL outlives the process that started it, killed or not, while another one uses it', {
  tags: ['all'],
}, async () => {
  const dataDir = await dataFolder('initialised');
  const first = await startUser(dataDir);
  const second = await startUser(dataDir);
  const before = await second.query(started);
  await first.kill();
  const third = await startUser(dataDir);
  await second.close();
  expect(await third.query(started)).toEqual(before);
});

test('a PostgreSQL whose last user was killed with -9 is joined by the next one, and ends after it', async () => {
  const dataDir = await dataFolder('initialised');
  const killed = await startUser(dataDir);
  await killed.query('create table kept as select 1 as one');
  const pid = runningIn(dataDir);
  await killed.kill();
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir });
  expect(await sql`select one from kept`).toEqual([{ one: 1 }]);
  expect(runningIn(dataDir)).toBe(pid);
  await close();
  // The process has ended by now.
  expect(isPostmasterOf(clusterIn(dataDir), pid)).toBe(false);
  expect(existsSync(join(clusterIn(dataDir), 'postmaster.pid'))).toBe(false);
});

const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0;

test.runIf(hasSetpriv)(
  'a PostgreSQL that shall end with its starter ends when that is killed with -9',
  { tags: ['all'] },
  async () => {
    const dataDir = await dataFolder('initialised');
    const script = `
    import { openDatabase } from '${new URL('../../dist/database/openDatabase.js', import.meta.url).href}';
    await openDatabase({ databaseUrl: null, dataDir: process.argv[1] }, { endsWithUs: true });
    console.log('open');`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir]);
    await once(starter.stdout, 'data');
    const pid = runningIn(dataDir);
    starter.kill('SIGKILL');
    await gone(pid);
  },
);

test('a process that opens while PostgreSQL stops gets the next one', { tags: ['all'] }, async () => {
  const dataDir = await dataFolder('initialised');
  const first = await startUser(dataDir);
  await first.query('create table kept as select 1 as one');
  for (let round = 0; round < 3; round++) {
    const closing = await openDatabase({ databaseUrl: null, dataDir });
    if (round === 0) await first.kill();
    const [, next] = await Promise.all([closing.close(), openDatabase({ databaseUrl: null, dataDir })]);
    expect(await next.sql`select one from kept`).toEqual([{ one: 1 }]);
    await next.close();
  }
});

/** Kills PostgreSQL and the process that uses it, as a power cut would. */
async function killAll(dataDir: string, user: Awaited<ReturnType<typeof startUser>>) {
  const pid = runningIn(dataDir);
  process.kill(user.pid, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  await user.kill();
  await gone(pid);
  expect(existsSync(join(clusterIn(dataDir), 'postmaster.pid'))).toBe(true);
}

test('a start that takes long says that it is a repair after a kill -9 of everything, which loses nothing, and nothing after an orderly end', {
  tags: ['all'],
}, async () => {
  const dataDir = await dataFolder('initialised');
  /** Starts while PostgreSQL is stopped for a while. Resolves with the lines for the operator. */
  async function slowStart() {
    const before = readPostmaster(clusterIn(dataDir))?.pid;
    const starting = startUser(dataDir);
    await expect
      .poll(() => readPostmaster(clusterIn(dataDir))?.pid ?? before, { interval: 1 })
      .not.toBe(before);
    const pid = runningIn(dataDir);
    process.kill(pid, 'SIGSTOP');
    await delay(4_000);
    process.kill(pid, 'SIGCONT');
    return starting;
  }
  const first = await slowStart();
  expect([first.answer, first.said]).toEqual(['open', []]);
  await first.query('create table kept as select 1 as one');
  await killAll(dataDir, first);
  const second = await slowStart();
  expect([second.answer, second.said]).toEqual([
    'open',
    ['PostgreSQL is repairing its data after a crash; this can take minutes.'],
  ]);
  expect(await second.query('select one from kept')).toEqual([{ one: 1 }]);
});

test('a PostgreSQL that is killed is started again, and both processes that use it go on', async () => {
  const dataDir = await dataFolder('initialised');
  const users = [await startUser(dataDir), await startUser(dataDir)];
  await users[0]!.query('create table kept (pid int primary key)');
  process.kill(runningIn(dataDir), 'SIGKILL');
  // A backend lives a moment longer than its postmaster, so the first answers may come from it.
  for (const { pid, query } of users) {
    const insert = `insert into kept values (${pid}) on conflict do nothing`;
    await expect.poll(() => query(insert)).toEqual([]);
  }
  const stored = () => users[0]!.query('select pid from kept order by pid');
  const pids = users.map(({ pid }) => ({ pid })).sort((a, b) => a.pid - b.pid);
  await expect.poll(stored).toEqual(pids);
  const pid = runningIn(dataDir);
  for (const user of users) await user.close();
  await gone(pid);
});

test('a start that is killed while it creates the database is no trap', { tags: ['all'] }, async () => {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 });
  const script = new URL('../kit/databaseUser.mjs', import.meta.url).pathname;
  const killed = spawn(process.execPath, [script, dataDir], { stdio: 'ignore' });
  const left = await new Promise<string>((resolve) => {
    const watcher = watch(join(dataDir, 'postgres'), (_, name) => {
      if (!name?.startsWith('init-')) return;
      watcher.close();
      killed.once('exit', () => resolve(join(dataDir, 'postgres', name)));
      killed.kill('SIGKILL');
    });
  });
  expect(existsSync(clusterIn(dataDir))).toBe(false);

  const { sql } = await openHere(dataDir);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(existsSync(left)).toBe(false);
});

test('data that PostgreSQL cannot read stops the start with PostgreSQL’s own reason', async () => {
  const dataDir = await dataFolder('initialised');
  writeFileSync(join(clusterIn(dataDir), 'global', 'pg_control'), 'broken');
  const refused = await openDatabase({ databaseUrl: null, dataDir }).catch((error) => error);
  expect(refused).toBeInstanceOf(DatabaseError);
  expect(refused.message).toMatch(/^PostgreSQL does not start: .*pg_control.*postgres\.log/);
});

test('a data folder with quotes, signs, umlauts and white space in its path works', {
  tags: ['all'],
}, async () => {
  const name = ` it's "q" $1 \`y\` \\z a,b=c%41 & # ; bücher\t邮 😀 x`;
  const { sql } = await openHere(join(temporaryFolder(), name));
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('PostgreSQL that was told to stop while it is used ends, and is started again', {
  tags: ['all'],
}, async () => {
  const dataDir = await dataFolder('initialised');
  const { sql } = await openHere(dataDir);
  const user = await startUser(dataDir);
  const [before] = await sql.unsafe(started);
  const pid = runningIn(dataDir);
  // A process manager or a person does this. PostgreSQL would wait for its last client.
  process.kill(pid, 'SIGTERM');
  await gone(pid);
  const answers = () => Promise.all([sql.unsafe(started), user.query(started)]).catch(() => []);
  await expect.poll(async () => (await answers()).flat()[1]?.at ?? before!.at).not.toBe(before!.at);
});
