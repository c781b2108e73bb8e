// @module-tag long
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { chooseUser, identityOf } from '../../src/embedded/user.js';
import { makeChain } from '../kit/certificateChain.js';
import { blocksOf } from '../kit/documentation.js';
import { exampleOf } from '../kit/examples.js';
import { freePort } from '../kit/freePort.js';
import { startPgBouncer } from '../kit/pgBouncer.js';
import { runProcess, startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { untilListening } from '../kit/untilListening.js';

/** PostgreSQL of Debian 12, the oldest in the guide. Without it (apt-get install postgresql) a skip; on CI a failure. */
const binaries = '/usr/lib/postgresql/15/bin';
const isMissing = !existsSync(binaries) && process.env.CI !== 'true';

const password = 'secret';
/** Reads the statements of a guide, with a password. */
const statementsOf = (guide: string) =>
  blocksOf(`server/guides/${guide}`)
    .filter(({ kind }) => kind === 'sql')
    .map(({ code }) => code.replace('…', password));

/** Starts a PostgreSQL with TLS. Resolves with a function that runs SQL as superuser, and the URL of the guide's role. */
async function startOwn() {
  const { folder, rootFile } = makeChain();
  const home = temporaryFolder();
  const cluster = join(home, 'cluster');
  const user = chooseUser(0);
  const as = identityOf(user);
  mkdirSync(cluster);
  if (user) chownSync(cluster, user.uid, user.gid);
  execFileSync(join(binaries, 'initdb'), ['-D', cluster, '-U', 'postgres', '--auth=trust', '--no-sync'], {
    ...as,
    stdio: 'ignore',
  });
  for (const name of ['fullchain.pem', 'privkey.pem']) {
    cpSync(join(folder, name), join(cluster, name));
    if (user) chownSync(join(cluster, name), user.uid, user.gid);
  }
  writeFileSync(
    join(cluster, 'pg_hba.conf'),
    'local all all trust\nhostssl all all localhost scram-sha-256\n',
  );
  if (user) chownSync(home, user.uid, user.gid);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    `unix_socket_directories=${home}`,
    'ssl=on',
    'ssl_cert_file=fullchain.pem',
    'ssl_key_file=privkey.pem',
    'fsync=off',
  ];
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(binaries, 'postgres'), args, { ...as, stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
  });
  await untilListening(port);
  const psql = (sql: string, database = 'postgres') =>
    execFileSync(
      join(binaries, 'psql'),
      ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-h', home, '-p', String(port), '-U', 'postgres', database],
      {
        input: sql,
        encoding: 'utf8',
      },
    ).trim();
  const url = `postgres://orderbeacon:${password}@localhost:${port}/orderbeacon?sslmode=verify-full&sslrootcert=${rootFile}`;
  const socketUrl = `postgres://orderbeacon:${password}@localhost:${port}/orderbeacon?host=${encodeURIComponent(home)}`;
  return { psql, url, socketUrl };
}

/** Stores orders of a new team through a server on a database. Resolves with the team. */
async function tryServer(DATABASE_URL: string) {
  const server = await startServerProcess({ DATABASE_URL });
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runProcess([...args, '--json'], { DATABASE_URL });
    expect(stdout, stderr).not.toBe('');
    return JSON.parse(stdout);
  };
  const { id: teamId } = await run('team', 'create', '--name', 'Shop');
  const { key } = await run('key', 'create', '--team', teamId);
  const report = async (orderId: string) => {
    const { status, text } = await sendTo(new URL('/svc-api/v1/orders', server.url), 'POST', {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId }),
    });
    return status === 200 ? 200 : `${status} ${text}`;
  };
  // One after the other, because a busy machine answers many concurrent ones with 503.
  for (let at = 0; at < 20; at++)
    expect([at, await report(`A-${at}`), server.output()]).toEqual([at, 200, expect.any(String)]);
  expect(await run('order', 'list', '--team', teamId)).toHaveLength(20);
  const checks: { check: string; ok: boolean; message: string }[] = await run('doctor');
  return { server, checks };
}

it.skipIf(isMissing)(
  'PostgreSQL 15 with the role, the settings and the TLS of the guides stores each order, directly and behind both poolers',
  { timeout: 300_000 },
  async () => {
    const { psql, url, socketUrl } = await startOwn();
    const [create, ...others] = statementsOf('production.md');
    expect([create, others]).toEqual([expect.stringMatching(/^create role .*;\ncreate database .*;\n$/), []]);
    for (const statement of create!.trim().split('\n')) psql(statement);
    const { server, checks } = await tryServer(url);
    expect(checks.filter(({ check, ok }) => !ok && !['public URL', 'proxies'].includes(check))).toEqual([]);
    expect(
      psql(
        'select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = $$orderbeacon$$',
      ),
    ).toBe('t');
    // The role may create no role and no database, and owns nothing else.
    expect(
      psql('select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = $$orderbeacon$$'),
    ).toBe('f|f|f');
    server.signal('SIGTERM');
    await server.ended;

    const [set] = statementsOf('database-settings.md');
    psql(set!);
    expect(psql("select array_length(rolconfig, 1) from pg_roles where rolname = 'orderbeacon'")).toBe('3');
    const poolers = {
      session: exampleOf('server/guides/database-settings.md', 'pgbouncer-session'),
      transaction: 'pool_mode = transaction',
    };
    for (const [mode, lines] of Object.entries(poolers)) {
      const pooled = await startPgBouncer(socketUrl, lines);
      const { server, checks } = await tryServer(pooled);
      expect([mode, /gives each transaction another connection/.test(server.output())]).toEqual([
        mode,
        mode === 'transaction',
      ]);
      expect(checks.find(({ check }) => check === 'database')).toMatchObject({ ok: true });
      server.signal('SIGTERM');
      expect((await server.ended).code).toBe(0);
    }
  },
);
