import { expect, it, onTestFinished } from 'vitest';
import { trialAccess } from '../../../src/app/listen.js';
import { readConfig } from '../../../src/config.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { tables } from '../../../src/database/tables.js';
import { announceDemo } from '../../../src/features/demo/announceDemo.js';
import { ensureDemoTeam } from '../../../src/features/demo/demoTeam.js';
import { makeSampleOrders } from '../../../src/features/demo/sampleMonth.js';
import { decodeId } from '../../../src/values/ids.js';
import { runOrderbeacon } from '../../kit/command.js';
import { createTestDatabase } from '../../kit/database.js';
import { loadReleasedSdk } from '../../kit/madeUpReleases.js';
import { startServerProcess } from '../../kit/process.js';
import { sendTo, startServerForTest } from '../../kit/server.js';

/** Number of orders of the sample month. */
const sampleOrders = makeSampleOrders(0).length;

it.each<[env: Record<string, string>, access: string]>([
  [{}, 'thisMachine'],
  [{ PUBLIC_URL: 'https://orders.shop.example' }, 'nobody'],
  [{ ORDERBEACON_TRUST_PROXY: '1' }, 'nobody'],
  [{ ORDERBEACON_DEMO: 'off' }, 'nobody'],
  [{ ORDERBEACON_DEMO: 'on', PUBLIC_URL: 'https://orders.shop.example' }, 'everyone'],
])('with %j the demo page is for %s', (env, access) => {
  expect(trialAccess(readConfig(env))).toBe(access);
});

it.each<[env: Record<string, string>, direct: number, proxied: number]>([
  [{}, 200, 404],
  [{ ORDERBEACON_DEMO: 'on', PUBLIC_URL: 'https://orders.shop.example' }, 200, 200],
])('with %j the demo page answers %i, and through a proxy %i', async (env, direct, proxied) => {
  const server = await startServerForTest({ env });
  await ensureDemoTeam(server.sql, server.url);
  const open = (headers: Record<string, string>) =>
    sendTo(new URL('/demo', server.bindUrl), 'GET', { headers });
  expect((await open({})).status).toBe(direct);
  expect((await open({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(proxied);
  expect((await open({ forwarded: 'for=203.0.113.7' })).status).toBe(proxied);
});

it('the demo page of a server below a path reports to that path', { tags: ['all'] }, async () => {
  const env = { ORDERBEACON_DEMO: 'on', PUBLIC_URL: 'https://shop.example/orders' };
  const server = await startServerForTest({ env });
  await ensureDemoTeam(server.sql, server.url);
  const { text } = await sendTo(new URL('/demo', server.bindUrl), 'GET');
  expect(text).toMatch(
    /src="https:\/\/shop\.example\/orders\/sdk\/track\.js"[^>]* data-endpoint="https:\/\/shop\.example\/orders"/,
  );
});

/** Creates a database, with the settings of a server that makes the demo in it. */
async function createDemoDatabase() {
  const database = await createTestDatabase();
  onTestFinished(database.close);
  const env = { ...database.env, ORDERBEACON_DEMO: 'on', ORDERBEACON_RATE_LIMIT: 'off' };
  /** Starts a server, and waits until it has printed everything. */
  async function start() {
    const server = await startServerProcess(env);
    await expect
      .poll(server.output)
      .toMatch(/crossorigin="anonymous"><\/script>\n|released versions\.\n|a link that signs in: /);
    return server;
  }
  return { sql: database.sql, env, start };
}

/** Sends a report as a page of this server does. */
function report(url: string, teamId: string) {
  const body = JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' });
  const headers = { 'content-type': 'application/json', origin: url };
  return sendTo(new URL('/svc-api/v1/orders', url), 'POST', { headers, body });
}

it('a removed demo team is gone immediately, and no later start makes it again', {
  tags: ['all'],
}, async () => {
  const { sql, env, start } = await createDemoDatabase();
  const server = await start();
  const teamId = /Demo team: +(\S+)/.exec(server.output())![1]!;
  // Output is kept and others can read it, so it has no secrets.
  expect(server.output()).not.toMatch(/ob_test_|sign-in/);
  expect((await report(server.url, teamId)).status).toBe(200);
  const kept = await runOrderbeacon(['team', 'create', '--name', 'Shop', '--json'], env);

  const { stdout, stderr } = await runOrderbeacon(['team', 'remove', '--team', teamId, '--json'], env);
  expect([JSON.parse(stdout || 'null'), stderr]).toEqual([
    {
      id: teamId,
      name: 'Demo',
      removed: expect.objectContaining({ liveOrders: 0, testOrders: 1 + sampleOrders }),
    },
    '',
  ]);
  for (const table of tables.filter((table) => table !== 'installation' && table !== 'team')) {
    const rows = await sql`select 1 from ${sql(table)} where team_id = ${decodeId('team', teamId)!}`;
    expect([table, rows.length]).toEqual([table, 0]);
  }
  expect((await report(server.url, teamId)).status).toBe(403);
  expect((await sendTo(new URL('/demo', server.url), 'GET')).status).toBe(404);

  const next = await start();
  expect(next.output()).toContain(`\nConsole:    ${next.url}/console\n`);
  expect(next.output()).not.toContain('Demo');
  const teams = await runOrderbeacon(['team', 'list', '--json'], env);
  expect(JSON.parse(teams.stdout)).toEqual([JSON.parse(kept.stdout)]);
});

it('a terminal gets a link to the console before anything else, and the key; a file the commands that print them', async () => {
  const { sql, close } = await createTestDatabase();
  onTestFinished(close);
  const sdk = await loadReleasedSdk();
  async function announced(isTerminal: boolean) {
    let printed = '';
    await announceDemo(
      sql,
      { publicUrl: 'http://localhost', isPageServed: true, isTerminal, sdk },
      (text) => {
        printed += text;
      },
    );
    return printed;
  }
  const onTerminal = await announced(true);
  expect(onTerminal).toMatch(
    /^\nConsole: +http:\S+sign-in#team_\S+\n[^\n]*15 minutes[^\n]*\nDemo page: +http/,
  );
  expect(onTerminal).toMatch(/^API key: +ob_test_\w+ /m);
  const inFile = await announced(false);
  expect(inFile).toContain('without a terminal the output may be kept');
  expect(inFile).toMatch(/^Console: +node_modules\/\.bin\/orderbeacon console --team team_\w+$/m);
  expect(inFile).toMatch(/^API key: +node_modules\/\.bin\/orderbeacon key create --team team_\w+ --test$/m);
  expect(inFile).not.toMatch(/ob_test_|sign-in/);
});

/** Reads the sample orders, the oldest first, without values that differ by chance and time. */
const listSamples = (sql: Sql) => sql<Record<string, unknown>[]>`
  select order_id as "orderId", amount, currency, reported_by as "reportedBy", visitor_id as "visitorId",
    first_touch ->> 'source' as source, is_test as "isTest", extra::text as extra,
    extract(epoch from now() - created_at) / 86400 as "daysAgo",
    (
      select sum(amount) from refund where team_id = placed_order.team_id and placed_order_id = placed_order.id
    ) as refunded
  from placed_order order by created_at`;

it('the demo team has a month of sample orders, marked, with landings and refunds, and the same each time', async () => {
  const [one, other] = [await startServerForTest(), await startServerForTest()];
  await ensureDemoTeam(one.sql, one.url);
  await ensureDemoTeam(other.sql, other.url);
  const samples = await listSamples(one.sql);
  expect(samples.length).toBe(sampleOrders);
  expect(sampleOrders).toBeGreaterThan(200);
  const marks = samples.map(({ orderId, isTest, extra }) => [orderId, isTest, extra]);
  expect(marks).toEqual(marks.map((_, at) => [`SAMPLE-${at + 1}`, true, '{"sample":true}']));
  const daysOf = new Set(samples.map(({ daysAgo }) => Math.floor(Number(daysAgo))));
  expect([...daysOf].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, day) => day));
  for (const field of ['source', 'reportedBy', 'currency'])
    expect([field, new Set(samples.map((sample) => sample[field])).size]).toEqual([
      field,
      expect.toSatisfy((n: number) => n > 1),
    ]);
  expect(samples.filter(({ refunded }) => refunded !== null).length).toBeGreaterThan(5);
  const withoutTime = (rows: Record<string, unknown>[]) => rows.map(({ daysAgo, ...rest }) => rest);
  expect(withoutTime(await listSamples(other.sql))).toEqual(withoutTime(samples));
});

it('a later start stores no sample again, neither one that was discarded', { tags: ['all'] }, async () => {
  const server = await startServerForTest();
  const demo = (await ensureDemoTeam(server.sql, server.url))!;
  const { sql } = server;
  await sql`delete from placed_order where team_id = ${demo.uuid} and order_id = 'SAMPLE-1'`;
  const before = await listSamples(server.sql);
  await ensureDemoTeam(server.sql, server.url);
  expect((await listSamples(server.sql)).map(({ orderId }) => orderId)).toEqual(
    before.map(({ orderId }) => orderId),
  );
});

it('two servers that start concurrently store the samples once', { tags: ['all'] }, async () => {
  const server = await startServerForTest();
  await Promise.all([ensureDemoTeam(server.sql, server.url), ensureDemoTeam(server.sql, server.url)]);
  expect(await listSamples(server.sql)).toHaveLength(sampleOrders);
});
