import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connect as connectPool, statementBounds } from '../../src/database/connection/connect.js';
import { openDatabase } from '../../src/database/openDatabase.js';
import { DatabaseError } from '../../src/values/errors.js';
import { newUuid } from '../../src/values/ids.js';
import { createTestDatabase } from '../kit/database.js';
import { freePort } from '../kit/freePort.js';
import { startRawReceiver } from '../kit/rawReceiver.js';
import { startPooler } from './pooler.js';

const isGiven = process.env.ORDERBEACON_TEST_DATABASE_URL !== undefined;

/** The forms in which libpq writes a socket folder. */
const folderUrls: [string, (url: URL, folder: string) => string][] = [
  ['as a parameter', (url) => url.href],
  ['as a parameter, with a user and no host', (url) => url.href.replace('@localhost', '@')],
  [
    'as an encoded host',
    ({ username, port, pathname }, folder) =>
      `postgresql://${username}@${encodeURIComponent(folder)}${port && `:${port}`}${pathname}`,
  ],
];

test.skipIf(isGiven).each(folderUrls)('DATABASE_URL may name a socket folder %s', async (_, write) => {
  const { url, close } = await createTestDatabase();
  const folder = new URL(url).searchParams.get('host')!;
  const databaseUrl = write(new URL(url), folder);
  const database = await openDatabase({ databaseUrl, dataDir: '/nowhere' });
  const [row] =
    await database.sql`select current_database() as name, current_setting('application_name') as application`;
  expect(url).toContain(`/${row!.name}?`);
  expect(row!.application).toBe('orderbeacon 0.5');
  expect(database.folder).toBeNull();
  expect(database.name).toBe(`the database of DATABASE_URL (${row!.name} on ${folder})`);
  await database.close();
  await close();
});

test('the name of a database in DATABASE_URL is percent-encoded, as libpq reads it', async () => {
  const { sql, url, close } = await createTestDatabase();
  const name = `bücher 100% ${newUuid()}`;
  await sql`create database ${sql(name)}`;
  const encoded = Object.assign(new URL(url), { pathname: `/${encodeURIComponent(name)}` });
  const database = await openDatabase({ databaseUrl: encoded.href, dataDir: '/nowhere' });
  expect(await database.sql`select current_database() as name`).toEqual([{ name }]);
  expect(database.name).toContain(`(${name} on `);
  await database.close();
  await sql`drop database ${sql(name)} with (force)`;
  await close();
});

test('a database that cannot be reached is an error of one line that holds no password', async () => {
  const port = await freePort();
  const databaseUrl = `postgres://me:secret@127.0.0.1:${port}/orders`;
  const error = await openDatabase({ databaseUrl, dataDir: '/nowhere' }).catch((reason) => reason);
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error.message).toBe(
    `Cannot use the database of DATABASE_URL (orders on 127.0.0.1:${port}): connect ECONNREFUSED 127.0.0.1:${port}. Start PostgreSQL there, or correct host and port in DATABASE_URL.`,
  );
});

test('a database that accepts connections and is silent is an error that says so', async () => {
  const { port } = await startRawReceiver(() => {});
  const databaseUrl = `postgres://me@127.0.0.1:${port}/orders`;
  await expect(openDatabase({ databaseUrl, dataDir: '/nowhere' })).rejects.toThrow(
    `Cannot use the database of DATABASE_URL (orders on 127.0.0.1:${port}): it does not answer.`,
  );
});

test('a pooler that takes no time bounds as parameters is used without them, and a PostgreSQL gets them', async () => {
  const { url, close } = await createTestDatabase();
  const pooled = await openDatabase({ databaseUrl: await startPooler(url), dataDir: '/nowhere' });
  const sql = connectPool(pooled.url, 1, { ...statementBounds, arePassed: pooled.takesSettings });
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);

  const direct = await openDatabase({ databaseUrl: url, dataDir: '/nowhere' });
  expect(direct.takesSettings).toBe(true);
  const bounded = connectPool(direct.url, 1, statementBounds);
  const shown = await bounded`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`;
  expect(shown).toEqual([{ statement: '10s', lock: '3s', idle: '30s' }]);

  await Promise.all([sql.end(), bounded.end(), pooled.close(), direct.close()]);
  await close();
});

/** Parameters as libraries and providers write them, and their effect on the connection. */
const parameters: [string, { ignored?: string[]; is?: Record<string, string>; prepares?: boolean }][] = [
  // Of Neon and its proxy.
  [
    'gssencmode=disable&keepalives=1&keepalives_idle=30&options=-c%20work_mem%3D64kB',
    {
      ignored: ['gssencmode', 'keepalives', 'keepalives_idle'],
      is: { work_mem: '64kB' },
    },
  ],
  // Of Prisma, Supabase and Vercel.
  [
    'schema=public&pgbouncer=true&connection_limit=1&pool_timeout=10&socket_timeout=5&supa=base-pooler.x',
    {
      ignored: ['pool_timeout', 'socket_timeout', 'supa'],
      prepares: false,
    },
  ],
  ['schema=Shop%22s&sslaccept=strict', { is: { search_path: '"Shop""s"' } }],
  [
    'currentSchema=shop&prepareThreshold=0&ApplicationName=x&reWriteBatchedInserts=true',
    {
      ignored: ['ApplicationName', 'reWriteBatchedInserts'],
      is: { search_path: '"shop"' },
      prepares: false,
    },
  ],
  [
    'uselibpqcompat=true&statement_cache_size=0&connect_timeout=15&target_session_attrs=any',
    { prepares: false },
  ],
  [
    'sslnegotiation=postgres&max=5&idle_timeout=9&fetch_types=true',
    {
      ignored: ['max', 'idle_timeout', 'fetch_types'],
    },
  ],
  // Parameters that would change answers have no effect.
  [
    'datestyle=German&timezone=Asia/Tokyo&client_encoding=LATIN1&encoding=utf8&application_name=shop',
    {
      ignored: ['encoding'],
      is: { DateStyle: 'ISO, MDY', TimeZone: 'UTC', client_encoding: 'UTF8', application_name: 'shop' },
    },
  ],
  ['replication=database&statement_timeout=500', { is: { statement_timeout: '500ms' } }],
];

test.each(parameters)(
  'DATABASE_URL with ?%s is understood, and what the database does not know is ignored with one line',
  { tags: ['all'] },
  async (given, { ignored = [], is = {}, prepares = true }) => {
    const { url, close } = await createTestDatabase();
    const notices: string[] = [];
    const databaseUrl = `${url}${url.includes('?') ? '&' : '?'}${given}`;
    const {
      sql,
      url: way,
      close: end,
    } = await openDatabase({ databaseUrl, dataDir: '/nowhere' }, { notify: (line) => notices.push(line) });
    expect(notices).toEqual(
      ignored.length === 0 ? [] : [expect.stringMatching(new RegExp(`ignored: ${ignored.join(', ')}\\.$`))],
    );
    const pool = connectPool(way, 1);
    for (const connection of [sql, pool]) {
      for (const [name, value] of Object.entries(is))
        expect(await connection`select ${name}::text as name, current_setting(${name}) as value`).toEqual([
          { name, value },
        ]);
      await connection`select ${1}::int as n`;
      const [{ count }] = await connection<
        [{ count: number }]
      >`select count(*)::int as count from pg_prepared_statements`;
      expect(count > 0).toBe(prepares);
    }
    await Promise.all([end(), pool.end()]);
    await close();
  },
);

test.each(['require_auth=scram-sha-256', 'gssencmode=require', 'sslcrl=/x', 'target_session_attrs=standby'])(
  'a demand of DATABASE_URL that cannot be met, %s, is refused with its name',
  async (given) => {
    const databaseUrl = `postgres://me:secret@127.0.0.1:1/orders?${given}`;
    await expect(openDatabase({ databaseUrl, dataDir: '/nowhere' })).rejects.toThrow(
      new RegExp(`^${given.split('=')[0]} in DATABASE_URL (?!.*secret)`),
    );
  },
);

test('with TLS the server is told which host is wanted', async () => {
  const hello = new Promise<string>((resolve) => {
    const server = createServer((client) => {
      client.on('error', () => {});
      client.once('data', () => {
        client.once('data', (data) => {
          resolve(data.toString('latin1'));
          client.destroy();
          server.close();
        });
        // TLS is granted. The next bytes are its first message, which has the host name unencrypted.
        client.write('S');
      });
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      const sql = connectPool(`postgres://me@localhost:${port}/orders?sslmode=require`, 1);
      sql`select 1`.catch(() => sql.end({ timeout: 0 }));
    });
  });
  expect(await hello).toContain('localhost');
});
