import { describe, expect, it } from 'vitest';
import { readFileRows } from './kit/readOrderFile.js';

const paid = (date: string) => `A-1 10 ${date}T00:00:00.000Z MANUAL`;

describe('the column of the orders’ dates', () => {
  it.each(
    [
      'Created Time|Order Time|Time|Sold On|Payment Date|Paid at|Zahlungsdatum|Created on',
      'Creation Date|Purchased On|Auftragsdatum|Erstellungsdatum',
    ].flatMap((line) => line.split('|')),
  )('“%s” is known', async (head) => {
    expect((await readFileRows(`Order ID,Total,${head}\nA-1,10,2026-05-01\n`)).rows).toEqual([
      paid('2026-05-01'),
    ]);
  });

  it.each([
    ['2026-05-01', 'Eingang'],
    ['Dec 8, 2024 9:15 AM', 'When it was'],
    ['01.05.2026 09:30', 'Zeitpunkt'],
    ['1 mai 2026', 'Le'],
    ['2026-05-01T09:30:00Z', 'Shipped'],
  ])('of dates such as %s is asked for if no name explains it, as “%s”', async (date, head) => {
    const csv = `Order ID,${head},Total,Note\nA-1,"${date}",10,\nA-2,-,10,x\nPage 1 of 1,,,\n`;
    await expect(readFileRows(csv)).rejects.toThrow(
      `No column is known to have the orders’ dates, and “${head}” may have them. Name the column of the date, or leave it out.`,
    );
    expect((await readFileRows(csv, { columns: { createdAt: '' } })).rows).toEqual([
      'A-1 10 MANUAL',
      'A-2 10 MANUAL',
      'noOrder',
    ]);
    expect((await readFileRows(csv, { columns: { createdAt: head } })).rows[0]).toContain(
      date.includes('2024') ? '2024-12-08' : '2026-05-01',
    );
  });

  it('is asked for beside the date of the payment, which may be weeks later', async () => {
    const csv = 'Order ID,Total,Bestellt,Paid at\nA-1,10,2026-04-28,2026-05-03\n';
    await expect(readFileRows(csv)).rejects.toThrow('and “Bestellt” may have them');
    const known = csv.replace('Bestellt', 'Order date');
    expect((await readFileRows(known)).rows).toEqual([paid('2026-04-28')]);
  });

  it('is not asked for where another one is known, or none has dates', async () => {
    const known = 'Order ID,Total,Date,Eingang\nA-1,10,2026-05-01,2026-05-02\n';
    expect((await readFileRows(known)).rows).toEqual([paid('2026-05-01')]);
    const none = 'Order ID,Total,Version,Phone,Zip\nA-1,10,1.2.3,0123-456,46143\n';
    expect((await readFileRows(none)).rows).toEqual(['A-1 10 MANUAL']);
  });
});

it.each(
  [
    'Page 1 of 1,,,|,,,Page 1 of 1|3 record(s) downloaded,,,',
    '3,record(s) downloaded,from May-01-26 to May-31-26,|Seller ID : annshop,,,',
    '-----,-----,-----,-----|---|***,,,|Generated on 2026-05-01,,,|Generated,2026-05-01,,',
    'Report exported by Ann Lee|© 2026 Shop,,,|EOF|Seite 1/1,,,|Count,,,3',
    'Average order value,,,5.00|Orders: 3,,,',
  ].flatMap((line) => line.split('|')),
)('a line about the file such as “%s” is no row', async (line) => {
  const head = line.startsWith('3,')
    ? 'Sales Record Number,Order ID,Date,Total'
    : 'Order ID,Date,Email,Total';
  const order = line.startsWith('3,') ? '1,A-1,2026-05-01,10' : 'A-1,2026-05-01,,10';
  expect((await readFileRows(`${head}\n${order}\n${line}\n`)).rows).toEqual([paid('2026-05-01'), 'noOrder']);
});

it.each([
  ['A-2,2026-05-01,,', 'amount "" is not an amount'],
  ['A-2', 'amount "" is not an amount'],
  ['A-2,2026-05-01,,free', 'amount "free" is not an amount'],
  [',2026-05-01,,5', 'has no order id'],
  ['gift,,ann@shop.example,', 'amount "" is not an amount'],
])('a row “%s” is an order that lacks something', async (row, message) => {
  const { rows } = await readFileRows(`Order ID,Date,Email,Total\nA-1,2026-05-01,,10\n${row}\n`);
  expect(rows[1]).toBe(`line 3: ${message}`);
});
