import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, watch, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/openDatabase.js';
import { isPostmasterOf, readPostmaster } from '../src/embedded/postmaster.js';
import { sharedBuffersMb } from '../src/embedded/settings.js';
import { DatabaseError } from '../src/values/errors.js';
import { dataFolder } from './dataFolder.js';
import { gone, runningIn, startUser } from './embeddedProcesses.js';
import { clusterIn, temporaryFolder } from './temporaryFolder.js';

const started = 'select pg_postmaster_start_time()::text as at';

async function openHere(dataDir: string) {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  onTestFinished(() => database.close());
  return database;
}

test('PostgreSQL listens on no network address and keeps what it acknowledges', async () => {
  const { sql } = await openHere(temporaryFolder());
  const rows = await sql`select name, setting from pg_settings
    where name in ('listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding')`;
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    server_encoding: 'UTF8',
  });
});

test('PostgreSQL compresses the pages that it logs after a checkpoint', async () => {
  const { sql } = await openHere(await dataFolder('initialised'));
  await sql`create table logged as select n, repeat('order', 20) as text from generate_series(1, 60) as n`;
  await sql`checkpoint`;
  const [before] = await sql<[{ at: string }]>`select pg_current_wal_lsn()::text as at`;
  await sql`update logged set n = 0 where n = 1`;
  const [logged] = await sql<[{ bytes: number }]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), ${before.at}::pg_lsn)::float as bytes`;
  // A page has 8,192 bytes.
  expect(logged.bytes).toBeLessThan(6_000);
});

test('PostgreSQL keeps an eighth of the memory for what it reads often, within bounds', async () => {
  const gigabyte = 1024 ** 3;
  expect([0.25, 1, 4, 8, 64].map((size) => sharedBuffersMb(size * gigabyte))).toEqual([
    128, 128, 512, 1024, 1024,
  ]);
  const { sql } = await openHere(await dataFolder('initialised'));
  const [row] = await sql<[{ bytes: number }]>`
    select pg_size_bytes(current_setting('shared_buffers'))::float as bytes`;
  const containerBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  expect(row.bytes).toBe(sharedBuffersMb(Math.min(totalmem(), containerBytes)) * 1024 ** 2);
});

test('nobody but its own user can come near the data and the socket', async () => {
  const dataDir = await dataFolder('initialised');
  await openHere(dataDir);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres', '.s.PGSQL.5432')).mode & 0o777).toBe(0o700);
});

test('processes that start concurrently on an empty folder share one PostgreSQL', async () => {
  const dataDir = temporaryFolder();
  const users = await Promise.all([startUser(dataDir), startUser(dataDir), startUser(dataDir)]);
  expect(users.map((user) => user.answer)).toEqual(['open', 'open', 'open']);
  const times = await Promise.all(users.map((user) => user.query(started)));
  expect(new Set(times.map(([row]) => row.at)).size).toBe(1);
  const left = readdirSync(join(dataDir, 'postgres')).filter((name) => !name.startsWith('.'));
  expect(left.sort()).toEqual(['cluster', 'postgres.log']);
});

test('PostgreSQL outlives the process that started it, killed or not, while another one uses it', async () => {
  const dataDir = await dataFolder('initialised');
  const first = await startUser(dataDir);
  const second = await startUser(dataDir);
  const before = await second.query(started);
  await first.kill();
  const third = await startUser(dataDir);
  await second.close();
  expect(await third.query(started)).toEqual(before);
});

test('PostgreSQL has ended when its last user has closed it', async () => {
  const dataDir = await dataFolder('initialised');
  const user = await startUser(dataDir);
  const pid = runningIn(dataDir);
  const database = await openHere(dataDir);
  await user.close();
  process.kill(pid, 0);
  await database.close();
  expect(isPostmasterOf(clusterIn(dataDir), pid)).toBe(false);
  expect(existsSync(join(clusterIn(dataDir), 'postmaster.pid'))).toBe(false);
});

test('users that leave concurrently leave no PostgreSQL behind', async () => {
  const dataDir = await dataFolder('initialised');
  const users = await Promise.all([startUser(dataDir), startUser(dataDir), startUser(dataDir)]);
  const pid = runningIn(dataDir);
  await Promise.all(users.map((user) => user.close()));
  await gone(pid);
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
  await gone(pid);
});

const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0;

test.runIf(hasSetpriv)(
  'a PostgreSQL that shall end with its starter ends when that is killed with -9',
  async () => {
    const dataDir = await dataFolder('initialised');
    const script = `
    import { openDatabase } from '${new URL('../dist/database/openDatabase.js', import.meta.url).href}';
    await openDatabase({ databaseUrl: null, dataDir: process.argv[1] }, { endsWithUs: true });
    console.log('open');`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir]);
    await once(starter.stdout, 'data');
    const pid = runningIn(dataDir);
    starter.kill('SIGKILL');
    await gone(pid);
  },
);

test('a process that opens while PostgreSQL stops gets the next one', async () => {
  const dataDir = await dataFolder('initialised');
  const first = await startUser(dataDir);
  await first.query('create table kept as select 1 as one');
  for (let round = 0; round < 5; round++) {
    const closing = await openDatabase({ databaseUrl: null, dataDir });
    if (round === 0) await first.kill();
    const [, next] = await Promise.all([closing.close(), openDatabase({ databaseUrl: null, dataDir })]);
    expect(await next.sql`select one from kept`).toEqual([{ one: 1 }]);
    await next.close();
  }
});

/** Kills PostgreSQL and the process that uses it, as a power cut would end both. */
async function killAll(dataDir: string, user: Awaited<ReturnType<typeof startUser>>) {
  const pid = runningIn(dataDir);
  process.kill(user.pid, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  await user.kill();
  await gone(pid);
  expect(existsSync(join(clusterIn(dataDir), 'postmaster.pid'))).toBe(true);
}

test('after a kill -9 of everything the next start finds what was acknowledged', async () => {
  const dataDir = await dataFolder('initialised');
  const user = await startUser(dataDir);
  await user.query('create table kept as select 1 as one');
  await killAll(dataDir, user);
  const { sql } = await openHere(dataDir);
  expect(await sql`select one from kept`).toEqual([{ one: 1 }]);
});

test('a start that takes long says that it is a repair after a kill -9, and nothing after an orderly end', async () => {
  const dataDir = await dataFolder('initialised');
  /** What a start says whose PostgreSQL stands still for a while. */
  async function slowStart() {
    const before = readPostmaster(clusterIn(dataDir))?.pid;
    const starting = startUser(dataDir);
    await expect
      .poll(() => readPostmaster(clusterIn(dataDir))?.pid ?? before, { interval: 1 })
      .not.toBe(before);
    const pid = runningIn(dataDir);
    process.kill(pid, 'SIGSTOP');
    await delay(5_000);
    process.kill(pid, 'SIGCONT');
    return starting;
  }
  const first = await slowStart();
  expect([first.answer, first.said]).toEqual(['open', []]);
  await killAll(dataDir, first);
  const second = await slowStart();
  expect([second.answer, second.said]).toEqual([
    'open',
    ['PostgreSQL is repairing its data after a crash; this can take minutes.'],
  ]);
});

test('a stale lock whose number belongs to another process by now does not stop the start', async () => {
  const dataDir = await dataFolder('initialised');
  const cluster = clusterIn(dataDir);
  const { uid, gid } = statSync(cluster);
  // PostgreSQL itself refuses only for a process of its own user.
  const stranger = spawn('sleep', ['60'], {
    cwd: '/',
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  onTestFinished(() => void stranger.kill());
  const lines = [stranger.pid, cluster, 1, 5432, '..', '', '1 1', 'ready'];
  writeFileSync(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`);

  const { sql } = await openHere(dataDir);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
});

test('a PostgreSQL that is killed is started again, and its users go on', async () => {
  const dataDir = await dataFolder('initialised');
  const { sql } = await openHere(dataDir);
  await sql`create table kept as select 1 as one`;
  const pid = runningIn(dataDir);
  process.kill(pid, 'SIGKILL');
  // A backend outlives its postmaster for a moment, so the first answers may still be its own.
  await expect.poll(() => readPostmaster(clusterIn(dataDir))?.pid ?? pid).not.toBe(pid);
  await expect.poll(() => sql`select one from kept`.catch((error) => error.code)).toEqual([{ one: 1 }]);
});

test.each(['the one that started PostgreSQL', 'the other one', 'PostgreSQL'])(
  'of two processes on one folder both, or the one that is left, go on after a kill -9 of %s',
  async (victim) => {
    const dataDir = await dataFolder('initialised');
    const users = [await startUser(dataDir), await startUser(dataDir)];
    await users[0]!.query('create table kept (pid int primary key)');
    const killed = { 'the one that started PostgreSQL': users[0], 'the other one': users[1] }[victim];
    const left = users.filter((user) => user !== killed);
    if (killed) await killed.kill();
    else process.kill(runningIn(dataDir), 'SIGKILL');
    for (const { pid, query } of left) {
      const insert = `insert into kept values (${pid}) on conflict do nothing`;
      await expect.poll(() => query(insert)).toEqual([]);
    }
    const stored = () => left[0]!.query('select pid from kept order by pid');
    await expect.poll(stored).toEqual(left.map(({ pid }) => ({ pid })).sort((a, b) => a.pid - b.pid));
    const pid = runningIn(dataDir);
    for (const user of left) await user.close();
    await gone(pid);
  },
);

test('a start that is killed while it creates the database is no trap', async () => {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 });
  const script = new URL('./databaseUser.mjs', import.meta.url).pathname;
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

test('a data folder of another PostgreSQL major is refused in one line that says what to do', async () => {
  const dataDir = await dataFolder('initialised');
  writeFileSync(join(clusterIn(dataDir), 'PG_VERSION'), '17\n');
  const refused = await openDatabase({ databaseUrl: null, dataDir }).catch((error) => error);
  expect(refused).toBeInstanceOf(DatabaseError);
  expect(refused.message).toMatch(
    /made by PostgreSQL 17, and this Orderbeacon brings PostgreSQL 18\. .*orderbeacon restore/,
  );
});

test('data that PostgreSQL cannot read stops the start with PostgreSQL’s own reason', async () => {
  const dataDir = await dataFolder('initialised');
  writeFileSync(join(clusterIn(dataDir), 'global', 'pg_control'), 'broken');
  const refused = await openDatabase({ databaseUrl: null, dataDir }).catch((error) => error);
  expect(refused).toBeInstanceOf(DatabaseError);
  expect(refused.message).toMatch(/^PostgreSQL does not start: .*pg_control.*postgres\.log/);
});

test('a data folder with quotes, signs, umlauts and white space in its path works', async () => {
  const name = ` it's "q" $1 \`y\` \\z a,b=c%41 & # ; bücher\t邮 😀 x`;
  const { sql } = await openHere(join(temporaryFolder(), name));
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('a data folder with a path too long for a socket works', async () => {
  const dataDir = join(temporaryFolder(), 'x'.repeat(150), 'y'.repeat(150));
  const { sql } = await openHere(dataDir);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect((await startUser(dataDir)).answer).toBe('open');
});
