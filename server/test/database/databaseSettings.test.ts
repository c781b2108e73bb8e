// @module-tag all
// @module-tag slow
import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { choosePoolSizes } from '../../src/database/allowedConnections.js';
import { connect, statementBounds } from '../../src/database/connection/connect.js';
import { openDatabase } from '../../src/database/openDatabase.js';
import { poolSizes } from '../../src/database/pools.js';
import { addTestHook } from '../features/webhooks/kit/hooks.js';
import { documentOf, runOrderbeacon } from '../kit/command.js';
import { createTestDatabase, type TestDatabase, testPostgres } from '../kit/database.js';
import { startReceiver } from '../kit/receiver.js';
import { type Answer, patient, type ServerOptions, startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';
import { startPooler } from './pooler.js';

/** Settings that change how PostgreSQL reads, writes or answers, each as far from its default as a database may have it. */
const strange = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  TimeZone: 'America/St_Johns',
  standard_conforming_strings: 'off',
  client_encoding: 'LATIN1',
  backslash_quote: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  row_security: 'off',
  xmloption: 'document',
  lc_monetary: 'C',
  lc_numeric: 'C',
  timezone_abbreviations: 'Australia',
  gin_fuzzy_search_limit: '1',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_sort: 'off',
  join_collapse_limit: '1',
  work_mem: '64kB',
};

/** Settings that a pooler cannot be asked to change. */
const ofConnections = {
  default_transaction_isolation: 'serializable',
  idle_session_timeout: '10ms',
};

async function createStrange(settings: Record<string, string>, ofRole = false): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { sql } = database;
  const [{ name, role }] = await sql<[Record<'name' | 'role', string>]>`
    select quote_ident(current_database()) as name, quote_ident(current_user) as role`;
  const whose = ofRole ? `role ${role} in database` : 'database';
  for (const [setting, value] of Object.entries(settings))
    await sql.unsafe(`alter ${whose} ${name} set ${setting} = '${value}'`);
  return database;
}

const dataOf = ({ status, body }: Answer) => ({ status, ...body?.data });

/** Does once what a shop, its backend, its webhook and its people do. Expects the results of any database. */
async function expectAllToWork(
  databaseUrl: string,
  { crowd = 1, ...wayThere }: Pick<ServerOptions, 'wayTo' | 'bounds' | 'sizes'> & { crowd?: number } = {},
) {
  const server = await startServerForTest({ databaseUrl, ...wayThere });
  const shop = await openShop(server);
  const receiver = await startReceiver();
  await addTestHook(server.sql, shop.team, { url: receiver.url });
  const sent = {
    orderId: 'Ü\\1',
    amount: 49.95,
    name: 'Zoë \\ O’Neil',
    items: [{ name: "Tee '\\n", price: 0.1 }],
  };
  // The day could be a month, too.
  const createdAt = '2025-11-05T10:00:00.123Z';
  const known = { ...sent, amount: 59.95, currency: 'EUR' };
  const old = { orderId: 'old', amount: 123456789.125, currency: 'EUR', createdAt };
  const before = Date.now();
  const first = dataOf(await shop.report({ ...sent, currency: 'EUR' }));
  expect(first).toMatchObject({ status: 200, isNew: true });
  expect(Math.abs(Date.parse(first.createdAt) - before)).toBeLessThan(60_000);
  expect(dataOf(await shop.report({ ...sent, currency: 'EUR' }))).toEqual({ ...first, isNew: false });
  expect(dataOf(await shop.reportByKey(known))).toMatchObject({ status: 200, isNew: false, amount: 59.95 });
  for (const isNew of [true, false])
    expect(dataOf(await shop.reportByKey(old, { idempotencyKey: 'k' }))).toMatchObject({ isNew, createdAt });
  const refund = { orderId: sent.orderId, refundId: 'r', amount: 10.05 };
  expect(dataOf(await shop.refund(refund))).toMatchObject({ status: 200, refundedAmount: 10.05 });
  expect(dataOf(await shop.read(first.id))).toMatchObject({
    ...known,
    createdAt: first.createdAt,
    refundedAmount: 10.05,
  });
  expect(dataOf(await shop.read('old'))).toMatchObject(old);
  const refused = await server.report(shop.order(), { origin: 'https://other.example' });
  expect([refused.status, (await shop.refused()).length]).toEqual([403, 1]);

  await vi.waitFor(() => expect(receiver.received).toHaveLength(4), { timeout: 60_000, interval: 50 });
  const notices = receiver.received.map(({ json }) => `${json.type} ${json.data.orderId}`);
  expect(notices.toSorted()).toEqual(
    ['order.changed Ü\\1', 'order.created old', 'order.created Ü\\1', 'order.refunded Ü\\1'].toSorted(),
  );
  const reports = Array.from({ length: crowd }, (_, n) => [
    shop.report({ orderId: 'crowd', amount: 1 }),
    shop.reportByKey({ orderId: 'crowd', amount: 1 + (n % 3) }),
    shop.read('old'),
    server.send('GET', '/readyz'),
  ]);
  const statuses = (await Promise.all(reports.flat())).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  await shop.sql`delete from placed_order where team_id = ${shop.team} and order_id = 'crowd'`;
  const { get, read } = await shop.console();
  const pages = ['', '/orders', `/orders/${first.id}`, '/refused', '/setup/keys', '/webhooks', '/compare'];
  for (const page of pages) expect([page, (await get(`/console${page}`)).status]).toEqual([page, 200]);
  const { id } = (await shop.read('old')).body.data;
  expect(await read(`/console/orders/${id}`)).toContain('5 Nov 2025');
  const orders = documentOf(await shop.command('order', 'list', '--json'));
  expect(orders).toMatchObject([{ orderId: 'old', createdAt }, { orderId: sent.orderId }]);
  const faults = server.lines.filter((line) => JSON.parse(line).level >= 50);
  expect(faults).toEqual([]);
  expect((await server.send('GET', '/readyz')).status).toBe(200);
}

describe('with settings that no statement is written for, orders, refunds, hooks, console and commands work', () => {
  it.each([
    ['a database', false],
    ['a role', true],
  ])('of %s', async (_, ofRole) => {
    const { url } = await createStrange({ ...strange, ...ofConnections }, ofRole);
    await expectAllToWork(url);
  });

  it('behind a pooler that takes no settings but its own', async () => {
    const { url } = await createStrange(strange);
    const pooler = await startPooler(url);
    const { sql, takesSettings, close } = await openDatabase({ databaseUrl: pooler, dataDir: '/nowhere' });
    expect([takesSettings, await sql`select timestamptz '2026-11-05T10:00Z' as at`]).toEqual([
      false,
      [{ at: new Date('2026-11-05T10:00Z') }],
    ]);
    await close();
    await expectAllToWork(url, {
      wayTo: async () => pooler,
      bounds: { ...patient.statements, arePassed: false },
    });
  });
});

describe('a database that would break a promise', () => {
  it('by answering before an order is on the disk is made to wait by each connection, and the operator is told', async () => {
    const { url } = await createStrange({ synchronous_commit: 'off' });
    const notices: string[] = [];
    const opened = await openDatabase(
      { databaseUrl: url, dataDir: '/nowhere' },
      { notify: (line) => notices.push(line) },
    );
    const pool = connect(opened.url, 1, statementBounds);
    for (const sql of [opened.sql, pool])
      expect(await sql`show synchronous_commit`).toEqual([{ synchronous_commit: 'on' }]);
    expect(notices).toEqual([expect.stringContaining('synchronous_commit')]);
    await Promise.all([opened.close(), pool.end()]);
  });

  it('and whose own choice keeps it is left alone', async () => {
    const { url } = await createStrange({ synchronous_commit: 'local' });
    const { sql, close } = await openDatabase({ databaseUrl: url, dataDir: '/nowhere' });
    expect(await sql`show synchronous_commit`).toEqual([{ synchronous_commit: 'local' }]);
    await close();
  });

  it('behind a pooler that cannot change it is refused with the setting and the fix, or told', async () => {
    const isolated = await createStrange({ default_transaction_isolation: 'repeatable read' });
    const pooler = await startPooler(isolated.url);
    await expect(openDatabase({ databaseUrl: pooler, dataDir: '/nowhere' })).rejects.toThrow(
      /default_transaction_isolation = repeatable read.* alter database … set default_transaction_isolation = 'read committed'/,
    );
    const undurable = await createStrange({ synchronous_commit: 'off' });
    const notices: string[] = [];
    const { close } = await openDatabase(
      { databaseUrl: await startPooler(undurable.url), dataDir: '/nowhere' },
      { notify: (line) => notices.push(line) },
    );
    expect(notices).toEqual([expect.stringContaining('alter database … set synchronous_commit = on')]);
    await close();
  });
});

describe('a role with few connections', () => {
  /** Creates a role that owns the tables of a strange database and may have this many connections. */
  async function createRole(connections: number): Promise<string> {
    const { url, sql } = await createStrange({});
    const role = `few_${randomBytes(6).toString('hex')}`;
    await sql.unsafe(`create role ${role} login connection limit ${connections}`);
    await sql.unsafe(`grant all on all tables in schema public to ${role}`);
    onTestFinished(() => sql.unsafe(`drop owned by ${role} cascade; drop role ${role}`).then(() => {}));
    return Object.assign(new URL(url), { username: role }).href;
  }

  it.each([[6], [12]])(
    'is enough with %i: orders, refunds, hooks and console work, also many at a time',
    async (limit) => {
      const databaseUrl = await createRole(limit);
      const notices: string[] = [];
      const env = { DATABASE_URL: databaseUrl };
      const opened = await openDatabase({ databaseUrl, dataDir: '/nowhere' });
      const sizes = await choosePoolSizes(opened.sql, opened.url, (line) => notices.push(line));
      await opened.close();
      expect(notices).toEqual([
        expect.stringMatching(`allows ${limit} connections. A server uses ${limit - 1} in place of 30`),
      ]);
      const admin = Object.assign(new URL(databaseUrl), {
        username: new URL((await testPostgres()).machines[0]!).username,
      });
      await expectAllToWork(admin.href, { wayTo: async () => databaseUrl, sizes, crowd: 60 });
      const { stdout } = await runOrderbeacon(['doctor', '--json'], env);
      expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ check: 'connections', ok: true }));
    },
  );

  it('too few is refused with the number and the fix, by doctor, too', async () => {
    const databaseUrl = await createRole(4);
    const { sql, url, close } = await openDatabase({ databaseUrl, dataDir: '/nowhere' });
    await expect(choosePoolSizes(sql, url, () => {})).rejects.toThrow(
      /allows 4 connections. A server needs 5 at least, and 30 to be quick. Allow more: alter role/,
    );
    await close();
    const { stdout } = await runOrderbeacon(['doctor', '--json'], { DATABASE_URL: databaseUrl });
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ check: 'connections', ok: false }));
  });

  it('by connection_limit in DATABASE_URL is the same, and never less than a server can do with', () => {
    const sum = (total: number) => Object.values(poolSizes(total)).reduce((all, size) => all + size);
    expect([1, 5, 6, 12, 29, 30, 500].map(sum)).toEqual([5, 5, 5, 9, 24, 30, 30]);
  });
});
