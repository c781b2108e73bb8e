import { describe, expect } from 'vitest';
import { placeOrders } from '../../../kit/placeOrder.js';
import { openShop, type Shop, test } from '../../../kit/shop.js';

let shop: Shop;

/** Stores six orders, each an hour older than the one before: live and test, each from a page, from a key, and from both. */
test.beforeAll(async ({ server }) => {
  shop = await openShop(server);
  const names = ['live page', 'live key', 'live both', 'test page', 'test key', 'test both'];
  await placeOrders(
    shop.sql,
    shop.team,
    names.map((orderId, at) => ({
      orderId,
      isTest: orderId.startsWith('test'),
      reportedBy: orderId.split(' ')[1]!.replace('page', 'browser'),
      createdAt: new Date(Date.parse('2026-11-01T12:00Z') - (5 - at) * 60 * 60_000),
    })),
  );
});

const run = (...args: string[]) => shop.command('order', ...args);

/** Reads the orderIds of `order list` and of `order export`. Expects that they are the same. */
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
  test.for<[string[], string[]]>([
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
  ])('%j', async ([options, expected]) => {
    expect(await select(...options)).toEqual(expected);
  });

  test('and say on stderr which times they took, and that a time without a zone is UTC', async () => {
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

  test.for<[string[], RegExp]>([
    [['--test', '--live'], /--live/],
    [['--reported-by', 'phone'], /page, browser, key, both/],
    [['--since', '2026-11-02', '--until', '2026-11-01'], /must be before --until 2026-11-01T00:00:00.000Z/],
    [['--until', 'tomorrow'], /--until must be a date or time/],
  ])('but refuse %j in one line', async ([options, message]) => {
    for (const args of [['list'], ['export', '--format', 'csv']]) {
      const { code, stdout, stderr } = await run(...args, ...options);
      expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringMatching(message)]]);
    }
  });
});
