// @module-tag all
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { runOrderbeacon } from '../kit/command.js';
import { freePort } from '../kit/freePort.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo, startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { untilListening } from '../kit/untilListening.js';

const program = '/usr/sbin/pgbouncer';
// Without it (Debian: apt-get install pgbouncer) a skip; on CI a failure.
const isThere = spawnSync(program, ['--version']).error === undefined;
const withPgBouncer = test.skipIf(!isThere && process.env.CI !== 'true');

/** Starts PgBouncer in front of a database, with few connections, so that its clients share them; resolves with its URL. */
async function startPgBouncer(url: string, settings: string): Promise<string> {
  const { searchParams, hostname, port: portOf, username, pathname } = new URL(url);
  const socketFolder = searchParams.get('host');
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${socketFolder ?? hostname} port=${portOf || 5432} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
default_pool_size = 8
max_client_conn = 200
${settings}
`,
  );
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  // It refuses to run as root, and the folder of PostgreSQL's socket is open to its owner alone.
  const { uid, gid } = statSync(socketFolder ?? folder);
  const as = process.getuid?.() === 0 && socketFolder ? { uid, gid } : {};
  const child = spawn(program, [file], { stdio: 'ignore', ...as });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await untilListening(port);
  return `postgres://${username}@127.0.0.1:${port}${pathname}`;
}

const silent = `ignore_startup_parameters = ${[
  ...['extra_float_digits', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
  ...['IntervalStyle', 'bytea_output', 'default_transaction_isolation', 'idle_session_timeout'],
].join(', ')}`;

withPgBouncer.for([
  ['that refuses parameters', 'pool_mode = transaction'],
  ['that ignores parameters', `pool_mode = transaction\n${silent}`],
  ['that takes connections in turn', 'pool_mode = transaction\nserver_round_robin = 1'],
])(
  'behind PgBouncer by transactions, %s, every report is stored, and no statement prepared',
  async ([, settings]) => {
    const direct = await startServerForTest();
    const { origin, order, stored } = await openShop(direct);
    const { url, output } = await startServerProcess({
      DATABASE_URL: await startPgBouncer(direct.env.DATABASE_URL!, settings!),
    });
    expect(output().match(/gives each transaction another connection/g)).toHaveLength(1);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
          headers: { origin, 'content-type': 'text/plain' },
          body: JSON.stringify(order({ orderId: `o-${n % 90}` })),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await stored()).toHaveLength(90);
  },
);

withPgBouncer('behind PgBouncer by sessions statements are prepared', async () => {
  const server = await startServerForTest();
  const told: string[] = [];
  const databaseUrl = await startPgBouncer(server.env.DATABASE_URL!, 'pool_mode = session');
  const { url, close } = await openDatabase(
    { databaseUrl, dataDir: '/nowhere' },
    { poolSize: 1, notify: (line) => told.push(line) },
  );
  await close();
  expect([url, told]).toEqual([databaseUrl, []]);
  expect((await runOrderbeacon(['team', 'list', '--json'], { DATABASE_URL: databaseUrl })).code).toBe(0);
});
