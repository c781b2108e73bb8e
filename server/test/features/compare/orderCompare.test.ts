import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findSecret } from '../../../src/database/installation.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { personUuid } from '../../../src/values/ids.js';
import { findWaitsBehind } from '../../kit/lockWaits.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';
import {
  compareFile as compare,
  noDifferenceBut as found,
  reportInEur as report,
  runCompare as run,
} from './kit/compareFile.js';

/** Dates an order as if it had come at this time. */
const date = ({ sql, team }: Shop, orderId: string, at: string) =>
  sql`update placed_order set created_at = ${at} where team_id = ${team} and order_id = ${orderId}`;

/** Reads the stored orders, the oldest first. */
const byDate = async (shop: Shop) => (await shop.stored()).toSorted((a, b) => a.createdAt - b.createdAt);
const idsByDate = async (shop: Shop) => (await byDate(shop)).map(({ orderId }) => orderId);

describe('order compare', () => {
  test('tells which orders are missing, which differ, and which are only here within the dates of the file', async ({
    shop,
  }) => {
    for (const [id, amount] of [
      ['same', 49.9],
      ['amount', 10],
      ['currency', 20],
      ['extra', 30],
      ['before', 40],
      ['after', 50],
    ] as const)
      await report(shop, id, amount);
    for (const id of ['same', 'amount', 'currency', 'extra']) await date(shop, id, '2026-05-02T12:00Z');
    await date(shop, 'before', '2026-04-30T23:59Z');
    await date(shop, 'after', '2026-05-04T00:01Z');
    const csv = [
      'orderId,amount,currency,createdAt,email',
      'same,49.90,EUR,2026-05-01,ann@buyer.example',
      'amount,11,EUR,2026-05-02,ann@buyer.example',
      'currency,20,USD,2026-05-02,ann@buyer.example',
      'gone,"1.234,50",eur,2026-05-03,bob@buyer.example',
    ].join('\n');
    const { code, json, stderr } = await compare(shop, csv);
    expect([code, stderr]).toEqual([1, '']);
    const gone = { orderId: 'gone', amount: 1234.5, currency: 'EUR', email: 'bob@buyer.example' };
    const [amount, currency] = [
      { line: 3, orderId: 'amount', orderNumber: expect.stringMatching(/^ORD-/) },
      { orderId: 'currency' },
    ];
    const eur = (amount: number) => ({ amount, currency: 'EUR' });
    expect(json).toMatchObject({
      format: 'Orderbeacon',
      orders: 4,
      equal: 1,
      counts: { missing: 1, different: 2, onlyHere: 1, unread: 0 },
      since: '2026-05-01T00:00:00.000Z',
      until: '2026-05-04T00:00:00.000Z',
      missing: [{ ...gone, line: 5, createdAt: '2026-05-03T00:00:00.000Z' }],
      different: [
        { ...amount, inFile: eur(11), here: eur(10) },
        { ...currency, inFile: { amount: 20, currency: 'USD' }, here: eur(20) },
      ],
      onlyHere: [{ orderId: 'extra', ...eur(30), createdAt: '2026-05-02T12:00:00.000Z', reportedBy: 'key' }],
      unread: [],
      stored: 0,
      notStored: [],
    });
    const asText = await run(shop, csv);
    expect(asText.code).toBe(1);
    for (const line of [
      /^Missing here \(1\):\n {2}gone {2}1234\.5 EUR {2}bob@buyer\.example {2}2026-05-03T00:00:00\.000Z$/m,
      /^Different \(2\):\n {2}amount {2}ORD-\w+ {2}11 EUR in the file {2}10 EUR here$/m,
      /^Only here \(1\):\n {2}extra {2}ORD-\w+ {2}30 EUR {2}2026/m,
      /^4 paid orders \(Orderbeacon\): 1 equal, 1 missing here .*, 2 different .*\.$/m,
    ])
      expect(asText.stdout).toMatch(line);
  });

  test('ends with 0 where nothing differs, with its own export too', async ({ shop }) => {
    await report(shop, '007', 49.9, { name: '=Ann' });
    await report(shop, '+A,"1"', 1234.5);
    for (const more of [['--excel'], []]) {
      const { stdout } = await shop.command('order', 'export', '--format', 'csv', ...more);
      const compared = await compare(shop, stdout);
      expect(compared).toMatchObject({ code: 0, found: found(2), json: { orders: 2, unread: [] } });
    }
  });

  test('without dates in the file compares with all orders, and with none where the file has none', async ({
    shop,
  }) => {
    await report(shop, 'A', 1);
    await report(shop, 'B', 2);
    expect((await compare(shop, 'orderId,amount\nA,1\n')).found).toEqual(found(1, { onlyHere: ['B'] }));
    expect(await compare(shop, 'orderId,amount\n')).toMatchObject({ code: 2, found: found(0) });
  });

  test('orders that were not paid count neither as missing nor as known', async ({ shop }) => {
    await report(shop, '101', 5);
    const csv = 'order_number,order_total,status\n101,5,cancelled\n102,6,pending\n103,7,pending\n';
    const unpaid = { orders: 0, unpaid: { cancelled: 1, pending: 2 } };
    expect(await compare(shop, csv)).toMatchObject({ code: 2, found: found(0), json: unpaid });
    const paid = await compare(shop, `${csv}104,8,completed\n`);
    expect(paid.found).toEqual(found(0, { missing: ['104'], onlyHere: ['101'] }));
  });

  test('words of which nobody knows if they mean paid are listed, and are no good news until they are named', async ({
    shop,
  }) => {
    await report(shop, '101', 5);
    const csv = 'Order ID,Total,Status\n101,5,Terminée\n102,6,Annulée\n';
    const none = await run(shop, csv);
    expect([none.code, none.stdout]).toEqual([
      2,
      expect.stringMatching(/an unknown word: 1 Terminée, 1 Annulée\. .*--paid[\s\S]*No row could be read/),
    ]);
    const some = await compare(shop, 'Order ID,Total,Status\n101,5,paid\n102,6,Annulée\n');
    expect(some).toMatchObject({ code: 1, found: found(1), json: { unknown: { Annulée: 1 } } });
    const named = await compare(shop, csv, '--paid', 'terminée');
    expect(named).toMatchObject({ code: 0, found: found(1), json: { unknown: {}, unpaid: { Annulée: 1 } } });
  });

  test('the columns that were taken and missed are said, and the money of what differs', async ({ shop }) => {
    await report(shop, '101', 5);
    await report(shop, '9', 1.5);
    const csv = 'Order ID,Total,Currency\n101,7.5,EUR\n102,0.2,EUR\n103,0.1,EUR\n104,0.2,USD\n';
    const { stdout } = await run(shop, csv);
    for (const sentence of [
      '4 paid orders: 0 equal, 3 missing here (0.3 EUR, 0.2 USD), 1 different (2.5 EUR more in the file).',
      '1 only here (1.5 EUR).',
      'Columns: order id “Order ID”, amount “Total”, currency “Currency”. The file has no email, date, status.',
      'No column says if an order was paid, so each row counts.',
    ])
      expect(stdout).toContain(sentence);
    const { json } = await compare(shop, csv);
    expect(json.columns).toMatchObject({ orderId: 'Order ID', amount: 'Total', status: null });
  });

  test('a local date is in the zone of the shop, or in one that is named', async ({ shop }) => {
    for (const id of ['A', 'B']) await report(shop, id, 5);
    await date(shop, 'A', '2026-11-01T03:30Z');
    await date(shop, 'B', '2026-11-01T04:30Z');
    const csv =
      'orderId,amount,createdAt,currency,email\nA,5,2026-10-31,EUR,\nC,5,2026-10-31 23:00,EUR,c@buyer.example\n';
    expect((await compare(shop, csv)).found.onlyHere).toEqual([]);
    const inNewYork = await compare(shop, csv, '--zone', 'America/New_York', '--store');
    expect(inNewYork).toMatchObject({
      found: found(1, { missing: ['C'] }),
      json: { since: '2026-10-31T04:00:00.000Z', until: '2026-11-01T04:00:00.000Z', stored: 1 },
    });
    expect((await byDate(shop)).map(({ createdAt }) => createdAt.toISOString())[0]).toBe(
      '2026-11-01T03:00:00.000Z',
    );
    await shop.command('team', 'edit', '--zone', 'America/New_York');
    expect((await compare(shop, csv)).json).toMatchObject({ since: '2026-10-31T04:00:00.000Z' });
    expect((await compare(shop, csv, '--zone', 'UTC')).json).toMatchObject({
      since: '2026-10-31T00:00:00.000Z',
    });
    expect((await run(shop, csv, '--zone', 'Mars')).stderr).toContain('--zone must be a time zone');
  });

  test('several lines of one order count once, and lines that contradict each other are named', async ({
    shop,
  }) => {
    const compared = await compare(shop, 'orderId,amount\nA,5\nA,5.00\nB,6\nA,7\n');
    const message = 'another line of this order has another amount, currency or status';
    expect(compared).toMatchObject({ code: 1, found: found(0, { missing: ['A', 'B'] }) });
    expect(compared.json).toMatchObject({ orders: 2, unread: [{ line: 5, orderId: 'A', message }] });
  });

  test('live and test are two modes, in the file too', async ({ shop }) => {
    await report(shop, 'A', 5);
    await report(shop, 'T', 6, {}, { key: await shop.testKey() });
    const csv = 'orderId,amount,isTest\nA,5,false\nT,6,true\n';
    for (const options of [[], ['--test']])
      expect(await compare(shop, csv, ...options)).toMatchObject({ found: found(1), json: { otherMode: 1 } });
    const other = await compare(shop, 'orderId,amount\nA,5\n', '--test');
    expect(other.found).toEqual(found(0, { missing: ['A'], onlyHere: ['T'] }));
  });

  test('an order that is known by its payment is no missing one', async ({ shop }) => {
    await report(shop, 'cs_1', 5, {}, { idempotencyKey: 'pi_1' });
    await report(shop, 'cs_2', 6);
    await report(shop, 'cs_2', 6, {}, { idempotencyKey: 'pi_2' });
    await report(shop, 'A-4', 8, {}, { idempotencyKey: 'ch_4' });
    const head = 'id,Amount,Amount Refunded,Currency,Status,PaymentIntent ID';
    const rows = [5, 6, 7, 8].map((amount, at) => `ch_${at + 1},${amount},0,eur,Paid,pi_${at + 1}`);
    const compared = await compare(shop, [head, ...rows].join('\n'));
    expect(compared.found).toEqual(found(3, { missing: ['pi_3'] }));
    const lacking = await run(shop, 'id,Amount,Amount Refunded,Currency,Status\nch_3,7,0,eur,Paid\n');
    expect(lacking.stdout).toContain('add the column “PaymentIntent ID” to the export');
  });

  test('a column of dates that cannot be read is left out by an empty name', async ({ shop }) => {
    await report(shop, '101', 5);
    const csv = 'Order ID,Total,Date\n101,5,soon\n102,6,later\n';
    const unread = await run(shop, csv);
    expect([unread.code, unread.stdout]).toEqual([
      2,
      expect.stringContaining(
        '2 rows not read. If it is the dates that cannot be read, leave their column out: --created-at "".',
      ),
    ]);
    expect((await compare(shop, csv, '--created-at', '')).found).toEqual(found(1, { missing: ['102'] }));
    const { stdout } = await run(shop, csv, '--created-at', '');
    expect(stdout).toContain('they would be stored as of now');
  });

  test('a column of dates that no name explains is asked for', async ({ shop }) => {
    const csv = 'Order ID,Total,Currency,Eingang\n101,5,EUR,2026-05-01\n';
    const asked = await run(shop, csv, '--store');
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining(
        '“Eingang” may have them. Name the column of the date, or leave it out. --created-at "Column"',
      ),
    ]);
    expect(await shop.stored()).toEqual([]);
    expect((await compare(shop, csv, '--created-at', 'Eingang', '--store')).json).toMatchObject({
      stored: 1,
    });
  });

  test('looks for orders that are only here in the span that the dates of orders and of payments have in common', async ({
    shop,
  }) => {
    for (const [id, at] of [
      ['april', '2026-04-28T10:00Z'],
      ['april-2', '2026-04-29T10:00Z'],
      ['may', '2026-05-10T10:00Z'],
      ['may-2', '2026-05-11T10:00Z'],
      ['june', '2026-06-02T10:00Z'],
      ['end', '2026-05-31T10:00Z'],
    ] as const) {
      await report(shop, id, 5);
      await date(shop, id, at);
    }
    // The first file has the payments of May, with a transfer for an order of April. The second has the orders of May, one of
    // which was paid in June.
    for (const rows of [
      ['april,5,2026-04-28 10:00,2026-05-03 10:00', 'may,5,2026-05-10 10:00,2026-05-10 10:01'],
      ['may,5,2026-05-10 10:00,2026-05-10 10:01', 'end,5,2026-05-31 10:00,2026-06-05 10:00'],
    ])
      expect(
        (
          await compare(
            shop,
            ['Order ID,Total,Order date,Paid at', ...rows, 'last,5,2026-05-31 09:00,2026-05-31 09:00'].join(
              '\n',
            ),
          )
        ).found,
      ).toMatchObject({ equal: 2, onlyHere: ['may-2'] });
  });

  test('orders that came after the last one of a file, on its last day, are said and are no difference', async ({
    shop,
  }) => {
    for (const [id, at] of [
      ['1', '2026-05-01T10:00Z'],
      ['between', '2026-05-02T09:00Z'],
      ['2', '2026-05-02T10:00Z'],
      ['after', '2026-05-02T10:01Z'],
    ] as const) {
      await report(shop, id, 5);
      await date(shop, id, at);
    }
    const csv = 'Order ID,Total,Date\n1,5,2026-05-01\n2,5,2026-05-02\n';
    expect(await compare(shop, csv)).toMatchObject({ found: { onlyHere: ['between'] }, json: { later: 1 } });
    const { stdout } = await run(shop, csv);
    expect(stdout).toContain(
      '1 order came here on the last day of the file, after its last order: the export may be older.',
    );
    const whole = csv.concat('between,5,2026-05-02\n');
    expect(await compare(shop, whole)).toMatchObject({ code: 0, json: { later: 1 } });
  });

  test('an export without totals compares ids only, and says so', async ({ shop }) => {
    await report(shop, '101', 59.9);
    const rows = [101, 102].map((id) => `2026-05-01 12:00:00,${id},completed,40`);
    const csv = ['Date,Order #,Status,N. Revenue', ...rows].join('\n');
    const compared = await compare(shop, csv);
    expect(compared.found).toEqual(found(1, { missing: ['102'] }));
    expect(compared.json.comparesAmounts).toBe(false);
    expect((await run(shop, csv)).stdout).toContain('Amounts were not compared');
  });

  test('says so when the ids of the file are others than those of the pages', async ({ shop }) => {
    await report(shop, '#1001', 5);
    const { json } = await compare(shop, 'orderId,amount\n7410991464714,5\n');
    expect(json.otherIds).toEqual({ inFile: '7410991464714', here: '#1001' });
    const text = await run(shop, 'orderId,amount\n7410991464714,5\n');
    expect(text.stdout).toContain('Name the column that has the ids of your pages: --order-id.');
  });

  test('a bad file ends with 2 and one line, and writes no half document', { tags: ['all'] }, async ({
    shop,
  }) => {
    const rows = 'A,1\n'.repeat(3_000);
    for (const [csv, line] of [
      ['', 'The file is empty.'],
      ['id,total\n1,2\n', 'The first line must name a column'],
      [`orderId,amount\n${rows}"B,1\n${'x,1\n'.repeat(400_000)}`, 'a quote is not closed'],
    ]) {
      const { code, json, stderr } = await compare(shop, csv!);
      expect([code, json]).toEqual([2, null]);
      expect(stderr).toContain(line);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    const noFile = await shop.command('order', 'compare', '/no/such/file.csv');
    expect(noFile).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Cannot read /no/such/file.csv: ENOENT'),
    });
  });

  test('reads a file by its name, and shows hostile texts inert', async ({ shop }) => {
    const path = join(temporaryFolder(), 'orders.csv');
    writeFileSync(path, 'orderId,amount,email\n\u001b[2J,5,<script>\n');
    const { stdout } = await shop.command('order', 'compare', path);
    expect(stdout).toContain('\uFFFD[2J  5  <script>');
  });
});

describe('order compare --store', () => {
  test('stores the missing orders once, at their own dates, as reports with a key, however often it runs', async ({
    shop,
  }) => {
    await report(shop, 'A', 5);
    const csv = [
      'orderId,amount,currency,email,createdAt,name,source',
      'A,5,EUR,ann@buyer.example,2026-05-01,,',
      'B,49.90,EUR, Bob@Buyer.example ,2026-05-01T10:00:00+02:00,Bob Lee,',
      'C,10,JPY,cid@buyer.example,2026-05-02,,paypal',
    ].join('\n');
    const first = await compare(shop, csv, '--store');
    expect(first).toMatchObject({ code: 0, found: found(1, { missing: ['B', 'C'] }) });
    expect(first.json).toMatchObject({ stored: 2, notStored: [] });
    const second = await compare(shop, csv, '--store');
    expect(second).toMatchObject({ code: 0, found: found(3), json: { stored: 0 } });
    expect(await byDate(shop)).toMatchObject([
      {
        orderId: 'B',
        amount: '49.9',
        currency: 'EUR',
        source: 'MANUAL',
        name: 'Bob Lee',
        email: 'bob@buyer.example',
        reportedBy: 'key',
        isTest: false,
        createdAt: new Date('2026-05-01T08:00:00Z'),
      },
      {
        orderId: 'C',
        amount: '10',
        currency: 'JPY',
        source: 'PAYPAL',
        createdAt: new Date('2026-05-02T00:00:00Z'),
      },
      { orderId: 'A', amount: '5' },
    ]);
  });

  test('needs no API key of the team, and shows none', async ({ shop }) => {
    const { json } = await compare(shop, 'orderId,amount,email\nA,5,ann@buyer.example\n', '--store');
    expect(json.stored).toBe(1);
    expect(await shop.stored()).toMatchObject([{ currency: 'USD', reportedBy: 'key' }]);
    const { stdout } = await shop.command('key', 'list', '--json');
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test('names the orders that it cannot store, and stores the others', async ({ shop }) => {
    await report(shop, 'other', 99, {}, { idempotencyKey: 'pi_used' });
    const woo = [
      'order_number,order_total,order_currency,status,billing_email,order_date',
      '1,5,EUR,completed,,2026-05-01',
      '2,5,EUR,completed,no email,2026-05-01',
      '3,5,,completed,ann@buyer.example,2026-05-01',
      '4,5,EUR,completed,ann@buyer.example,',
      '5,6,EUR,completed,ann@buyer.example,2026-05-01',
    ].join('\n');
    const { code, json } = await compare(shop, woo, '--store');
    expect(json.notStored).toEqual([
      { line: 3, orderId: '2', message: expect.stringContaining('email') },
      { line: 4, orderId: '3', message: 'has no currency' },
      { line: 5, orderId: '4', message: 'has no date' },
    ]);
    expect([code, json.stored]).toEqual([1, 2]);
    const emails = (await byDate(shop)).map(({ orderId, email }) => [orderId, email]);
    expect(emails.sort()).toEqual([
      ['1', 'file-1@no-email.invalid'],
      ['5', 'ann@buyer.example'],
      ['other', 'ann@buyer.example'],
    ]);
  });

  test('takes no order for a missing one that is probably stored under another id', async ({ shop }) => {
    await report(shop, '#1001', 5);
    await report(shop, '#1002', 6);
    await report(shop, '1003', 7);
    for (const id of ['#1001', '#1002', '1003']) await date(shop, id, '2026-05-01T10:00Z');
    const csv = [
      'orderId,amount,currency,email,createdAt',
      '1001,5,EUR,ann@buyer.example,2026-05-01T09:58:00Z',
      '1002,6,EUR,ann@buyer.example,2026-05-20T09:58:00Z',
      '1003,7,EUR,ann@buyer.example,2026-05-01T09:58:00Z',
      '1004,7,EUR,ann@buyer.example,2026-05-01T10:01:00Z',
    ].join('\n');
    const { json } = await compare(shop, csv, '--store');
    expect(json.notStored).toEqual([
      { line: 2, orderId: '1001', message: expect.stringMatching(/probably stored as "#1001" \(ORD-\w+\)/) },
    ]);
    expect(await idsByDate(shop)).toEqual(['#1001', '#1002', '1003', '1004', '1002']);
  });

  test.for<[rewritten: string, id: string]>([
    ['123.0', '123'],
    ['123', '00123'],
    ['00123', '123'],
    ["'00123", '00123'],
    ["'00123'", '00123'],
    ['"00123"', '00123'],
    ['\u200e123\u200b', '123'],
    ['\u00a0123\u00a0', '123'],
    ['1,001', '1001'],
    ['1.001', '1001'],
    ['1 001', '1001'],
    ['#1001', '1001'],
    ['1001', '#1001'],
    ['#1,001', '1001'],
    ['1001.00', '#1001'],
  ])(
    'an id that a tool has written as %j is that of the stored order %j',
    async ([rewritten, id], { shop }) => {
      await report(shop, 'known', 5);
      await report(shop, id, 7);
      const cells = [rewritten, 'known'].map((cell) => `"${cell.replaceAll('"', '""')}"`);
      const csv = `orderId,amount,currency\n${cells[0]},6.5,EUR\n${cells[1]},5,EUR\n`;
      await compare(shop, csv, '--store', '--as-new');
      expect((await shop.stored()).map(({ orderId }) => orderId).sort()).toEqual(['known', id].sort());
    },
  );

  test('a column in which each id ends with .0 has the ids without it', async ({ shop }) => {
    for (const id of ['123', '124']) await report(shop, id, 5);
    const csv = 'orderId,amount,currency\n123.0,5,EUR\n124.0,5,EUR\n125.0,5,EUR\nTotal,15,EUR\n';
    expect(await compare(shop, csv, '--store')).toMatchObject({ json: { equal: 2, stored: 1 } });
    expect((await shop.stored()).map(({ orderId }) => orderId).sort()).toEqual(['123', '124', '125']);
  });

  test('without emails an order of the same amount and day is taken for the stored one until it is said to be another', async ({
    shop,
  }) => {
    for (const id of ['A1', 'page-2']) {
      await report(shop, id, 5);
      await date(shop, id, '2026-05-01T10:00Z');
    }
    const csv = [
      'orderId,amount,currency,createdAt',
      'A1,5,EUR,2026-05-01',
      'A2,5.00,EUR,2026-05-01',
      'A3,5,USD,2026-05-01',
      'A4,5,EUR,2026-05-09',
    ].join('\n');
    const first = await compare(shop, csv, '--store');
    const message = expect.stringMatching(/probably stored as "page-2" \(ORD-\w+\): the same amount and day/);
    expect(first.json).toMatchObject({ stored: 2, notStored: [{ line: 3, orderId: 'A2', message }] });
    expect((await run(shop, csv, '--store')).stdout).toContain('If it is another order, add --as-new.');
    expect((await compare(shop, csv, '--store', '--as-new')).json).toMatchObject({
      stored: 1,
      notStored: [],
    });
    expect((await shop.stored()).map(({ orderId }) => orderId).sort()).toEqual([
      'A1',
      'A2',
      'A3',
      'A4',
      'page-2',
    ]);
  });

  test('where no id of the file is known and others are, nothing is stored without a second word', async ({
    shop,
  }) => {
    await report(shop, '#1001', 5);
    const csv = 'orderId,amount,currency,email\n7410991464714,6,EUR,bob@buyer.example\n';
    const held = await compare(shop, csv, '--store');
    expect(held).toMatchObject({ code: 1, json: { stored: 0, isHeld: true, notStored: [] } });
    const text = await run(shop, csv, '--store');
    expect(text.stdout).toContain('Nothing was stored, because no id of the file is known');
    expect(text.stdout).toContain('--as-new');
    expect(await idsByDate(shop)).toEqual(['#1001']);
    const sure = await compare(shop, csv, '--store', '--as-new');
    expect(sure).toMatchObject({ code: 1, json: { stored: 1, isHeld: false } });
    expect((await compare(shop, csv, '--store')).json).toMatchObject({ stored: 0, equal: 1, isHeld: false });
  });

  test('a later webhook of the payment finds the order that was stored', async ({ shop }) => {
    await report(shop, 'A', 1);
    const csv =
      'id,Amount,Amount Refunded,Currency,Status,Customer Email\npi_9,5,0,eur,Paid,bob@buyer.example\n';
    expect((await compare(shop, csv, '--store', '--as-new')).json.stored).toBe(1);
    expect((await compare(shop, csv)).found).toMatchObject({ equal: 1, missing: [] });
    const later = { email: 'bob@buyer.example' };
    const { isNew } = await report(shop, 'B', 5, later, { idempotencyKey: 'pi_9' });
    expect(isNew).toBe(false);
    expect((await shop.stored()).map(({ orderId, source }) => `${orderId} ${source}`).toSorted()).toEqual([
      'A MANUAL',
      'B STRIPE',
    ]);
  });

  test('two runs at the same time, and pages that report meanwhile, store each order once', {
    tags: ['all'],
  }, async ({ shop }) => {
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const csv = `orderId,amount,currency,email,createdAt\n${numbers
      .map((n) => `R${n},${n}.5,EUR,p${n}@buyer.example,2026-05-01T10:00:00Z`)
      .join('\n')}`;
    const page = (n: number) =>
      shop.report({ orderId: `R${n}`, email: `p${n}@buyer.example`, amount: n + 0.5, currency: 'EUR' });
    const [one, other, ...answers] = await Promise.all([
      compare(shop, csv, '--store'),
      compare(shop, csv, '--store'),
      ...numbers.filter((n) => n % 5 === 0).map(page),
    ]);
    expect([one!.code, other!.code]).toEqual([0, 0]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const stored = (await shop.stored()).map(({ orderId, amount }) => `${orderId} ${amount}`).sort();
    expect(stored).toEqual(numbers.map((n) => `R${n} ${n}.5`).sort());
    expect((await compare(shop, csv)).found).toEqual(found(numbers.length));
  });

  test('a run that loses its connection stores each order once with the run that follows', {
    tags: ['all'],
  }, async () => {
    // A separate server, because its connections are cut.
    const shop = await openShop(await startServerForTest());
    const { sql, team } = shop;
    const numbers = Array.from({ length: 600 }, (_, n) => n);
    const csv = `orderId,amount,currency,email\n${numbers.map((n) => `R${n},5,EUR,p${n}@buyer.example`).join('\n')}`;
    const count = async () => (await shop.stored()).length;
    const email = 'p400@buyer.example';
    const id = personUuid(await findSecret(sql), team, email);
    const ended = await inTransaction(sql, async (tx) => {
      // The run waits for this buyer, so that its connection is lost during a statement.
      await tx`insert into person (team_id, id, email) values (${team}, ${id}, ${email})`;
      const running = run(shop, csv, '--store', '--json');
      await expect.poll(() => findWaitsBehind(sql, tx)).toHaveLength(1);
      await tx`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      return running;
    });
    const between = await count();
    expect([ended.code, between > 0, between < 600]).toEqual([1, true, true]);
    expect(ended.stderr).toContain('Run it again: it stores those that are left.');
    const { code, json } = await compare(shop, csv, '--store');
    expect([code, json.stored + json.equal]).toEqual([0, 600]);
    expect(await count()).toBe(600);
  });
});
