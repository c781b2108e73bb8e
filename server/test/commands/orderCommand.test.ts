import { expect } from 'vitest';
import { anOrder } from '../kit/anOrder.js';
import { complaintOf, documentOf, json } from '../kit/command.js';
import { test } from '../kit/shop.js';

test('order list and order export show every stored field, newest first, from --since on', async ({
  shop,
}) => {
  await shop.report({ orderId: 'first' });
  await shop.report(anOrder.sent);
  const all = await json(shop, 'order list');
  expect(all).toEqual([anOrder.listed, expect.objectContaining({ orderId: 'first' })]);
  const { sql, team } = shop;
  await sql`
    update placed_order set created_at = now() - interval '3 days' where team_id = ${team} and order_id = 'first'`;
  expect(await json(shop, 'order list --since 2d')).toHaveLength(1);
  for (const since of ['2020-01-01', '999999d', '0000-01-01'])
    expect(await json(shop, `order list --since ${since}`)).toHaveLength(2);
  const { stdout } = await shop.command('order', 'export', '--format', 'ndjson', '--since', '2d');
  expect(JSON.parse(stdout)).toEqual(anOrder.listed);
});

test('order export writes a CSV with a column for each part of a touch, where no text is a formula either', async ({
  shop,
}) => {
  const landings = btoa('1777622400000 undefined ?utm_source==x /');
  await shop.report({ landings, tax: 0.02 });
  const [heading, row] = (await shop.command('order', 'export', '--format', 'csv')).stdout.split('\n');
  expect(heading).toMatch(
    /^id,orderNumber,reportId,.*,orderId,.*,firstTouch.at,firstTouch.path,.*,lastTouch.clickId,extra\b/,
  );
  expect(row).toMatch(/2026-05-01T08:00:00.000Z,\/,,'=x,,,,,,,,,,,,,,,"{""tax"":0.02}"$/);
});

test('order list says so when there are more orders than it lists', async ({ shop }) => {
  for (const orderId of ['1', '2', '3']) await shop.report({ orderId });
  const list = (limit: string) => shop.command('order', 'list', '--limit', limit, '--json');
  const some = await list('2');
  expect(JSON.parse(some.stdout)).toMatchObject([{ orderId: '3' }, { orderId: '2' }]);
  expect(some.stderr).toBe(
    'These are the newest 2 orders. --limit lists more, and order export writes all.\n',
  );
  expect(documentOf(await list('3'))).toHaveLength(3);
});

test('a list replaces control characters of stored texts; --json has the exact text', async ({ shop }) => {
  const orderId = 'a\u001b]0;owned\u0007\u009b31m\r\nb';
  await shop.report({ orderId });
  const { stdout } = await shop.command('order', 'list');
  expect(stdout).toContain('a\ufffd]0;owned\ufffd\ufffd31m\ufffd\ufffdb');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(await json(shop, 'order list')).toMatchObject([{ orderId }]);
});

test.for([
  ['list', '--since', 'yesterday'],
  ['list', '--limit', '0'],
  ['list', '--limit', '100001'],
])(
  'order %s %s %s is refused with one line that names the option',
  async ([verb, option, value], { shop }) => {
    expect(complaintOf(await shop.command('order', verb!, option!, value!))).toContain(option);
  },
);
