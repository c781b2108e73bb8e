// @module-tag long
import { expect, it } from 'vitest';
import { exampleOf } from '../kit/examples.js';
import { startPgBouncer } from '../kit/pgBouncer.js';
import { runProcess, startServerProcess } from '../kit/process.js';
import { sendTo } from '../kit/server.js';
import {
  createGuideDatabase,
  isMissing,
  type OwnVersion,
  startOwnPostgres,
  statementsOf,
} from './startOwnPostgres.js';

/** Stores an order of a new team through a server on that database; gives its team. */
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
  // One after the other: a busy machine answers many concurrent ones with 503.
  for (let at = 0; at < 20; at++)
    expect([at, await report(`A-${at}`), server.output()]).toEqual([at, 200, expect.any(String)]);
  expect(await run('order', 'list', '--team', teamId)).toHaveLength(20);
  const checks: { check: string; ok: boolean; message: string }[] = await run('doctor');
  return { server, checks };
}

/** Starts a PostgreSQL with the guide's role and database, and tries a server there. */
async function openOwn(version: OwnVersion) {
  const own = await startOwnPostgres(version);
  const { admin, url, urlOf, rootFile } = own;
  await createGuideDatabase(admin);
  const { server, checks } = await tryServer(url);
  expect(checks.filter(({ check, ok }) => !ok && !['public URL', 'proxies'].includes(check))).toEqual([]);
  const [session] = await admin`
    select bool_and(ssl) as "isTls", current_setting('server_version_num')::int / 10000 as version
    from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'orderbeacon'`;
  expect(session).toEqual({ isTls: true, version });
  // The role may make no role and no database, and owns nothing else.
  const [role] = await admin`
    select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
      (select count(*)::int from pg_database where datdba = pg_roles.oid) as databases
    from pg_roles where rolname = 'orderbeacon'`;
  expect(role).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
    databases: 1,
  });
  const refusals: [parameters: string, host: string, said: RegExp][] = [
    [`sslmode=verify-full&sslrootcert=${rootFile}`, '127.0.0.1', /does not match certificate's altnames/],
    ['sslmode=verify-full', 'localhost', /self-signed certificate|unable to get/],
    ['sslmode=disable', 'localhost', /no encryption/],
  ];
  for (const [parameters, host, said] of refusals) {
    const { code, stderr } = await runProcess(['team', 'list'], { DATABASE_URL: urlOf(host, parameters) });
    expect([parameters, code, stderr]).toEqual([parameters, 1, expect.stringMatching(said)]);
  }
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
  return own;
}

it('PostgreSQL 18 with the role and the TLS of the guides stores each order', async () => {
  await openOwn(18);
});

it.skipIf(isMissing(15))(
  'PostgreSQL 15 with the role, the settings and the TLS of the guides stores each order, directly and behind both poolers',
  { timeout: 300_000 },
  async () => {
    const { admin, socketUrl } = await openOwn(15);

    const [set] = statementsOf('database-settings.md');
    await admin.unsafe(set!);
    const [given] = await admin`
      select cardinality(rolconfig) as settings from pg_roles where rolname = 'orderbeacon'`;
    expect(given).toEqual({ settings: 3 });
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
