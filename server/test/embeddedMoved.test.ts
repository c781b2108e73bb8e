import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../src/database/connection/connect.js';
import { openDatabase } from '../src/database/openDatabase.js';
import { isAlive } from '../src/embedded/postmaster.js';
import { dataFolder } from './dataFolder.js';
import { gone, runningIn, startUser } from './embeddedProcesses.js';
import { startServerProcess } from './process.js';
import { sendTo } from './server.js';
import { clusterIn, temporaryFolder } from './temporaryFolder.js';

/** A parent for folders that are moved about, and a database in one of them that another process uses. */
async function startInOld(name = 'data') {
  const parent = temporaryFolder();
  const dataDir = join(parent, name);
  await dataFolder('initialised', dataDir);
  const user = await startUser(dataDir);
  await user.query('create table kept as select 1 as one');
  const { pid, runFolder } = runningIn(dataDir);
  // Uses PostgreSQL without being one of those that it runs for and that look after its folder.
  const side = connect(`postgres://orderbeacon@localhost/postgres?host=${runFolder}`, 1);
  await side`select 1`;
  onTestFinished(async () => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await side.end({ timeout: 0 });
  });
  const supervisor = Number(readFileSync(join(runFolder, 'supervisor'), 'utf8'));
  return { parent, dataDir, user, pid, supervisor, checkpoint: () => side`checkpoint`.catch(() => {}) };
}

/** Opens the database in that folder again, and lists its tables. */
async function tablesIn(dataDir: string): Promise<string[]> {
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir }, { creates: false });
  const rows = await sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace`;
  await close();
  return rows.map(({ name }) => name);
}

type Old = Awaited<ReturnType<typeof startInOld>>;
const endings: Record<string, (old: Old) => Promise<void>> = {
  'is stopped': async ({ user }) => {
    process.kill(user.pid, 'SIGCONT');
    await user.close();
  },
  'is killed': ({ user }) => user.kill(),
  'writes a checkpoint and is killed': async ({ user, checkpoint }) => {
    await checkpoint();
    await user.kill();
  },
  'loses its PostgreSQL to kill -9 and is killed': async ({ user, pid, supervisor }) => {
    // PostgreSQL looks for its folder each minute, and on a busy machine it has already ended by itself.
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await gone(pid);
    await user.kill();
    await gone(supervisor);
  },
  'loses its supervisor to kill -9 and is killed': async ({ user, supervisor, checkpoint }) => {
    process.kill(supervisor, 'SIGKILL');
    await checkpoint();
    await user.kill();
  },
};

for (const [ending, end] of Object.entries(endings)) {
  test(`a server whose folder was moved away ${ending}: its data and that of the new folder are whole`, async () => {
    const old = await startInOld();
    const moved = join(old.parent, 'moved');
    // A process that stands still cannot notice that its folder has gone.
    process.kill(old.user.pid, 'SIGSTOP');
    renameSync(old.dataDir, moved);
    const fresh = await openDatabase({ databaseUrl: null, dataDir: old.dataDir });
    await fresh.sql`create table fresh as select 1 as one`;
    await fresh.close();
    await end(old);
    expect(await tablesIn(moved)).toEqual(['kept']);
    await gone(old.pid);
    expect(await tablesIn(old.dataDir)).toEqual(['fresh']);
  });

  test(`a server whose folder was deleted ${ending}: a database made anew in its place is whole`, async () => {
    const old = await startInOld();
    process.kill(old.user.pid, 'SIGSTOP');
    rmSync(old.dataDir, { recursive: true });
    const fresh = await openDatabase({ databaseUrl: null, dataDir: old.dataDir });
    await fresh.sql`create table fresh as select 1 as one`;
    await fresh.close();
    await end(old);
    expect(await tablesIn(old.dataDir)).toEqual(['fresh']);
  });
}

test('every order that a server acknowledged until its folder was moved away is in the moved one', async () => {
  const parent = temporaryFolder();
  const dataDir = await dataFolder('migrated', join(parent, 'data'));
  const env = { ORDERBEACON_DATA_DIR: dataDir, ORDERBEACON_RATE_LIMIT: 'off' };
  const server = await startServerProcess(env);
  await expect.poll(server.output).toContain('Demo team');
  const teamId = /team_[0-9a-z]{26}/.exec(server.output())![0];
  const acknowledged: string[] = [];
  let isMoved = false;
  const refusals = new Set<number>();
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; ; n++) {
      const orderId = `${writer}-${n}`;
      const { status } = await sendTo(new URL('/svc-api/v1/orders', server.url), 'POST', {
        headers: { 'content-type': 'application/json', origin: 'http://localhost' },
        body: JSON.stringify({ teamId, orderId, email: 'ann@buyer.example', amount: n }),
      });
      if (status === 200) acknowledged.push(orderId);
      else refusals.add(status);
      // A machine that stands still for a moment answers 503 too.
      if (status !== 200 && isMoved) return;
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
  const moved = join(parent, 'moved');
  renameSync(dataDir, moved);
  isMoved = true;
  await Promise.all(writers);
  expect([...refusals]).toEqual([503]);
  expect(server.output()).toContain(`The data folder ${dataDir} was moved, deleted or replaced`);
  const next = await startServerProcess(env);
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
  next.signal('SIGTERM');
  expect((await next.ended).code).toBe(0);

  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir: moved });
  const rows = await sql`select order_id as "orderId" from placed_order`;
  await close();
  const stored = new Set(rows.map(({ orderId }) => orderId));
  expect(stored.size).toBe(rows.length);
  expect(acknowledged.filter((orderId) => !stored.has(orderId))).toEqual([]);
  expect(await tablesIn(dataDir)).toContain('placed_order');
});

test('a process whose folder is moved away is told so, its PostgreSQL ends and nothing more is stored', async () => {
  const parent = temporaryFolder();
  const dataDir = await dataFolder('initialised', join(parent, 'data'));
  const said: string[] = [];
  const { sql, close } = await openDatabase(
    { databaseUrl: null, dataDir },
    { notify: (line) => said.push(line) },
  );
  onTestFinished(() => close());
  await sql`create table kept as select 1 as one`;
  const { pid } = runningIn(dataDir);
  renameSync(dataDir, join(parent, 'moved'));
  await gone(pid);
  expect(said).toEqual([expect.stringMatching(/^The data folder \S+\/data was moved, deleted or replaced/)]);
  await expect(sql`insert into kept values (2)`).rejects.toThrow();
  expect(await tablesIn(join(parent, 'moved'))).toEqual(['kept']);
});

test.runIf(process.getuid?.() === 0)(
  'a process whose data lies elsewhere is told when the folder that leads there is moved',
  async () => {
    const parent = temporaryFolder();
    chmodSync(parent, 0o700);
    const dataDir = join(parent, 'data');
    const said: string[] = [];
    const database = await openDatabase(
      { databaseUrl: null, dataDir },
      { notify: (line) => said.push(line) },
    );
    const home = readFileSync(join(dataDir, 'postgres-lies-in'), 'utf8').trim();
    onTestFinished(async () => {
      await database.close();
      rmSync(home, { recursive: true });
    });
    renameSync(dataDir, join(parent, 'moved'));
    await expect.poll(() => said.join('\n')).toContain('was moved, deleted or replaced');
  },
);

for (const [kind, name] of [
  ['', 'data'],
  [' whose path is too long for a socket', `${'x'.repeat(100)}`],
] as const) {
  test(`a moved folder${kind} that is still in use is refused, and opens when it is not`, async () => {
    const { parent, dataDir, user, pid } = await startInOld(name);
    const moved = join(parent, 'm'.repeat(name.length));
    process.kill(user.pid, 'SIGSTOP');
    renameSync(dataDir, moved);
    const refused = await openDatabase({ databaseUrl: null, dataDir: moved }).catch((error) => error);
    expect(refused.message).toMatch(
      new RegExp(
        `^The data in ${moved}/postgres is in use by a server .* process ${pid}\\): stop that server`,
      ),
    );
    expect(isAlive(pid)).toBe(true);
    process.kill(user.pid, 'SIGCONT');
    await gone(pid);
    expect(await tablesIn(moved)).toEqual(['kept']);
  });
}

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
