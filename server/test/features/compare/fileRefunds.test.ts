import { expect } from 'vitest';
import { createTrigger } from '../../kit/createTrigger.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { compareFile, runCompare } from './kit/compareFile.js';
import { openFile } from './kit/readOrderFile.js';

test.for<[columns: Record<string, string>, refunded: string | null]>([
  [{ Status: 'wc-refunded' }, 'all'],
  [{ 'Financial Status': 'refunded', 'Refunded Amount': '0.00' }, 'all'],
  [{ 'Financial Status': 'partially_refunded' }, 'some'],
  [{ 'Financial Status': 'partially_refunded', 'Refunded Amount': '4.50' }, '4.5'],
  [{ 'Financial Status': 'paid', 'Refunded Amount': '0.00' }, null],
  [{ 'Amount Refunded': '4.5' }, '4.5'],
  [{ 'Amount Refunded': '10.00' }, 'all'],
  [{ 'Amount Refunded': '12.00' }, 'all'],
  [{ total_refunded: '-4.50' }, '4.5'],
  [{ 'Partial Refunds': '-$4.50' }, '4.5'],
  [{ Erstattungsbetrag: '4,50 €' }, '4.5'],
  [{ 'Refunded Amount': 'n/a' }, null],
  [{ 'Refunded Amount': '1.234' }, 'some'],
  [{ 'Refunded?': 'true' }, 'all'],
  [{ 'Refunded?': 'false' }, null],
  [{ Refunded: '4.50' }, '4.5'],
  [{ 'Refunded at': '2026-05-02' }, 'some'],
  [{ 'Refunded date (UTC)': '2026-05-02', 'Amount Refunded': '4.50' }, '4.5'],
  ...[
    'Refunded (EUR)',
    'refunded_amount_eur',
    'Total Refunded Amount',
    'Order Refunds',
    'Payment Refunded',
    'base_total_refunded',
    'Return Amount',
    'Returns',
    'Gutschrift',
    'Rückzahlung',
    'Remboursé (EUR)',
  ].map((head): [Record<string, string>, string] => [{ [head]: '4.50' }, '4.5']),
  [{ 'Payment Refunded': 'yes' }, 'all'],
  [{ Chargeback: 'yes' }, 'all'],
  ...[
    'Refund Id',
    'Refund Reason',
    'Refund Tax',
    'Return URL',
    'Returning Customer',
    'Refunded Quantity',
  ].map((head): [Record<string, string>, null] => [{ [head]: '4.50' }, null]),
  [{ Status: 'teilweise erstattet' }, 'some'],
  [{ Status: 'erstattet' }, 'all'],
])('a row of 10 with %j was refunded: %s', async ([columns, refunded]) => {
  const cells = Object.values(columns).map((cell) => `"${cell}"`);
  const csv = `Order ID,Total,${Object.keys(columns).join(',')}\nA-1,10.00,${cells.join(',')}\n`;
  const { rows } = await openFile(csv);
  expect(rows).toMatchObject([{ kind: 'order', order: { amount: '10', refunded } }]);
});

test.for([
  ['Transaction Type', 'Payment', 'Refund'],
  ['Transaction Type', 'sale', 'credit'],
  ['Type', 'Charge', 'Chargeback'],
  ['Typ', 'Zahlung', 'Gutschrift'],
])('of rows whose %s is %s or %s the last one is a refund', async ([head = '', paid = '', back = '']) => {
  const { rows } = await openFile(
    `Order ID,Total,Currency,${head},Status\nA-1,49.90,EUR,${paid},Successful\nA-1,49.90,EUR,${back},Successful\n`,
  );
  expect(rows).toMatchObject([
    { kind: 'order', order: { orderId: 'A-1', amount: '49.9' } },
    { kind: 'refund', amount: '49.9', currency: 'EUR' },
  ]);
});

const csv = [
  'Order ID,Total,Currency,Email,Date,Status,Refunded Amount',
  'A-1,10,EUR,ann@buyer.example,2026-05-01,partially_refunded,4.50',
  'A-2,20,EUR,bob@buyer.example,2026-05-01,refunded,',
  'A-3,30,EUR,cid@buyer.example,2026-05-01,partially_refunded,',
  'A-4,40,EUR,dee@buyer.example,2026-05-01,paid,0.00',
].join('\n');
const states = ['A-1 PARTIALLY_REFUNDED 4.5', 'A-2 REFUNDED 20', 'A-3 PAID 0', 'A-4 PAID 0'];

/** Reads the orders of that file, each with its id, status and refunded amount. */
const statesOf = (shop: Shop) =>
  Promise.all(
    ['A-1', 'A-2', 'A-3', 'A-4'].map(async (id) => {
      const { paymentStatus, refundedAmount } = (await shop.read(id)).body.data;
      return `${id} ${paymentStatus} ${refundedAmount}`;
    }),
  );

test('the refunds of a file are said first, and stored with its orders, once', async ({ shop }) => {
  const first = await compareFile(shop, csv);
  expect(first.json.refunds).toEqual({ orders: 2, sums: { EUR: 24.5 }, unknown: 1 });
  expect(first.json.missing.map(({ refunded }: { refunded: unknown }) => refunded)).toEqual([
    4.5,
    20,
    'some',
    null,
  ]);
  const { stdout } = await runCompare(shop, csv);
  expect(stdout).toContain('A-1  10 EUR  ann@buyer.example  2026-05-01T00:00:00.000Z  refunded 4.5');
  expect(stdout).toContain(
    '2 missing orders were refunded (24.5 EUR). The refunds are stored with the orders.',
  );
  expect(stdout).toContain('1 missing order was refunded in part, and the file does not say how much');
  for (const stored of [4, 0]) {
    expect((await compareFile(shop, csv, '--store')).json).toMatchObject({ stored, notStored: [] });
    expect(await statesOf(shop)).toEqual(states);
  }
});

test('an interruption leaves no order without its refund: the file is stored again, and has both', async () => {
  const shop = await openShop(await startServerForTest());
  const { sql } = shop;
  await createTrigger(
    sql,
    `create function fail() returns trigger language plpgsql as 'begin raise exception ''no refunds now''; end'`,
    'create trigger fail before insert on refund for each row execute function fail()',
  );
  expect((await runCompare(shop, csv, '--store')).code).toBe(1);
  await sql`drop trigger fail on refund`;
  expect((await compareFile(shop, csv, '--store')).json.notStored).toEqual([]);
  expect(await statesOf(shop)).toEqual(states);
});

test('so are those of tests, by payment alone too', async ({ shop }) => {
  const stripe =
    'id,Amount,Amount Refunded,Currency,Status,Mode,Customer Email\npi_1,10,4,eur,Paid,Test,ann@buyer.example\n';
  expect((await compareFile(shop, stripe, '--store', '--test')).json).toMatchObject({ stored: 1 });
  const [order] = await shop.stored();
  const refunds = await shop.sql`
    select amount, is_test as "isTest" from refund where team_id = ${shop.team} and placed_order_id = ${order!.id}`;
  expect(refunds).toEqual([{ amount: '4', isTest: true }]);
});

test('refunds with rows of their own are said, with their money', async ({ shop }) => {
  const rows = 'A-1,10,EUR,ann@buyer.example\nA-1,-4.5,EUR,\nA-2,(1.00),EUR,\n';
  const { stdout } = await runCompare(shop, `Order ID,Total,Currency,Email\n${rows}`);
  expect(stdout).toContain('2 rows are refunds (5.5 EUR), which a comparison does not store: record');
  const payPal = [
    'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,From Email Address,Transaction ID,Custom Number',
    '2026-05-01,10:00:00,UTC,Ann,Payment Refund,Completed,EUR,-4.50,shop@shop.example,91C1,',
    '2026-05-01,10:00:00,UTC,,General Withdrawal,Completed,EUR,-400.00,,91C2,',
  ].join('\n');
  const { json } = await compareFile(shop, payPal);
  expect(json).toMatchObject({ refundRows: { rows: 1, sums: { EUR: 4.5 } }, noOrders: 1 });
});
