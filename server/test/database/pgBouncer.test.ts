// @module-tag all
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { runOrderbeacon } from '../kit/command.js';
import { pgBouncer, startPgBouncer } from '../kit/pgBouncer.js';
import { startServerProcess } from '../kit/process.js';
import { sendTo, startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';

// Without it (Debian: apt-get install pgbouncer) the tests are skipped; on CI they fail.
const isThere = spawnSync(pgBouncer, ['--version']).error === undefined;
const withPgBouncer = test.skipIf(!isThere && process.env.CI !== 'true');

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
  const notices: string[] = [];
  const databaseUrl = await startPgBouncer(server.env.DATABASE_URL!, 'pool_mode = session');
  const { url, close } = await openDatabase(
    { databaseUrl, dataDir: '/nowhere' },
    { poolSize: 1, notify: (line) => notices.push(line) },
  );
  await close();
  expect([url, notices]).toEqual([databaseUrl, []]);
  expect((await runOrderbeacon(['team', 'list', '--json'], { DATABASE_URL: databaseUrl })).code).toBe(0);
});
