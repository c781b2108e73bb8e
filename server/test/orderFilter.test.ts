import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let teamId: string;

/**
 * Six orders, each an hour older than the one before: live and test, each reported by a page, by a key, and by both.
 */
beforeAll(async () => {
  server = await startTestServer();
  const team = await server.addTeam('shop.example');
  teamId = team.teamId;
  const { sql } = server;
  await sql`insert into domain (team_id, entry, is_test) values (${team.uuid}, 'test.example', true)`;
  const keys = { live: await server.addKey(team.uuid), test: await server.addKey(team.uuid, 'test') };
  for (const mode of ['live', 'test'] as const) {
    const origin = `https://${mode === 'live' ? 'shop' : 'test'}.example`;
    const order = (orderId: string) => ({ teamId, email: 'ann@buyer.example', amount: 1, orderId });
    await server.report(order(`${mode} page`), { origin });
    await server.reportByKey(keys[mode], order(`${mode} key`));
    await server.report(order(`${mode} both`), { origin });
    await server.reportByKey(keys[mode], order(`${mode} both`));
  }
  const orders = await sql<{ team: string; id: string }[]>`
    select team_id as team, id from placed_order order by id desc`;
  for (const [hour, { team, id }] of orders.entries()) {
    const createdAt = new Date(Date.parse('2026-11-01T12:00Z') - hour * 60 * 60_000);
    await sql`update placed_order set created_at = ${createdAt} where team_id = ${team} and id = ${id}`;
  }
});
afterAll(() => server.close());

const run = (...args: string[]) => runOrderbeacon(['order', ...args, '--team', teamId], server.env);

/** The orderIds that `order list` and `order export` give, which must be the same. */
async function select(...options: string[]): Promise<string[]> {
  const listed = await run('list', '--json', ...options);
  expect([listed.code, listed.stderr]).toEqual([0, '']);
  const exported = await run('export', '--format', 'ndjson', ...options);
  expect(exported.code).toBe(0);
  const lines = exported.stdout.split('\n').filter(Boolean);
  const [fromList, fromExport] = [JSON.parse(listed.stdout), lines.map((line) => JSON.parse(line))];
  expect(fromExport).toEqual(fromList);
  return fromList.map((order: { orderId: string }) => order.orderId);
}

describe('order list and order export select', () => {
  it.each([
    [['--live'], ['live both', 'live key', 'live page']],
    [['--test'], ['test both', 'test key', 'test page']],
    [
      ['--reported-by', 'page'],
      ['test page', 'live page'],
    ],
    [
      ['--reported-by', 'browser'],
      ['test page', 'live page'],
    ],
    [['--reported-by', 'key', '--live'], ['live key']],
    [['--reported-by', 'both', '--test'], ['test both']],
    [
      ['--since', '2026-11-01T11:00'],
      ['test both', 'test key'],
    ],
    [
      ['--until', '2026-11-01T11:00'],
      ['test page', 'live both', 'live key', 'live page'],
    ],
    [['--since', '2026-11-01T10:00+01:00', '--until', '2026-11-01T11:00+01:00'], ['live both']],
    [['--since', '2026-11-01', '--until', '2026-11-02', '--live', '--reported-by', 'page'], ['live page']],
    [['--until', '2026-11-01'], []],
  ])('%j', async (options, expected) => {
    expect(await select(...options)).toEqual(expected);
  });

  it('and say on stderr which times they took, and that a time without a zone is UTC', async () => {
    const options = ['--since', '2026-11-01', '--until', '2026-11-01T11:00+01:00'];
    const expected =
      'Orders created at or after 2026-11-01T00:00:00.000Z, before 2026-11-01T10:00:00.000Z. A time without a zone is UTC. For another zone add it, such as +01:00.';
    for (const args of [['list'], ['export', '--format', 'csv']]) {
      expect((await run(...args, ...options)).stderr.split('\n')).toContain(expected);
    }
    const { stderr } = await run('list', '--since', '2026-11-01T00:00Z');
    expect(stderr).toContain('Orders created at or after 2026-11-01T00:00:00.000Z.\n');
    expect((await run('list', '--help')).stdout.replace(/\s+/g, ' ')).toContain('UTC without a zone');
  });

  it.each([
    [['--test', '--live'], /--live/],
    [['--reported-by', 'phone'], /page, browser, key, both/],
    [['--since', '2026-11-02', '--until', '2026-11-01'], /must be before --until 2026-11-01T00:00:00.000Z/],
    [['--until', 'tomorrow'], /--until must be a date or time/],
  ])('but refuse %j in one line', async (options, message) => {
    for (const args of [['list'], ['export', '--format', 'csv']]) {
      const { code, stdout, stderr } = await run(...args, ...options);
      expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringMatching(message)]]);
    }
  });
});
