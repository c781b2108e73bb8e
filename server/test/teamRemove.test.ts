import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { tables } from '../src/database/tables.js';
import { ensureDemoTeam } from '../src/site/demoTeam.js';
import { isDemoRemoved } from '../src/teams/sql/demoTeam.js';
import { runOrderbeacon } from './command.js';
import { startServerForTest } from './server.js';

/** Resolves with the tables that have rows of a team. */
async function tablesWith(sql: Awaited<ReturnType<typeof startServerForTest>>['sql'], uuid: string) {
  const found: string[] = [];
  for (const table of tables.filter((table) => table !== 'installation')) {
    const column = table === 'team' ? 'id' : 'team_id';
    const rows = await sql`select 1 from ${sql(table)} where ${sql(column)} = ${uuid}`;
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const order = (teamId: string) => ({ teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' });

it('team remove leaves nothing of a team without live orders, says what it removed, and spares other teams', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const other = await server.addTeam('shop.example');
  const key = await server.addKey(uuid, 'test');
  expect((await server.reportByKey(key, order(teamId))).status).toBe(200);
  expect((await server.report(order(other.teamId))).status).toBe(200);
  expect((await server.report({ ...order(teamId), email: 'no email' })).status).toBe(400);
  const ofOther = await tablesWith(server.sql, other.uuid);

  const { code, stdout, stderr } = await runOrderbeacon(['team', 'remove', '--team', teamId], server.env);
  expect([code, stdout]).toEqual([
    0,
    `Removed ${teamId} ("Test") with 1 test order, 1 person, 1 key, 1 domain, 1 refused report.\n`,
  ]);
  expect(stderr).toMatch(/^Used the database of DATABASE_URL [^\n]+\n$/);
  expect(await tablesWith(server.sql, uuid)).toEqual([]);
  expect(await tablesWith(server.sql, other.uuid)).toEqual(ofOther);
  expect((await server.reportByKey(key, order(teamId))).status).toBe(401);
  expect((await server.report(order(teamId))).status).toBe(403);
  expect(await isDemoRemoved(server.sql)).toBe(false);
  const again = await runOrderbeacon(['team', 'remove', '--team', teamId], server.env);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('No team has the id')]);
});

it('a team with live orders stays as it is, and one line says so, unless --delete-live-orders is given', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  expect((await server.report(order(teamId))).status).toBe(200);

  const refused = await runOrderbeacon(['team', 'remove', '--team', teamId], server.env);
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    2,
    '',
    'orderbeacon: Nothing was removed: this team has 1 live order, 1 person, 1 domain. To remove all of it for good, make a backup and add --delete-live-orders.\n',
  ]);
  expect((await server.report(order(teamId))).body.data.isNew).toBe(false);

  const removed = await runOrderbeacon(
    ['team', 'remove', '--team', teamId, '--delete-live-orders', '--json'],
    server.env,
  );
  expect([removed.code, JSON.parse(removed.stdout)]).toEqual([
    0,
    { id: teamId, name: 'Test', removed: expect.objectContaining({ liveOrders: 1, people: 1, domains: 1 }) },
  ]);
  expect(await tablesWith(server.sql, uuid)).toEqual([]);
});

it('a removed demo team stays removed, and a demo team with live orders is no exception', async () => {
  const server = await startServerForTest();
  const demo = await ensureDemoTeam(server.sql, server.url);
  await server.sql`update domain set is_test = false`;
  expect((await server.report(order(demo!.teamId), { origin: 'http://localhost' })).status).toBe(200);
  expect((await runOrderbeacon(['team', 'remove', '--team', demo!.teamId], server.env)).code).toBe(2);
  expect(await ensureDemoTeam(server.sql, server.url)).toMatchObject({ teamId: demo!.teamId });

  const args = ['team', 'remove', '--team', demo!.teamId, '--delete-live-orders'];
  expect((await runOrderbeacon(args, server.env)).code).toBe(0);
  expect(await ensureDemoTeam(server.sql, server.url)).toBeNull();
});

it('a removed team whose pages go on reporting causes no alert, and no statement that fails every second', async () => {
  const server = await startServerForTest({ refused: { placesOfSender: 1, countEveryMs: 20 } });
  const { teamId } = await server.addTeam('shop.example');
  const bad = { ...order(teamId), email: 'no email' };
  const report = (orderId: string, origin: string) => server.report({ ...bad, orderId }, { origin });
  // The host's place is taken by the first, so the second is only counted.
  for (const orderId of ['o-1', 'o-2'])
    expect((await report(orderId, 'https://shop.example')).status).toBe(400);
  const removal = await runOrderbeacon(['team', 'remove', '--team', teamId], server.env);
  expect(removal.code).toBe(0);
  for (const origin of ['https://shop.example', 'https://other.example'])
    expect((await report('o-3', origin)).status).toBe(400);

  const figures = (await server.send('GET', '/metrics')).text;
  expect(/^orderbeacon_refused_reports_total\{outcome="dropped"\} (\d+)$/m.exec(figures)?.[1]).toBe('0');
  const transactions = vi.spyOn(server.pools.refused, 'begin');
  await setTimeout(500);
  const ended = await Promise.allSettled(transactions.mock.results.map(({ value }) => value));
  // What was only counted is written once, and not every 20 ms.
  expect(ended.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(1);
});
