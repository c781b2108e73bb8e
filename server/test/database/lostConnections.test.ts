// @module-tag all
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connect, type Sql, statementBounds } from '../../src/database/connection/connect.js';
import { inSavepoint, inTransaction } from '../../src/database/inTransaction.js';
import { endPools, openPools } from '../../src/database/pools.js';
import { findHome } from '../../src/embedded/home.js';
import { isPostmasterOf, readPostmaster } from '../../src/embedded/postmaster.js';
import { makeCertificate } from '../kit/certificate.js';
import { createTestDatabase, type TestDatabase } from '../kit/database.js';
import { connectTo, startDatabaseProxy } from '../kit/databaseProxy.js';
import { itOffCitus } from '../kit/offCitus.js';
import { startRawReceiver } from '../kit/rawReceiver.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { startPostgres } from './startPostgres.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
process.on('unhandledRejection', note).on('uncaughtException', note);
afterEach(() => expect(unhandled.splice(0)).toEqual([]));
afterAll(() => void process.off('unhandledRejection', note).off('uncaughtException', note));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Opens a pool behind a proxy that a test can cut, and a table to write to. */
async function openCuttable(poolSize: number) {
  const proxy = await startDatabaseProxy(database.url);
  const sql = connect(proxy.url, poolSize);
  await database.sql`create table written (one int)`;
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await proxy.close();
    await database.sql`drop table written`;
  });
  return { sql, proxy, direct: database.sql };
}

const codeOf = (error: { code?: string; message: string }) => error.code ?? error.message;
/** Waits long enough for data that is still written to a lost connection. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 100));
const ask = (sql: Sql, n: number) => sql`select ${n}::int as n`;

/** Retries until an answer is no failure. */
async function firstAnswer(sql: Sql): Promise<unknown> {
  for (;;) {
    const answer = await ask(sql, 1).catch(() => null);
    if (answer) return answer;
  }
}

it('connections that are reset at any time fail what they carry, and every other answer is whole', async () => {
  const { sql, proxy } = await openCuttable(4);
  for (let round = 0; round < 30; round++) {
    const asked = Array.from({ length: 12 }, (_, n) => ask(sql, n).catch(codeOf));
    for (let turn = 0; turn < round % 7; turn++) await new Promise((resolve) => setImmediate(resolve));
    proxy.reset();
    const answers = await Promise.all(asked);
    for (const [n, answer] of answers.entries())
      if (typeof answer !== 'string') expect(answer).toEqual([{ n }]);
  }
  expect(await firstAnswer(sql)).toEqual([{ n: 1 }]);
});

it('a connection that is lost in the middle of a result leaves nothing in the next one', async () => {
  const { sql, direct } = await openCuttable(1);
  const [self] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  // Rows are so wide that the first arrive while the others are still being made.
  const streaming = sql`select n, repeat('x', 10000), pg_sleep(n / 10) from generate_series(1, 1000) n`.catch(
    codeOf,
  );
  await expect
    .poll(() => direct`select state from pg_stat_activity where pid = ${self.pid} and query like '%repeat%'`)
    .toEqual([{ state: 'active' }]);
  await settled();
  await direct`select pg_terminate_backend(${self.pid}::int, 10000)`;
  expect(await streaming).toBe('57P01');
  expect(await firstAnswer(sql)).toEqual([{ n: 1 }]);
});

it('a transaction that loses its connection between two statements rejects immediately and sends no more', async () => {
  const { sql, proxy, direct } = await openCuttable(1);
  let goOn = () => {};
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const lost = inTransaction(sql, async (tx) => {
    await tx`insert into written values (1)`;
    proxy.reset();
    await waiting;
    await tx`insert into written values (2)`;
  }).catch(codeOf);
  expect(await lost).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);

  // The pool has a new connection by now, in the middle of another transaction.
  await inTransaction(sql, async (other) => {
    await other`insert into written values (3)`;
    goOn();
    await settled();
    await other`insert into written values (4)`;
  });
  await settled();
  expect(await direct`select one from written order by one`).toEqual([{ one: 3 }, { one: 4 }]);
});

it('a transaction that loses its connection and goes on to its end is neither committed nor ended twice', async () => {
  const { sql, proxy, direct } = await openCuttable(1);
  const lost = inTransaction(sql, async (tx) => {
    await tx`insert into written values (1)`;
    proxy.reset();
    await settled();
  }).catch(codeOf);
  expect(await lost).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);
  await settled();
  expect(await ask(sql, 5)).toEqual([{ n: 5 }]);
  expect(await direct`select one from written`).toEqual([]);
});

it('a savepoint that loses its connection ends its transaction, and a failure it had caught stays harmless', async () => {
  const { sql, proxy } = await openCuttable(1);
  const lost = inTransaction(sql, async (tx) => {
    await inSavepoint(tx, async (inner) => {
      await inner`select 1`;
      proxy.reset();
      await inner`select 2`;
    }).catch(() => {});
    await settled();
    await tx`select 3`;
  }).catch(codeOf);
  expect(await lost).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);
  await settled();
  expect(await ask(sql, 5)).toEqual([{ n: 5 }]);
});

it('a statement that a transaction survives leaves it usable', async () => {
  const { sql } = await openCuttable(1);
  const result = await inTransaction(sql, async (tx) => {
    const refused = await inSavepoint(tx, (inner) => inner`select 1 / 0`).catch(codeOf);
    const [row] = await tx<[{ n: number }]>`select 7 as n`;
    return [refused, row.n];
  });
  expect(result).toEqual(['22012', 7]);
});

it('a connection can be reserved before the first statement, and none once the pool has ended', async () => {
  const { sql } = await openCuttable(1);
  const session = await sql.reserve();
  expect(await ask(session, 1)).toEqual([{ n: 1 }]);
  session.release();
  expect(await ask(sql, 2)).toEqual([{ n: 2 }]);
  await sql.end();
  expect(await sql.reserve().catch(codeOf)).toBe('CONNECTION_ENDED');
});

it('rows that are read in pieces are all read, or the loss of the connection is an error', async () => {
  const { sql, proxy } = await openCuttable(1);
  const numbers = () => sql<{ n: number }[]>`select n from generate_series(1, 2500) n`;
  const read: number[] = [];
  for await (const rows of numbers().cursor(1000)) read.push(...rows.map(({ n }) => n));
  expect(read).toEqual(Array.from({ length: 2500 }, (_, n) => n + 1));

  for (const isLateLoss of [true, false]) {
    const cut = (async () => {
      for await (const _ of numbers().cursor(1000)) {
        proxy.reset();
        // The loss is noticed while the rows are handled, or with the next piece.
        if (isLateLoss) await settled();
      }
    })().catch(codeOf);
    expect(await cut).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);
  }
  await settled();
  expect(await firstAnswer(sql)).toEqual([{ n: 1 }]);
});

it('a pool that ends at its time limit closes a connection whose database is silent', async () => {
  const accepted: Socket[] = [];
  // AuthenticationOk and ReadyForQuery, and nothing after them.
  const greeting = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
  const silent = createServer({ allowHalfOpen: true }, (client) => {
    accepted.push(client);
    client.once('data', () => client.write(greeting));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const sql = connect(`postgres://me@127.0.0.1:${(silent.address() as AddressInfo).port}/orders`, 1);
  const asked = ask(sql, 1).catch(codeOf);
  await expect.poll(() => accepted[0]?.bytesRead).toBeGreaterThan(120);
  // A write to a connection that the other side has closed is answered with a reset.
  const isReset = once(accepted[0]!.resume(), 'error');
  await sql.end({ timeout: 0.1 });
  expect(await asked).toBe('CONNECTION_DESTROYED');
  const writing = setInterval(() => accepted[0]!.write('too late'), 10);
  expect((await isReset)[0].code).toMatch(/^(EPIPE|ECONNRESET)$/);
  clearInterval(writing);
});

it('queries connect once each to what closes connections unanswered, and a pool that ends meanwhile opens none any more', async () => {
  const closing = await startRawReceiver((client) => void client.destroy());
  const sql = connect(`postgres://me@127.0.0.1:${closing.port}/orders`, 1);
  // Each failure doubles the time to the next attempt.
  for (let attempt = 0; attempt < 6; attempt++) {
    expect(await ask(sql, 1).catch(codeOf)).toBe('CONNECTION_CLOSED');
    expect(closing.count).toBe(attempt + 1);
  }
  const asked = ask(sql, 1).catch(codeOf);
  await sql.end({ timeout: 0 });
  expect(await asked).toBe('CONNECTION_DESTROYED');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(closing.count).toBe(6);
});

it('a cursor that goes on after its connection is lost asks nothing of the statement that has the next one', async () => {
  const { sql, proxy } = await openCuttable(1);
  let goOn = () => {};
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const reading = sql`select n from generate_series(1, 3) n`
    .cursor(1, () => {
      proxy.reset();
      return waiting;
    })
    .then(() => 'all read', codeOf);
  expect(await reading).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);
  expect(await firstAnswer(sql)).toEqual([{ n: 1 }]);
  const other = sql`select n, pg_sleep(0.2) is null as slept from generate_series(1, 2) n`;
  const rows = other.then((found) => found.map(({ n }) => n));
  await settled();
  goOn();
  expect(await rows).toEqual([1, 2]);
  expect(await ask(sql, 2)).toEqual([{ n: 2 }]);
});

it('a transaction that begins behind a full buffer of its socket has the connection to itself', async () => {
  const { sql, proxy, direct } = await openCuttable(2);
  const options = sql.options as unknown as { socket: () => Socket };
  let socket: Socket | undefined;
  options.socket = () => {
    socket = connectTo(new URL(proxy.url));
    return socket;
  };
  await ask(sql, 1);
  // Every write reports a full buffer, as before a database that reads slowly.
  const write = socket!.write.bind(socket) as (...args: unknown[]) => boolean;
  socket!.write = (...args: unknown[]) => write(...args) && false;
  const long = ' '.repeat(1_024);
  await sql.begin(long, async (tx) => {
    await tx`insert into written values (1)`;
  });
  expect(await direct`select one from written`).toEqual([{ one: 1 }]);
});

it('connections with TLS fail what they carry when they are reset, and the pool goes on', async () => {
  const proxy = await startDatabaseProxy(database.url, { certificate: await makeCertificate() });
  const sql = connect(`${proxy.url}?sslmode=require`, 2);
  const impatient = connect(`${proxy.url}?sslmode=require`, 2, { ...statementBounds, answerMs: 500 });
  onTestFinished(async () => {
    await Promise.all([sql, impatient].map((pool) => pool.end({ timeout: 1 })));
    await proxy.close();
  });
  expect(await ask(sql, 7)).toEqual([{ n: 7 }]);
  for (let round = 0; round < 10; round++) {
    const asked = Array.from({ length: 6 }, (_, n) => ask(sql, n).catch(codeOf));
    for (let turn = 0; turn < round % 7; turn++) await new Promise((resolve) => setImmediate(resolve));
    proxy.reset();
    await Promise.all(asked);
  }
  expect(await firstAnswer(sql)).toEqual([{ n: 1 }]);
  // A statement that its connection has run before, and one that it runs for the first time.
  for (const silent of [() => ask(impatient, 1), () => impatient`select 2 as first`]) {
    expect(await firstAnswer(impatient)).toEqual([{ n: 1 }]);
    proxy.set({ kind: 'hold' });
    expect(await silent().catch(codeOf)).toBe('ETIMEDOUT');
    proxy.set({ kind: 'none' });
  }
});

it('a statement whose error has come is not waited for as long as for an answer, as behind a Citus coordinator that hangs', async () => {
  let isDeaf = false;
  const proxy = await startDatabaseProxy(database.url, {
    openTap: () => ({
      asked() {},
      answered(data) {
        if (isDeaf) return Buffer.alloc(0);
        isDeaf = data.includes('division by zero');
        const end = data.lastIndexOf(Buffer.from('Z\0\0\0\x05'));
        return isDeaf && end !== -1 ? data.subarray(0, end) : data;
      },
    }),
  });
  const sql = connect(proxy.url, 1, { ...statementBounds, answerMs: 3_600_000 });
  onTestFinished(async () => {
    await sql.end({ timeout: 1 });
    await proxy.close();
  });
  expect(await sql`select 1 / ${0}::int`.catch(codeOf)).toBe('ETIMEDOUT');
  isDeaf = false;
  expect(await firstAnswer(sql)).toEqual([{ n: 1 }]);
  // The limit of an answer is the pool's again.
  await sql`select pg_sleep(2.5)`;
});

itOffCitus('Citus turns TLS on')(
  'a database without TLS is refused where the URL insists on it, and used where it does not',
  async () => {
    const { proxy } = await openCuttable(1);
    const insisting = connect(`${proxy.url}?sslmode=require`, 1);
    expect(await ask(insisting, 1).catch((error) => error.message)).toBe('The database offers no TLS');
    const preferring = connect(`${proxy.url}?sslmode=prefer`, 1);
    expect(await ask(preferring, 1)).toEqual([{ n: 1 }]);
    await Promise.all([insisting, preferring].map((sql) => sql.end({ timeout: 1 })));
  },
);

itOffCitus('this PostgreSQL is one of its own')(
  'a PostgreSQL that is told to stop when its users have gone ends once it has refused a connection of a server',
  async () => {
    const folder = temporaryFolder();
    const { url, close } = await startPostgres(folder);
    const { cluster } = findHome(folder, () => {});
    const { pid } = readPostmaster(cluster)!;
    const pools = openPools(url, statementBounds);
    onTestFinished(async () => {
      await endPools(pools, { timeout: 1 });
      await close();
    });
    const slow = pools.work`select pg_sleep(1), 1 as n`.then(([row]) => row!.n);
    for (const sql of [pools.orders[0]!, pools.watch, pools.background]) await ask(sql, 1);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => ask(pools.refused, 1).catch(codeOf)).toMatch(/^57P03$/);
    // A statement that has begun is answered.
    expect(await slow).toBe(1);
    await expect.poll(() => isPostmasterOf(cluster, pid)).toBe(false);
  },
);
