import { expect, it, onTestFinished } from 'vitest';
import { tables } from '../src/database/tables.js';
import { ensureDemoTeam } from '../src/site/demoTeam.js';
import { decodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { createTestDatabase } from './database.js';
import { startServerProcess } from './process.js';
import { sendTo, startServerForTest } from './server.js';

const proxied = { 'x-forwarded-for': '203.0.113.7' };

it.each([
  [{}, {}, 200],
  [{}, proxied, 404],
  [{}, { forwarded: 'for=203.0.113.7' }, 404],
  [{ PUBLIC_URL: 'https://orders.shop.example' }, {}, 404],
  [{ ORDERBEACON_TRUST_PROXY: '1' }, {}, 404],
  [{ ORDERBEACON_DEMO: 'off' }, {}, 404],
  [{ ORDERBEACON_DEMO: 'on', PUBLIC_URL: 'https://orders.shop.example' }, proxied, 200],
])('with %j the demo page answers a request with %j with %i', async (env, headers, status) => {
  const server = await startServerForTest(env as Record<string, string>);
  await ensureDemoTeam(server.sql, server.url);
  const answer = await sendTo(new URL('/demo', server.bindUrl), 'GET', {
    headers: headers as Record<string, string>,
  });
  expect(answer.status).toBe(status);
});

/** A database of the test's own, with the settings of a server that makes the demo in it. */
async function createDemoDatabase() {
  const database = await createTestDatabase();
  onTestFinished(database.close);
  const env = { ...database.env, ORDERBEACON_DEMO: 'on', ORDERBEACON_RATE_LIMIT: 'off' };
  /** A server that has printed all it has to say. */
  async function start() {
    const server = await startServerProcess(env);
    await expect.poll(server.output).toMatch(/crossorigin="anonymous"><\/script>\n|a link that signs in: /);
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

it('a removed demo team is gone immediately, and no later start makes it again', async () => {
  const { sql, env, start } = await createDemoDatabase();
  const server = await start();
  const teamId = /Demo team: +(\S+)/.exec(server.output())![1]!;
  expect((await report(server.url, teamId)).status).toBe(200);
  const kept = await runOrderbeacon(['team', 'create', '--name', 'Shop', '--json'], env);

  const { stdout, stderr } = await runOrderbeacon(['team', 'remove', '--team', teamId, '--json'], env);
  expect([JSON.parse(stdout || 'null'), stderr]).toEqual([
    { id: teamId, name: 'Demo', removed: expect.objectContaining({ liveOrders: 0, testOrders: 1 }) },
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

it('a first start prints a link to the console before anything else of the demo', async () => {
  const { start } = await createDemoDatabase();
  const { output } = await start();
  expect(output()).toMatch(
    /^Orderbeacon [^\n]*\n\nConsole: +http:\S+#\S+\n[^\n]*15 minutes[^\n]*\nDemo page: +http/,
  );
});
