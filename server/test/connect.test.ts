import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connect as connectPool } from '../src/database/connection/connect.js';
import { openDatabase } from '../src/database/openDatabase.js';
import { findBounds } from '../src/database/statementBounds.js';
import { DatabaseError } from '../src/values/errors.js';
import { newUuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { connectTo } from './databaseProxy.js';
import { freePort } from './freePort.js';
import { postgresRefusal } from './postgresMessage.js';
import { startRawReceiver } from './rawReceiver.js';

const isGiven = process.env.ORDERBEACON_TEST_DATABASE_URL !== undefined;

/** The ways in which libpq writes a socket folder. */
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
  expect(row!.application).toBe('orderbeacon');
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
    `Cannot use the database of DATABASE_URL (orders on 127.0.0.1:${port}): connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});

test('a database that accepts connections and is silent is an error that says so', async () => {
  const { port } = await startRawReceiver(() => {});
  const databaseUrl = `postgres://me@127.0.0.1:${port}/orders`;
  await expect(openDatabase({ databaseUrl, dataDir: '/nowhere' })).rejects.toThrow(
    `Cannot use the database of DATABASE_URL (orders on 127.0.0.1:${port}): it does not answer.`,
  );
});

test('a pooler that takes no time bounds as parameters is used without them, and the operator is told', async () => {
  const { url, close } = await createTestDatabase();
  const target = new URL(url);
  // As PgBouncer does.
  const refusal = postgresRefusal('08P01', 'unsupported startup parameter: statement_timeout');
  const { port } = await startRawReceiver((client) => {
    client.once('data', (startup) => {
      if (startup.includes('statement_timeout')) return client.end(refusal);
      const upstream = connectTo(target);
      upstream.on('error', () => {});
      upstream.write(startup);
      return client.pipe(upstream).pipe(client);
    });
  });
  const poolerUrl = `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`;
  const told: string[] = [];
  const bounds = await findBounds(poolerUrl, (line) => told.push(line));
  const sql = connectPool(poolerUrl, 1, bounds);
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
  expect(told).toEqual([expect.stringContaining('statement_timeout')]);

  const direct = connectPool(url, 1, await findBounds(url, (line) => told.push(line)));
  const shown = await direct`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`;
  expect(shown).toEqual([{ statement: '10s', lock: '3s', idle: '30s' }]);
  expect(told).toHaveLength(1);

  await Promise.all([sql.end(), direct.end()]);
  await close();
});

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
        // The request for TLS is granted; the next bytes are its first message, where the name is in the clear.
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
