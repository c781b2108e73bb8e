import { describe, expect } from 'vitest';
import { type Shop, test } from '../../kit/shop.js';
import { compareFile, noDifferenceBut, reportInEur } from './kit/compareFile.js';

const stripe = (...rows: [payment: string, amount: number, orderId?: string][]) =>
  [
    'id,Amount,Amount Refunded,Currency,Status,Customer Email,PaymentIntent ID,orderId (metadata)',
    ...rows.map(
      ([payment, amount, orderId = '1001']) =>
        `ch_${payment},${amount},0,eur,Paid,ann@buyer.example,pi_${payment},${orderId}`,
    ),
  ].join('\n');
const payPal = (...rows: [payment: string, amount: number, buyer: string][]) =>
  [
    'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,From Email Address,Transaction ID,Custom Number',
    ...rows.map(
      ([payment, amount, buyer]) =>
        `2026-05-01,10:00:00,UTC,Ann,Website Payment,Completed,EUR,${amount},${buyer}@buyer.example,91C${payment},shop-1`,
    ),
  ].join('\n');

const amounts = async (shop: Shop) =>
  (await shop.stored()).map(({ orderId, amount }) => `${orderId} ${amount}`).sort();

describe('each payment of a file is an order, whatever order id it shares', () => {
  test('two payments of one order id are stored as two orders, once', async ({ shop }) => {
    const csv = stripe(['a', 50], ['b', 30]);
    const first = await compareFile(shop, csv, '--store');
    expect(first).toMatchObject({
      code: 0,
      found: noDifferenceBut(0, { missing: ['1001', 'pi_b'] }),
      json: { orders: 2, stored: 2, unread: [] },
    });
    expect(await amounts(shop)).toEqual(['1001 50', 'null 30']);
    expect(await compareFile(shop, csv, '--store')).toMatchObject({ code: 0, found: noDifferenceBut(2) });
    const turned = stripe(['b', 30], ['a', 50]);
    expect(await compareFile(shop, turned, '--store')).toMatchObject({ code: 0, found: noDifferenceBut(2) });
  });

  test('so are two of the same amount, of the same buyer on the same day', async ({ shop }) => {
    const csv = stripe(['a', 50], ['b', 50]);
    expect((await compareFile(shop, csv, '--store')).json).toMatchObject({ stored: 2, notStored: [] });
    expect(await amounts(shop)).toEqual(['1001 50', 'null 50']);
    expect((await compareFile(shop, csv)).found).toEqual(noDifferenceBut(2));
  });

  test('of three payments with one custom number each is known or missing', async ({ shop }) => {
    await reportInEur(shop, 'shop-1', 5, { email: 'ann@buyer.example' });
    const csv = payPal(['100', 5, 'ann'], ['200', 5, 'bob'], ['300', 7, 'ann']);
    // Their dates differ from that of the report.
    const first = await compareFile(shop, csv, '--store');
    expect(first.found).toMatchObject({ equal: 1, missing: ['91C200', '91C300'] });
    expect(first.json).toMatchObject({ stored: 2, notStored: [] });
    expect((await compareFile(shop, csv)).found).toMatchObject({ equal: 3, missing: [] });
    expect(await amounts(shop)).toEqual(['null 5', 'null 7', 'shop-1 5']);
  });

  test('a payment that is stored is not missing for another one that shares its order id', async ({
    shop,
  }) => {
    await reportInEur(shop, '1001', 50, {}, { idempotencyKey: 'pi_a' });
    expect((await compareFile(shop, stripe(['b', 50], ['a', 50]))).found).toEqual(
      noDifferenceBut(1, { missing: ['pi_b'] }),
    );
  });

  test('a deposit and the rest are the order of a page, in any order of rows', async ({ shop }) => {
    await reportInEur(shop, '1001', 80);
    await reportInEur(shop, '1002', 70);
    const rows = [
      ['a', 50],
      ['b', 30],
      ['c', 30, '1002'],
      ['d', 70, '1002'],
    ] as const;
    for (const order of [rows, rows.toReversed()])
      expect(
        (await compareFile(shop, stripe(...order.map((row) => [...row] as [string, number])))).found,
      ).toEqual(noDifferenceBut(3, { missing: ['pi_c'] }));
  });

  test('payments that are neither the order nor its sum are one that differs, and missing ones', async ({
    shop,
  }) => {
    await reportInEur(shop, '1001', 99);
    const { json, found } = await compareFile(shop, stripe(['a', 50], ['b', 30]));
    expect(found).toMatchObject({ equal: 0, different: ['1001'], missing: ['pi_b'] });
    expect(json.different[0]).toMatchObject({ inFile: { amount: 50 }, here: { amount: 99 } });
  });

  test('of any file a column of payments tells them apart, and one of words or of items does not', async ({
    shop,
  }) => {
    await reportInEur(shop, '1', 10);
    const csv = (second: string, head = 'Transaction ID') =>
      `Order ID,${head},Amount,Currency,Email\n1,TXN-0001,10,EUR,ann@buyer.example\n1,${second},10,EUR,ann@buyer.example\n`;
    const stored = await compareFile(shop, csv('TXN-0002'), '--store');
    expect(stored).toMatchObject({
      found: noDifferenceBut(1, { missing: ['TXN-0002'] }),
      json: { stored: 1 },
    });
    expect((await compareFile(shop, csv('TXN-0002'))).found).toEqual(noDifferenceBut(2));
    expect(await amounts(shop)).toEqual(['1 10', 'null 10']);
    const same = ['manual', 'TXN-0001', ''];
    for (const second of same)
      expect((await compareFile(shop, csv(second))).found).toMatchObject({ equal: 1, missing: [] });
    const ofItems = csv('TXN-0003')
      .replace('Order ID,', 'Order ID,Item,Price,')
      .replaceAll('\n1,', '\n1,Mug,5,');
    expect((await compareFile(shop, ofItems)).found).toMatchObject({ equal: 1, missing: [] });
  });

  test('a row of the same payment again counts once, and with other money is named', async ({ shop }) => {
    const { json, found } = await compareFile(shop, stripe(['a', 50], ['a', 50], ['a', 40]));
    expect(found.missing).toEqual(['1001']);
    expect(json.unread).toMatchObject([{ line: 4, orderId: '1001' }]);
  });
});
