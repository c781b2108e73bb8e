import { expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection/connect.js';
import { tables } from '../../src/database/tables.js';
import { isDemoRemoved } from '../../src/features/demo/sql/demoTeam.js';
import type { Uuid } from '../../src/values/ids.js';
import { withRefused } from '../features/refused/kit/inTests.js';
import { complaintOf, json } from '../kit/command.js';
import { startServerForTest } from '../kit/server.js';
import { openShop, type Shop, test } from '../kit/shop.js';
import { startWriters } from '../kit/writers.js';

/** Resolves with the tables that have rows of a team. */
async function tablesWith({ sql, team }: { sql: Sql; team: Uuid }) {
  const found: string[] = [];
  for (const table of tables.filter((table) => table !== 'installation')) {
    const column = table === 'team' ? 'id' : 'team_id';
    const rows = await sql`select 1 from ${sql(table)} where ${sql(column)} = ${team}`;
    if (rows.length > 0) found.push(table);
  }
  return found;
}

test('team remove leaves nothing of a team without live orders, says what it removed, and spares other teams', async ({
  shop,
}) => {
  const other = await openShop(shop.server);
  const key = await shop.testKey();
  expect((await shop.reportByKey({}, { key })).status).toBe(200);
  expect((await other.report()).status).toBe(200);
  expect((await shop.report({ email: 'no email' })).status).toBe(400);
  const ofOther = await tablesWith(other);

  const { code, stdout, stderr } = await shop.command('team', 'remove');
  expect([code, stdout]).toEqual([
    0,
    `Removed ${shop.teamId} ("Test") with all its data; live orders: 0, test orders: 1, people: 1.\n`,
  ]);
  expect(stderr).toMatch(/^Used the database of DATABASE_URL [^\n]+\n$/);
  expect(await tablesWith(shop)).toEqual([]);
  expect(await tablesWith(other)).toEqual(ofOther);
  expect((await shop.reportByKey({}, { key })).status).toBe(401);
  expect((await shop.report()).status).toBe(403);
  expect(await isDemoRemoved(shop.sql)).toBe(false);
  expect(complaintOf(await shop.command('team', 'remove'))).toContain('No team has the id');
});

test('a team with live orders stays as it is, and one line says so, unless --delete-live-orders is given', async ({
  shop,
}) => {
  await shop.report({ orderId: 'o' });
  expect(complaintOf(await shop.command('team', 'remove'))).toBe(
    'orderbeacon: Nothing was removed: this team has live orders (live orders: 1, test orders: 0, people: 1). To remove all of it for good, make a backup and add --delete-live-orders.\n',
  );
  expect((await shop.report({ orderId: 'o' })).body.data.isNew).toBe(false);
  expect(await json(shop, 'team remove --delete-live-orders')).toEqual({
    id: shop.teamId,
    name: 'Test',
    removed: { liveOrders: 1, testOrders: 0, people: 1 },
  });
  expect(await tablesWith(shop)).toEqual([]);
});

it('a team that reports meanwhile is removed at once, and each report is stored before it or refused', {
  tags: ['all'],
}, async () => {
  const server = await startServerForTest();
  const shop = await openShop(server);
  await shop.addDomain('shop.example');
  const writers = startWriters(server.url, [shop.teamId], 8);
  const stored = () => writers.acknowledged.length;
  await expect.poll(stored).toBeGreaterThan(50);
  const { code, stderr } = await shop.command('team', 'remove', '--delete-live-orders');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Used [^\n]+\n$/)]);
  await expect.poll(() => writers.statuses.get(403) ?? 0).toBeGreaterThan(0);
  await writers.stop();
  expect([...writers.statuses.keys()].filter((status) => ![200, 403, 503].includes(status))).toEqual([]);
  expect(await tablesWith(shop)).toEqual([]);
});

it('a removed team whose pages go on reporting causes no alert', { tags: ['all'] }, async () => {
  const server = await startServerForTest(withRefused({ reportsOfSender: 1 }));
  const shop = await openShop(server);
  const report = ({ report, origin }: Shop, from = origin) => report({ email: 'no email' }, { origin: from });
  // Of one host, only the first report is kept, so the second is only counted.
  for (const _ of [1, 2]) expect((await report(shop)).status).toBe(400);
  expect((await shop.command('team', 'remove')).code).toBe(0);
  for (const from of [shop.origin, 'https://other.example'])
    expect((await report(shop, from)).status).toBe(400);
  const figures = (await server.send('GET', '/metrics')).text;
  expect(/^orderbeacon_refused_reports_total\{outcome="dropped"\} (\d+)$/m.exec(figures)?.[1]).toBe('0');
});
