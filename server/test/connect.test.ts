import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connect as connectPool } from '../src/database/connection/connect.js';
import { openDatabase } from '../src/database/openDatabase.js';
import { findBounds } from '../src/database/statementBounds.js';
import { DatabaseError } from '../src/values/errors.js';
import { newUuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { connectTo } from './databaseProxy.js';

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
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const databaseUrl = `postgres://me:secret@127.0.0.1:${port}/orders`;
  const error = await openDatabase({ databaseUrl, dataDir: '/nowhere' }).catch((reason) => reason);
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error.message).toBe(
    `Cannot use the database of DATABASE_URL (orders on 127.0.0.1:${port}): connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});

test('a database that accepts connections and is silent is an error that says so', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const databaseUrl = `postgres://me@127.0.0.1:${port}/orders`;
  await expect(openDatabase({ databaseUrl, dataDir: '/nowhere' })).rejects.toThrow(
    `Cannot use the database of DATABASE_URL (orders on 127.0.0.1:${port}): it does not answer.`,
  );
});

test('queries fail while the database is away and succeed when it is back', async () => {
  const { url, close } = await createTestDatabase();
  const target = new URL(url);
  // A door in front of the database that can be shut.
  const sockets = new Set<Socket>();
  const door = createServer((client) => {
    const upstream = connectTo(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = door.address() as { port: number };
  const databaseUrl = `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`;
  const database = await openDatabase({ databaseUrl, dataDir: '/nowhere' }, { poolSize: 2 });
  const ask = (n: number) => database.sql`select ${n}::int as n`;

  const shut = once(door, 'close');
  door.close();
  for (const socket of sockets) socket.destroy();
  await shut;
  const answers = await Promise.allSettled([1, 2, 3, 4].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  await once(door.listen(port, '127.0.0.1'), 'listening');
  expect(await ask(5)).toEqual([{ n: 5 }]);

  await database.close();
  door.close();
  await close();
});

test('queries fail, and do not storm, while something accepts connections and closes them unanswered', async () => {
  const { url, close } = await createTestDatabase();
  const target = new URL(url);
  let accepted = 0;
  let isAway = false;
  // As a proxy does whose database is away.
  const proxy = createServer((client) => {
    accepted++;
    if (isAway) return void client.destroy();
    const upstream = connectTo(target);
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  const databaseUrl = `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`;
  const database = await openDatabase({ databaseUrl, dataDir: '/nowhere' }, { poolSize: 1 });
  const ask = (n: number) => database.sql`select ${n}::int as n`;

  isAway = true;
  await database.sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
  await expect.poll(() => ask(0).catch(({ code }) => code)).toBe('CONNECTION_CLOSED');
  accepted = 0;
  const reasons = [await ask(1).catch(({ code }) => code), await ask(2).catch(({ code }) => code)];
  expect(reasons).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED']);
  expect(accepted).toBe(2);
  isAway = false;
  expect(await ask(3)).toEqual([{ n: 3 }]);

  await database.close();
  proxy.close();
  await close();
});

/** A pool of one connection, and a way to have PostgreSQL end that connection. */
async function createLosablePool() {
  const { sql: admin, url, close } = await createTestDatabase();
  const database = await openDatabase({ databaseUrl: url, dataDir: '/nowhere' }, { poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await close();
  });
  const [row] = await database.sql`select pg_backend_pid() as pid`;
  /** Once the backend runs that function. */
  const loseDuring = (name: string) =>
    expect
      .poll(
        () => admin`select pg_terminate_backend(pid) as done from pg_stat_activity
        where pid = ${row!.pid} and state <> 'idle' and query like ${`%${name}%`}`,
      )
      .toEqual([{ done: true }]);
  const ask = (n: number) => database.sql`select ${n}::int as n`;
  const recovered = () => expect.poll(() => ask(1).catch(({ code }) => code)).toEqual([{ n: 1 }]);
  return { sql: database.sql, loseDuring, ask, recovered };
}

test('a query that loses its connection fails for PostgreSQL’s reason, and the pool goes on', async () => {
  const { sql, loseDuring, ask, recovered } = await createLosablePool();
  const sleeping = sql`select pg_sleep(60)`.catch(({ code }) => code);
  await loseDuring('pg_sleep');
  expect(await sleeping).toBe('57P01');
  await recovered();
  expect(await Promise.all([ask(2), ask(3), ask(4)])).toEqual([[{ n: 2 }], [{ n: 3 }], [{ n: 4 }]]);
});

test('a transaction that loses its connection fails, is undone, and harms neither process nor pool', async () => {
  const { sql, loseDuring, ask, recovered } = await createLosablePool();
  const lost = sql
    .begin(async (transaction) => {
      await transaction`create table half_done (one int)`;
      await transaction`select pg_sleep(60)`;
    })
    .catch(({ code }) => code);
  await loseDuring('pg_sleep');
  expect(await lost).toBe('57P01');
  await recovered();
  expect(await sql`select to_regclass('half_done') as found`).toEqual([{ found: null }]);
  expect(await Promise.all([ask(2), ask(3), ask(4)])).toEqual([[{ n: 2 }], [{ n: 3 }], [{ n: 4 }]]);
});

test('a query that is being written while its connection closes does not keep the next one from starting', async () => {
  const { url, close } = await createTestDatabase();
  const sql = connectPool(url, 1);
  // postgres.js has this option, its types have not.
  const options = sql.options as unknown as { socket: () => Socket };
  let socket: Socket | undefined;
  options.socket = () => {
    socket = connectTo(new URL(url));
    return socket;
  };
  const ask = (n: number) => sql`select ${n}::int as n`;
  await ask(1);

  const caught = ask(2).catch(({ code }) => code);
  // postgres.js gives a query to its connection within microtasks, and to the socket after them.
  for (let turn = 0; turn < 10; turn++) await null;
  socket?.emit('close', false);
  expect(await caught).toBe('CONNECTION_CLOSED');
  expect(await ask(3)).toEqual([{ n: 3 }]);
  await sql.end();
  await close();
});

test('a pooler that takes no time bounds as parameters is used without them, and the operator is told', async () => {
  const { url, close } = await createTestDatabase();
  const target = new URL(url);
  // As PgBouncer does.
  const refusal = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
  const pooler = createServer((client) => {
    client.on('error', () => {});
    client.once('data', (startup) => {
      if (startup.includes('statement_timeout')) {
        const head = Buffer.from('E\0\0\0\0');
        head.writeUInt32BE(refusal.length + 4, 1);
        return client.end(Buffer.concat([head, Buffer.from(refusal)]));
      }
      const upstream = connectTo(target);
      upstream.on('error', () => {});
      upstream.write(startup);
      return client.pipe(upstream).pipe(client);
    });
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const { port } = pooler.address() as { port: number };
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
  pooler.close();
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
