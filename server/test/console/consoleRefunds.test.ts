import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { subtractDecimals } from '../../src/values/decimal.js';
import { tilesOf } from '../kit/html.js';
import { settle } from '../kit/settle.js';
import { type Shop, test } from '../kit/shop.js';

/** Opens a shop's console, with a function that reads the tiles of its overview. */
async function openFigures(shop: Shop) {
  const { get, read } = await shop.console();
  const tiles = async (query = '?range=7d') => tilesOf((await get(`/console${query}`)).text);
  /** Makes all rows of a team in a table older. */
  async function age(table: 'placed_order' | 'refund', days: number, currency?: string) {
    const { sql, team } = shop;
    await sql`
      update ${sql(table)} set created_at = now() - ${days} * interval '1 day'
      where team_id = ${team} ${currency ? sql`and currency = ${currency}` : sql``}`;
    if (table === 'refund')
      await sql`
        update statement set said = jsonb_set(said::jsonb, '{parts,refunds,value,0,createdAt}', (
          select to_jsonb(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          from refund where refund.team_id = ${team} and refund.object = statement.object
        ))::json
        where team_id = ${team} and said->>'kind' = 'refund'`;
  }
  return { get, read, tiles, age };
}

test('gross never falls, and refunded and net count refunds on their own day, per currency', async ({
  shop,
}) => {
  await shop.reportByKey({ orderId: 'o-1', amount: 50.1 });
  await shop.reportByKey({ amount: 7, currency: 'EUR' });
  await shop.reportByKey({ orderId: 'o-3', amount: 30 });
  await shop.refund({ orderId: 'o-1', refundId: 'r-1', amount: 20.3 });
  await shop.refund({ orderId: 'o-3', refundId: 'r-2' });
  const { get, tiles, age } = await openFigures(shop);
  expect(await tiles()).toMatchObject({
    Orders: ['3'],
    Gross: ['$80.10', '+ €7.00'],
    Refunded: ['$50.30'],
    Net: ['$29.80', '+ €7.00'],
  });
  // Orders of ten days ago were refunded now, so the week has the refunds and not the orders.
  await age('placed_order', 10, 'USD');
  expect(await tiles()).toMatchObject({
    Orders: ['1', '2 before', '↓ 50%'],
    Gross: ['€7.00'],
    Refunded: ['€0.00', '+ $50.30'],
    Net: ['€7.00', '+ -$50.30'],
  });
  await age('placed_order', 10);
  expect(await tiles()).toMatchObject({
    Orders: ['0', '3 before', '↓ 100%'],
    Gross: ['$0.00', '↓ 100%'],
    Refunded: ['$50.30'],
    Net: ['-$50.30', expect.anything()],
  });
  // Without orders the chart has a scale, too.
  expect((await get('/console?range=7d')).text).toMatch(/class="plot"><div[^>]*><span>1<\/span>/);
  await age('refund', 9);
  expect(await tiles()).toEqual({});
});

test('refunds together count no more than their order, the earlier ones first, also those of before the range', async ({
  shop,
}) => {
  await shop.report({ orderId: 'o-1', amount: 50 });
  await shop.refund({ orderId: 'o-1', refundId: 'first', amount: 40 });
  const { tiles, age } = await openFigures(shop);
  await age('refund', 10);
  await shop.refund({ orderId: 'o-1', refundId: 'second' });
  expect(await tiles()).toMatchObject({ Refunded: ['$10.00', '↓ 75%'], Net: ['$40.00'] });
  // A backend reports later that the order was of 45.
  await shop.reportByKey({ orderId: 'o-1', amount: 45 });
  expect(await tiles()).toMatchObject({
    Gross: ['$45.00'],
    Refunded: ['$5.00', '↓ 88%'],
    Net: ['$40.00'],
  });
});

test('lists mark what was refunded, and the file has it, also where the refund came before its order', async ({
  shop,
}) => {
  await shop.refund({ orderId: 'o-3', refundId: 'early' });
  for (const orderId of ['o-1', 'o-2', 'o-3']) await shop.reportByKey({ orderId, amount: 50 });
  await settle(shop.sql, shop.team);
  await shop.refund({ orderId: 'o-2', refundId: 'part', amount: 0.5 });
  const { get, read } = await openFigures(shop);
  expect(await read('/console/orders')).toMatch(
    /o-3 .* Refunded \$50\.00 .*o-2 .* \$0\.50 refunded \$50\.00 .*o-1 .* Backend only \$50\.00 (?!.*refunded)/,
  );
  const { text } = await get('/console/orders.csv?range=7d');
  const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.map((row) => [row.orderId, row.paymentStatus, row.refundedAmount])).toEqual([
    ['o-3', 'REFUNDED', '50'],
    ['o-2', 'PARTIALLY_REFUNDED', '0.5'],
    ['o-1', 'PAID', '0'],
  ]);
});

it.each([
  ['50.1', '20.3', '29.8'],
  ['0', '50.30', '-50.30'],
  ['10', '10', '0'],
  ['0.1', '0.3', '-0.2'],
  ['99999999999999999.99', '0.00000000000000001', '99999999999999999.98999999999999999'],
])('%s less %s is %s, to the digit', (from, amount, left) => {
  expect(subtractDecimals(from, amount)).toBe(left);
});

test('the file of refunds has each of a range by its own day, with id, reason and order, and adds up to the overview', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await sql`update team set zone = 'Pacific/Auckland' where id = ${team}`;
  for (const orderId of ['o-1', 'o-2']) await shop.reportByKey({ orderId, amount: 50, currency: 'EUR' });
  await shop.refund({ orderId: 'o-1', refundId: '007', amount: 20.5, reason: '=late' });
  await shop.refund({ orderId: 'o-1', refundId: 'second', amount: 9.5 });
  await shop.refund({ orderId: 'o-2', refundId: 'old' });
  const { get, tiles } = await openFigures(shop);
  const times = { old: '2026-08-05T10:30Z', '007': '2026-11-05T11:30Z', second: '2026-11-05T10:30Z' };
  for (const [refundId, at] of Object.entries(times))
    await sql`update refund set created_at = ${new Date(at)} where team_id = ${team} and refund_id = ${refundId}`;
  const range = 'range=custom&from=2026-11-05&to=2026-11-06';
  const { text, headers } = await get(`/console/refunds.csv?${range}`);
  expect(headers.get('content-disposition')).toContain('refunds-2026-11-05-to-2026-11-06.csv');
  const { id, orderNumber } = (await shop.read('o-1')).body.data;
  const ofOrder = { currency: 'EUR', orderCurrency: 'EUR', orderId: 'o-1', orderNumber, order: id };
  expect(parse(text, { bom: true, columns: true })).toEqual([
    {
      ...ofOrder,
      day: '2026-11-06',
      createdAt: '2026-11-05T11:30:00.000Z',
      refundId: '007',
      amount: '20.5',
      countedAmount: '20.5',
      reason: "'=late",
      isTest: 'false',
    },
    {
      ...ofOrder,
      day: '2026-11-05',
      createdAt: '2026-11-05T10:30:00.000Z',
      refundId: 'second',
      amount: '9.5',
      countedAmount: '9.5',
      reason: '',
      isTest: 'false',
    },
  ]);
  expect(await tiles(`?${range}`)).toMatchObject({ Refunded: ['€30.00'] });

  const exported = async (...options: string[]) => {
    const { stdout } = await shop.command('refund', 'export', '--format', 'ndjson', ...options);
    const lines = stdout.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line).refundId);
  };
  expect(await exported()).toEqual(['007', 'second', 'old']);
  const day = ['--since', '2026-11-06T00:00+13:00', '--until', '2026-11-07T00:00+13:00'];
  expect(await exported(...day)).toEqual(['007']);
  expect(await exported('--test')).toEqual([]);
  const { stdout } = await shop.command('refund', 'export', '--format', 'csv', '--excel');
  expect(stdout).toContain('"=""007""",20.5,EUR');
});

test('the file of refunds has more than one batch of them, each once', async ({ shop }) => {
  const { sql, team } = shop;
  await shop.reportByKey({ orderId: 'o-1', amount: 2000 });
  await shop.refund({ orderId: 'o-1', refundId: 'r-0', amount: 1 });
  const { get } = await openFigures(shop);
  await sql`
    insert into refund select (jsonb_populate_record(refund, jsonb_build_object('refund_id', 'r-' || n, 'object', 'x' || n))).*
    from refund, generate_series(1, 1200) n where team_id = ${team}`;
  const { text } = await get('/console/refunds.csv');
  const rows = parse(text, { bom: true, columns: true }) as { refundId: string }[];
  const ids = Array.from({ length: 1201 }, (_, n) => `r-${n}`);
  expect(rows.map(({ refundId }) => refundId).sort()).toEqual(ids.sort());
});
