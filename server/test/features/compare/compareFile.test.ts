import { describe, expect, it } from 'vitest';
import { chooseColumns } from '../../../src/features/compare/read/chooseColumns.js';
import { formats } from '../../../src/features/compare/read/formats.js';
import { readDate } from '../../../src/features/compare/read/readDate.js';
import { readMoney } from '../../../src/features/compare/read/readMoney.js';
import { createReadRow } from '../../../src/features/compare/read/readRow.js';
import { createFindZone, createToUtc } from '../../../src/features/compare/read/zoneTime.js';
import { columnKey } from '../../../src/values/csvHeads.js';
import { growthOf } from '../../kit/growthOf.js';
import { fileNowMs as nowMs, openFile as open, readFileRows as read } from './kit/readOrderFile.js';

describe('amounts', () => {
  it.each([
    ['49.9', '49.9'],
    ['1,234.50', '1234.5'],
    ['1.234,50', '1234.5'],
    ['1 234,50', '1234.5'],
    ['1\u202f234,50 €', '1234.5'],
    ["1'234.50", '1234.5'],
    ['1’234.50', '1234.5'],
    ['1,23,456.00', '123456'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['€49.90', '49.9'],
    ['$1,234.50', '1234.5'],
    ['49,90 EUR', '49.9'],
    ['kr. 49,90', '49.9'],
    ['R$ 10,00', '10'],
    ['49,-', '49'],
    ['４９.９０', '49.9'],
    ['0', '0'],
    ['000.50', '0.5'],
    ['.50', '0.5'],
    ['0.125', '0.125'],
    ['1234.567', '1234.567'],
    ['12', '12'],
    ['99999999999.99', '99999999999.99'],
  ])('%s is read as %s', (text, amount) => {
    expect(readMoney(text, { currency: 'EUR', decimal: null })).toEqual({ amount });
  });

  it.each([
    ['', 'is not an amount'],
    ['free', 'is not an amount'],
    ['1e5', 'is not an amount'],
    ['1.23E+05', 'is not an amount'],
    ['1,2,3', 'is not an amount'],
    ['1.234.56', 'is not an amount'],
    ['49.90 59.90', 'is not an amount'],
    ['=1+1', 'is not an amount'],
    ['NaN', 'is not an amount'],
    ['12345678901234567.89', 'is not an amount'],
    ['9'.repeat(60_000), 'is not an amount'],
    [`${'a'.repeat(60)}!`, 'is not an amount'],
    ['9999999999999', 'is more than'],
    ['-5.00', 'negative'],
    ['−5,00', 'negative'],
    ['€-5', 'negative'],
    ['5.00-', 'negative'],
    ['(5.00)', 'negative'],
    ['1.234', 'thousands or decimals'],
    ['1,234', 'thousands or decimals'],
    ['€12,500', 'thousands or decimals'],
  ])('%s is not read: %s', (text, problem) => {
    expect(readMoney(text, { currency: 'EUR', decimal: null }).problem).toContain(problem);
  });

  it.each([
    ['digits', (n: number) => '9'.repeat(n)],
    ['letters', (n: number) => `${'a'.repeat(n)}!`],
    ['spaces', (n: number) => `1${' '.repeat(n)}x`],
    ['groups of digits', (n: number) => `${'1,111'.repeat(n)}x`],
  ])('the time to refuse a cell full of %s grows with it, not faster', (_, textOf) => {
    const read = (text: string) => readMoney(text, { currency: 'EUR', decimal: null });
    expect(growthOf(read, textOf, 16_000)).toBeLessThan(24);
  });

  it('the decimal sign, or the decimals of the currency, tell what 1.234 is', () => {
    const amountOf = (text: string, currency: string | null, decimal: 'point' | 'comma' | null) =>
      readMoney(text, { currency, decimal }).amount ?? 'unread';
    expect(amountOf('1.234', 'EUR', 'point')).toBe('1.234');
    expect(amountOf('1.234', 'EUR', 'comma')).toBe('1234');
    expect(amountOf('1,234', 'EUR', 'comma')).toBe('1.234');
    expect(amountOf('1,234', 'EUR', 'point')).toBe('1234');
    expect(amountOf('12.500', 'KWD', null)).toBe('12.5');
    expect(amountOf('12,500', 'KWD', null)).toBe('unread');
    expect(amountOf('12,500', 'JPY', null)).toBe('12500');
    expect(amountOf('1.234', null, null)).toBe('unread');
    expect(amountOf('1.234', 'USDC', null)).toBe('unread');
  });
});

describe('dates', () => {
  const read = (text: string, order: 'dmy' | 'mdy' | null = null, zone = 'UTC') =>
    readDate(text, { order, toUtc: createToUtc(zone), findZone: createFindZone(), nowMs });
  const isoOf = (...date: Parameters<typeof read>) => new Date(read(...date).ms!).toISOString();

  it.each([
    ['2026-05-01', '2026-05-01T00:00'],
    ['2026-05-01T09:30:00+02:00', '2026-05-01T07:30'],
    ['2026-05-01T09:30:00.123Z', '2026-05-01T09:30'],
    ['2026-05-01 09:50:26 +0200', '2026-05-01T07:50'],
    ['2026-05-01 09:50:26 UTC', '2026-05-01T09:50'],
    ['2026-05-01 09:50:26 PDT', '2026-05-01T16:50'],
    ['2026-05-01 09:50:26 CET', '2026-05-01T07:50'],
    ['2026-05-01T09:50:26 Europe/Berlin', '2026-05-01T07:50'],
    ['Dec 8, 2024 9:15:51 AM PST', '2024-12-08T17:15'],
    ['2026/05/01 09:50', '2026-05-01T09:50'],
    ['01.05.2026 09:50', '2026-05-01T09:50'],
    ['01.05.26', '2026-05-01T00:00'],
    ['25/12/2025', '2025-12-25T00:00'],
    ['12/25/25', '2025-12-25T00:00'],
    ['12/25/2025 2:05 PM', '2025-12-25T14:05'],
    ['12/25/2025, 12:05 a.m.', '2025-12-25T00:05'],
    ['5/5/2026', '2026-05-05T00:00'],
    ['Dec 8, 2024', '2024-12-08T00:00'],
    ['Dec 8, 2024 9:15:51 AM', '2024-12-08T09:15'],
    ['December 8, 2024 at 9:15 PM', '2024-12-08T21:15'],
    ['Sun, 08 Dec 2024 09:15:51 +0100', '2024-12-08T08:15'],
    ['8 Dec 2024', '2024-12-08T00:00'],
    ['08-Dec-24', '2024-12-08T00:00'],
    ['Dec-08-24', '2024-12-08T00:00'],
    ['1\u00a0mai 2026', '2026-05-01T00:00'],
    ['21 novembre 2025', '2025-11-21T00:00'],
    ['21. Dez. 2025', '2025-12-21T00:00'],
    ['21.Dez.2025', '2025-12-21T00:00'],
    ['1. März 2026', '2026-03-01T00:00'],
    ['le 1er août 2026 à 09h15', '2026-08-01T09:15'],
    ['samedi 21 février 2026', '2026-02-21T00:00'],
    ['sábado, 21 de noviembre de 2025, 09:15', '2025-11-21T09:15'],
    ['1º de maio de 2026', '2026-05-01T00:00'],
    ['21 ottobre 2025 alle 9:15', '2025-10-21T09:15'],
    ['5 mrt 2026', '2026-03-05T00:00'],
    ['05. Mrz 26', '2026-03-05T00:00'],
    ['21 октября 2025 г., 09:15', '2025-10-21T09:15'],
    ['3 maj 2026 kl. 09.15', '2026-05-03T09:15'],
    ['2026年5月1日', '2026-05-01T00:00'],
    ['21.10.2025 09:15 Uhr', '2025-10-21T09:15'],
    ['21/10/2025 9h', '2025-10-21T09:00'],
    ['12/25/2025, 9:15\u202fa.\u00a0m.', '2025-12-25T09:15'],
    ['\u200e2026-05-01', '2026-05-01T00:00'],
    ['May 1st, 2026', '2026-05-01T00:00'],
    ['Sat Nov 21 2026 09:15:00 GMT+0100 (Central European Standard Time)', '2026-11-21T08:15'],
    ['Sat Nov 21 09:15:00 CET 2026', '2026-11-21T08:15'],
    ['2026-05-01T09:15:00+02:00[Europe/Berlin]', '2026-05-01T07:15'],
    ['1778000000', '2026-05-05T16:53'],
    ['1778000000000', '2026-05-05T16:53'],
    ['46143', '2026-05-01T00:00'],
    ['46143.4', '2026-05-01T09:36'],
    ['46143,4048611111', '2026-05-01T09:43'],
  ])('%s is read as %s', (text, iso) => {
    expect(isoOf(text).slice(0, 16)).toBe(iso);
  });

  it.each([
    ['05/06/2026', 'two dates'],
    ['10/04/25', 'two dates'],
    ['2026-02-30', 'is not a date'],
    ['2026-13-01', 'is not a date'],
    ['2026-00-10', 'is not a date'],
    ['2026-10-00', 'is not a date'],
    ['00.10.2026', 'is not a date'],
    ['Foo 8, 2024', 'is not a date'],
    ['Dec 32, 2024', 'is not a date'],
    ['2026-05-01 25:00', 'is not a date'],
    ['2026-05-01 13:00 PM', 'is not a date'],
    ['2026-05-01 09:50 Mars', 'is not a date'],
    ['yesterday', 'is not a date'],
    // The word means November in Polish, and October in Croatian.
    ['21 listopada 2025', 'is not a date'],
    ['99999.4', 'is not a date'],
    ['75000', 'lies ahead'],
    ['31000', 'too long ago'],
    ['1'.repeat(60_000), 'is not a date'],
    ['0099-05-01', 'too long ago'],
    ['1970-01-01', 'too long ago'],
    ['2027-05-01', 'lies ahead'],
  ])('%s is not read: %s', (text, problem) => {
    expect(read(text).problem).toContain(problem);
  });

  it('the order of day and month tells what 10/04/25 is, which one date above 12 in the file shows', async () => {
    expect(isoOf('10/04/25', 'dmy')).toBe('2025-04-10T00:00:00.000Z');
    expect(isoOf('10/04/25', 'mdy')).toBe('2025-10-04T00:00:00.000Z');
    for (const [other, ms] of [
      ['13/04/25', Date.UTC(2025, 3, 10)],
      ['04/13/25', Date.UTC(2025, 9, 4)],
    ] as const) {
      const { rows } = await open(`orderId,amount,createdAt\nA,1,10/04/25\nB,1,${other}\n`);
      expect(rows[0]).toMatchObject({ order: { createdMs: ms } });
    }
  });

  it.each([
    ['2026-05-01 09:00', 'Europe/Berlin', '2026-05-01T07:00'],
    ['2026-01-15 09:00', 'Europe/Berlin', '2026-01-15T08:00'],
    ['2026-05-01', 'America/New_York', '2026-05-01T04:00'],
    ['2026-05-01 09:00', 'Asia/Kathmandu', '2026-05-01T03:15'],
    ['2026-05-01T09:00Z', 'Asia/Kathmandu', '2026-05-01T09:00'],
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30'],
    ['2025-10-26 03:30', 'Europe/Berlin', '2025-10-26T02:30'],
  ])('%s in %s is %s in UTC', (text, zone, iso) => {
    expect(isoOf(text, null, zone).slice(0, 16)).toBe(iso);
  });

  it('a day in a zone ends when the next one begins there, also where it has 25 hours', () => {
    const { dayEndMs } = read('2025-10-26', null, 'Europe/Berlin');
    expect(new Date(dayEndMs!).toISOString()).toBe('2025-10-26T23:00:00.000Z');
  });
});

/** Head lines as programs write them, with rows and the values that are read of these. */
const exports: [name: string, csv: string, rows: string[]][] = [
  [
    'Shopify orders',
    `Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Name,Notes,Refunded Amount,Id,Tags
#1001,Ann@shop.example,paid,2026-05-01 09:51:00 +0200,fulfilled,,no,EUR,40.00,4.95,4.95,49.90,,0.00,Post,2026-05-01 09:50:26 +0200,1,Mug,40.00,M1,Ann Lee,"a ""note"",
of two lines",0.00,7410991464714,
#1001,Ann@shop.example,,,,,,,,,,,,,,,2,Cup,5.00,C1,,,,,
#1002,bob@shop.example,partially_refunded,,,,no,EUR,,,,20.00,,,,2026-05-02 10:00:00 +0200,1,Cup,,,Bob,,5.00,7410991464715,
#1003,cid@shop.example,pending,,,,no,EUR,,,,20.00,,,,2026-05-02 10:00:00 +0200,1,Cup,,,Cid,,,7410991464716,`,
    [
      '7410991464714 49.9 EUR Ann@shop.example Ann Lee 2026-05-01T07:50:26.000Z OTHER',
      'further',
      '7410991464715 20 EUR bob@shop.example Bob 2026-05-02T08:00:00.000Z OTHER',
      'unpaid pending',
    ],
  ],
  [
    'Squarespace orders',
    `Order ID,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Currency,Subtotal,Shipping,Taxes,Amount Refunded,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem variant,Billing Name,Cancelled at,Private Notes,Payment Method
1,ann@shop.example,PAID,7/25/2018 21:06,PENDING,,USD,20,10,0,0,30,,0,Flat rate,7/25/2018 21:06,1,Coffee,10,SQ1,200g,Ann Lee,,,
1,,,,,,,,,,,,,,,,1,Tea,10,SQ2,100g,,,,
2,bob@shop.example,PENDING,,PENDING,,USD,20,10,0,0,30,,0,,7/25/2018 21:07,1,Coffee,10,SQ1,,Bob,,,
3,cid@shop.example,PAID,,CANCELED,,USD,20,10,0,0,30,,0,,7/25/2018 21:08,1,Coffee,10,SQ1,,Cid,,,
4,cid@shop.example,REFUNDED,,CANCELED,,USD,20,10,0,0,30,,0,,7/25/2018 21:09,1,Coffee,10,SQ1,,Cid,,,`,
    [
      '1 30 USD ann@shop.example Ann Lee 2018-07-25T21:06:00.000Z OTHER',
      'further',
      'unpaid PENDING',
      'unpaid CANCELED',
      '4 30 USD cid@shop.example Cid 2018-07-25T21:09:00.000Z OTHER',
    ],
  ],
  [
    'Wix orders',
    `Order number,Date created,Time,Total order quantity,Contact email,Note from customer,Item,Variant,SKU,Qty,Price,Billing name,Payment status,Payment method,Shipping rate,Total tax,Total,Currency,Refunded amount,Net amount,Fulfillment status
10001,"Dec 8, 2024",9:15:51 AM,2,ann@shop.example,,Mug,,M1,1,19.99,Ann Lee,Paid,PayPal,5,0,44.98,EUR,0,44.98,Not Fulfilled
10001,"Dec 8, 2024",9:15:51 AM,2,ann@shop.example,,Cup,,C1,1,19.99,Ann Lee,Paid,PayPal,5,0,44.98,EUR,0,44.98,Not Fulfilled
10002,"Dec 8, 2024",9:20:00 PM,1,bob@shop.example,,Mug,,M1,1,19.99,Bob,Unpaid,Manual,5,0,24.99,EUR,0,24.99,Canceled`,
    [
      '10001 44.98 EUR ann@shop.example Ann Lee 2024-12-08T09:15:51.000Z PAYPAL',
      '10001 44.98 EUR ann@shop.example Ann Lee 2024-12-08T09:15:51.000Z PAYPAL',
      'unpaid Unpaid',
    ],
  ],
  [
    'Etsy orders',
    `Sale Date,Order ID,Buyer User ID,Full Name,First Name,Last Name,Number of Items,Payment Method,Date Shipped,Ship Country,Currency,Order Value,Discount Amount,Shipping,Sales Tax,Order Total,Status,Card Processing Fees,Order Net,Adjusted Order Total,Buyer,SKU
10/04/25,3001,777,Ann Lee,Ann,Lee,2,Credit Card,,Canada,USD,$13.00,0,$4.50,$0.62,$18.12,Paid,1.2,16.3,18.12,ann,"M1,C1"
10/04/25,3002,778,Bob Roe,Bob,Roe,1,PayPal,,Canada,USD,5,0,4.5,0,9.5,Canceled,0,9.5,9.5,bob,M1`,
    ['3001 18.12 USD Ann Lee 2025-10-04T00:00:00.000Z OTHER', 'unpaid Canceled'],
  ],
  [
    'Etsy order items',
    `Sale Date,Item Name,Buyer,Quantity,Price,Discount Amount,Order Shipping,Order Sales Tax,Item Total,Currency,Transaction ID,Listing ID,Date Paid,Order ID,SKU
10/04/25,Mug,ann,2,5,0,4.50,0.62,10,USD,4001,9001,10/04/25,3001,M1`,
    ['3001 USD 2025-10-04T00:00:00.000Z MANUAL'],
  ],
  [
    'Stripe payments',
    `id,Description,Seller Message,Created (UTC),Amount,Amount Refunded,Currency,Converted Amount,Fee,Mode,Status,Customer ID,Customer Email,Captured,Card Name,PaymentIntent ID,orderId (metadata)
ch_1,,Payment complete.,2026-06-05 20:38,"3,125.00",0.00,usd,,,Live,Paid,cus_1,ann@shop.example,true,Ann Lee,pi_1,A-1
ch_2,,Payment complete.,2026-06-05 20:39,12.50,12.50,usd,,,Live,Refunded,cus_1,,true,,pi_2,
ch_3,,Declined.,2026-06-05 20:40,12.50,0.00,usd,,,Live,Failed,cus_1,,false,,pi_3,
ch_4,,Payment complete.,2026-06-05 20:40,12.50,0.00,usd,,,Test,Paid,cus_1,,true,,pi_4,
ch_5,,Payment complete.,2026-06-05 20:40,12.50,0.00,usd,,,Live,Paid,cus_1,,FALSE,,pi_5,`,
    [
      'A-1 pi_1+ch_1 3125 USD ann@shop.example Ann Lee 2026-06-05T20:38:00.000Z STRIPE',
      'pi_2 pi_2+ch_2 12.5 USD 2026-06-05T20:39:00.000Z STRIPE',
      'unpaid Failed',
      'otherMode',
      'unpaid Captured: FALSE',
    ],
  ],
  [
    'Stripe payments',
    'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Status,Customer Email\npi_5,2026-06-05 20:38:34,"0,25","0,00",eur,true,Paid,ann@shop.example\n',
    ['pi_5 pi_5 0.25 EUR ann@shop.example 2026-06-05T20:38:34.000Z STRIPE'],
  ],
  [
    'Stripe payments',
    `id,Amount,Amount Refunded,Currency,Status,PaymentIntent ID,order_id (metadata),orderId (metadata)
ch_1,5.00,0.00,usd,Paid,pi_1,A-1,
ch_2,6.00,0.00,usd,Paid,pi_2,,A-2`,
    ['A-1 pi_1+ch_1 5 USD STRIPE', 'A-2 pi_2+ch_2 6 USD STRIPE'],
  ],
  [
    'Stripe balance',
    `balance_transaction_id,created_utc,created,available_on,currency,gross,fee,net,reporting_category,source_id,description,customer_facing_amount,customer_facing_currency,customer_email,charge_id,payment_intent_id,payment_metadata[order_id]
txn_1,2026-06-05 20:38:34,2026-06-05 22:38:34,,eur,9.20,0.30,8.90,charge,ch_1,,10.00,usd,ann@shop.example,ch_1,pi_1,A-1
txn_2,2026-06-06 20:38:34,2026-06-05 22:38:34,,eur,-9.20,0,-9.20,refund,re_1,,-10.00,usd,ann@shop.example,ch_1,pi_1,A-1`,
    ['A-1 pi_1+ch_1+ch_1 10 USD ann@shop.example 2026-06-05T20:38:34.000Z STRIPE', 'refund'],
  ],
  [
    'PayPal activity',
    `"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Item Title","Sales Tax","Reference Txn ID","Invoice Number","Custom Number","Quantity","Receipt ID","Balance","Subject","Note"
"01/13/2026","13:57:10","UTC","Ann Lee","Express Checkout Payment","Completed","USD","1,042.92","-3.00","1,039.92","ann@buyer.example","shop@shop.example","91C6","","","","1001","","1","","0.00","",""
"02/03/2026","13:58:10","UTC","Bob Roe","Website Payment","Pending","USD","42.92","0.00","42.92","bob@buyer.example","shop@shop.example","91C7","","","","","","1","","0.00","",""
"02/03/2026","13:59:10","UTC","Ann Lee","Payment Refund","Completed","USD","-42.92","0.00","-42.92","shop@shop.example","ann@buyer.example","91C8","","","91C6","1001","","1","","0.00","",""
"02/04/2026","10:00:00","UTC","","General Withdrawal","Completed","USD","-400.00","0.00","-400.00","","","91C9","","","","","","","","0.00","",""
"02/04/2026","11:00:00","UTC","","Payment Hold","Completed","USD","-42.92","0.00","-42.92","","","91CA","","","91C7","","","","","0.00","",""
"02/04/2026","12:00:00","UTC","","Payment Release","Completed","USD","42.92","0.00","42.92","","","91CB","","","91C7","","","","","0.00","",""
"02/05/2026","02:00:00","PST","Cid","Website Payment","Completed","USD","7.00","0.00","7.00","cid@buyer.example","","91D0","","","","","","","","0.00","",""`,
    [
      '1001 91C6 1042.92 USD ann@buyer.example Ann Lee 2026-01-13T13:57:10.000Z PAYPAL',
      'unpaid Pending',
      'refund',
      'noOrder',
      'noOrder',
      'noOrder',
      '91D0 91D0 7 USD cid@buyer.example Cid 2026-02-05T10:00:00.000Z PAYPAL',
    ],
  ],
  [
    'PayPal activity',
    `"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Empfänger E-Mail-Adresse","Transaktionscode","Zugehöriger Transaktionscode","Rechnungsnummer","Zollnummer","Guthaben"
"13.01.2026","13:57:10","CET","Ann Lee","PayPal Express-Zahlung","Abgeschlossen","EUR","1.042,92","-3,00","1.039,92","ann@buyer.example","shop@shop.example","91C6","","1001","","5,00"
"14.01.2026","13:57:10","Europe/Berlin","Bob Roe","Handyzahlung","Ausstehend","EUR","42,92","0,00","42,92","bob@buyer.example","shop@shop.example","91C7","","","","5,00"
"15.01.2026","13:57:10","CET","Ann Lee","Rückzahlung","Abgeschlossen","EUR","-42,92","0,00","-42,92","shop@shop.example","ann@buyer.example","91C8","91C6","1001","","5,00"
"15.01.2026","13:57:10","CET","","Bankgutschrift auf PayPal-Konto","Abgeschlossen","EUR","40,00","0,00","40,00","","","91C9","","","","5,00"
"15.01.2026","13:57:10","CET","","Einbehaltung für offene Autorisierung","Abgeschlossen","EUR","40,00","0,00","40,00","","","91D0","","","","5,00"
"15.01.2026","13:57:10","CET","Cid","Website-Zahlung","Abgeschlossen","EUR","7,00","0,00","7,00","cid@buyer.example","","91D1","","","wc-7","5,00"`,
    [
      '1001 91C6 1042.92 EUR ann@buyer.example Ann Lee 2026-01-13T12:57:10.000Z PAYPAL',
      'unpaid Ausstehend',
      'refund',
      'noOrder',
      'noOrder',
      'wc-7 91D1 7 EUR cid@buyer.example Cid 2026-01-15T12:57:10.000Z PAYPAL',
    ],
  ],
  [
    'PayPal activity',
    `"Datum","Uhrzeit","Zeitzone","Beschreibung","Währung","Brutto","Entgelt","Netto","Guthaben","Transaktionscode","Absender E-Mail-Adresse","Name","Rechnungsnummer","Zugehöriger Transaktionscode"
"10.07.2026","12:09:12","Europe/Berlin","Handyzahlung","EUR","3,50","0,00","3,50","732,06","0Y22","ann@buyer.example","Ann Lee","",""`,
    ['0Y22 0Y22 3.5 EUR ann@buyer.example Ann Lee 2026-07-10T10:09:12.000Z PAYPAL'],
  ],
  [
    'PayPal activity',
    `Date,Time,TimeZone,Description,Currency,Gross,Fee,Net,Balance,Transaction ID,From Email Address,Name,Invoice ID,Reference Txn ID
10/07/2026,12:09:12,UTC,Express Checkout Payment,EUR,3.50,0,3.50,7.06,0Y22,ann@buyer.example,Ann Lee,1001,
13/07/2026,12:09:12,UTC,General Withdrawal,EUR,3.50,0,3.50,7.06,0Y23,,,,`,
    ['1001 0Y22 3.5 EUR ann@buyer.example Ann Lee 2026-07-10T12:09:12.000Z PAYPAL', 'noOrder'],
  ],
  [
    'Square transactions',
    `Date,Time,Time Zone,Gross Sales,Discounts,Service Charges,Net Sales,Gift Card Sales,Tax,Tip,Partial Refunds,Total Collected,Source,Card,Cash,Fees,Net Total,Transaction ID,Payment ID,Details,Description,Event Type,Location,Customer Name,Transaction Status,Order Reference ID
2026-05-13,10:02:11,Eastern Time (US & Canada),$30.00,-$3.00,$0.00,$27.00,$0.00,$2.16,$2.00,$0.00,$31.16,Point of Sale,$31.16,$0.00,-$0.93,$30.23,SQA1,PA1,,Mug x 1,Payment,Fair,Dee Example,Complete,
2026-05-20,09:00:00,Eastern Time (US & Canada),-$12.00,$0.00,$0.00,-$12.00,$0.00,-$0.96,$0.00,$0.00,-$12.96,Point of Sale,-$12.96,$0.00,$0.00,-$12.96,SQB2,PB2,,Mug x 1,Refund,Fair,,Complete,`,
    ['SQA1 SQA1+PA1 31.16 Dee Example 2026-05-13T10:02:11.000Z OTHER', 'refund'],
  ],
  [
    'Square items',
    `Date,Time,Time Zone,Category,Item,Qty,Price Point Name,SKU,Modifiers Applied,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Payment ID,Device Name,Notes,Details,Event Type,Location,Customer Name
2026-05-13,10:02:11,Eastern Time (US & Canada),,Mug,1,Regular,,,"$30.00",$0.00,$30.00,$2.16,SQA1,PA1,iPad,,,Payment,Fair,`,
    ['SQA1 SQA1+PA1 2026-05-13T10:02:11.000Z MANUAL'],
  ],
  [
    'Gumroad sales',
    `Purchase ID,Item Name,Buyer Name,Purchase Email,Purchase Date,Purchase Time (UTC timezone),Subtotal ($),Taxes ($),Shipping ($),Sale Price ($),Fees ($),Net Total ($),Refunded?,Fully Refunded?,Country,Quantity
g1,Planner,Ada Example,ada@example.com,2026-09-02,10:00,12.00,0.00,0.00,12.00,1.85,10.15,false,false,United States,1`,
    ['g1 12 ada@example.com Ada Example 2026-09-02T10:00:00.000Z OTHER'],
  ],
  [
    'WooCommerce orders',
    'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Email (Billing),Payment Method Title,Order Total Amount\n101,Processing,2026-05-01 12:00,,Ann,Lee,ann@shop.example,PayPal,"1.234,50"\n102,On hold,2026-05-01 12:00,,,,,,5\n',
    ['101 1234.5 ann@shop.example Ann Lee 2026-05-01T12:00:00.000Z PAYPAL', 'unpaid On hold'],
  ],
  [
    'WooCommerce orders',
    'order_id,order_number,order_date,paid_date,status,order_total,order_currency,customer_email,billing_first_name,billing_last_name,billing_email\n17,101,2026-05-01 12:00:00,,wc-completed,49.9,EUR,x@shop.example,Ann,Lee,ann@shop.example\n',
    ['101 49.9 EUR ann@shop.example Ann Lee 2026-05-01T12:00:00.000Z OTHER'],
  ],
  [
    'WooCommerce Analytics',
    'Date,"Order #",Status,Customer,"Customer type",Product(s),"Items sold",Coupon(s),"N. Revenue"\n"2026-05-01 12:00:00",101,completed,"Ann Lee",new,"1× Mug",1,,40\n"2026-05-02 12:00:00",,completed,"Ann Lee",new,"1× Mug",-1,,-40\n',
    ['101 Ann Lee 2026-05-01T12:00:00.000Z MANUAL', 'noOrder'],
  ],
  [
    'WooCommerce Analytics',
    'Date,"Order #","N. Revenue (formatted)",Status,Customer,"Customer type",Product(s),"Items sold",Coupon(s),"N. Revenue",Attribution\n"2026-05-01 12:00:00",101,"24,89 &euro;",completed,"Ann Lee",new,"1× Mug",1,,20,Direct\n"2026-05-01 12:00:00",102,&#36;40.00,completed,"Ann Lee",new,"1× Mug",1,,40,Direct\n',
    ['101 24.89 EUR Ann Lee 2026-05-01T12:00:00.000Z OTHER', '102 40 Ann Lee 2026-05-01T12:00:00.000Z OTHER'],
  ],
];

describe('of an export', () => {
  it.each(exports)('of %s, which its head line tells, each row is read', async (format, csv, rows) => {
    expect(await read(csv)).toEqual({ format, rows });
  });

  it('no two formats are told by one head line', () => {
    const named = exports.map(
      ([name, csv]) => [name, csv.split('\n')[0]!.replaceAll('"', '').split(',')] as const,
    );
    for (const [name, head] of named) {
      const notices = formats.filter(({ own }) =>
        own.every((heads) => [heads].flat().some((one) => head.includes(one))),
      );
      expect([name, notices[0]?.name]).toEqual([name, name]);
    }
  });

  it.each<[string, string, string]>([
    [
      'a charges table of Stripe’s API, in the smallest unit,',
      'id,amount,amount_refunded,currency,status,created,payment_intent\nch_1,3293232,0,usd,succeeded,1778000000,pi_1\n',
      'the smallest unit',
    ],
    [
      'a table of Lemon Squeezy’s API, in cents,',
      'order_number,user_email,currency,currency_rate,total,total_usd,status\n1,ann@shop.example,USD,1.0,1199,1199,paid\n',
      'the smallest unit',
    ],
    ['a file with an id that may be anything', 'id,total\n1,2\n', 'must name a column of order ids'],
    ['a file without amounts', 'Order ID,Status\n1,paid\n', 'It has: Order ID, Status.'],
  ])('%s is no export, and is refused', async (_name, csv, message) => {
    await expect(open(csv)).rejects.toThrow(message);
  });

  it.each([
    [
      'German',
      'Bestellnummer;Bestelldatum;Zahlungsstatus;E-Mail-Adresse;Währung;Gesamtbetrag\nB-1;01.05.2026 09:30;Bezahlt;ann@shop.example;EUR;1.234,50\nB-2;01.05.2026 09:30;Offen;;EUR;5\n',
      ['B-1 1234.5 EUR ann@shop.example 2026-05-01T09:30:00.000Z MANUAL', 'unpaid Offen'],
    ],
    [
      'French',
      'Numéro de commande\tDate de commande\tStatut\tDevise\tMontant total\nC-1\t25/05/2026\tTerminée\tEUR\t12,00 €\n',
      ['unknown Terminée'],
    ],
    [
      'Spanish, without accents,',
      'Numero de pedido,Fecha,Estado,Moneda,Importe total\nD-1,2026-05-25,Completado,EUR,12\n',
      ['unknown Completado'],
    ],
    [
      'Shopware’s',
      'order_number;order_date_time;amount_total;currency;customer_email;payment_state;order_state\nS-1;2026-05-25T10:00:00.000+00:00;1234.5;EUR;ann@shop.example;paid;open\nS-2;2026-05-25T10:00:00.000+00:00;5;EUR;;open;completed\n',
      ['S-1 1234.5 EUR ann@shop.example 2026-05-25T10:00:00.000Z MANUAL', 'unknown open'],
    ],
  ])('in a %s file the status tells who paid, and the date when', async (_name, csv, rows) => {
    expect((await read(csv)).rows).toEqual(rows);
  });

  it('a further line of an order without its total is no row of its own, also where it repeats the status', async () => {
    const csv = 'Order ID,Status,Total,Item\n1,paid,25,Mug\n1,paid,,Cup\n2,paid,5,Mug\n1,paid,,Mug\n';
    expect((await read(csv)).rows).toEqual([
      '1 25 MANUAL',
      'further',
      '2 5 MANUAL',
      'line 5: amount "" is not an amount',
    ]);
  });

  it.each(
    [
      'Total|TOTALS|Grand total|Summe:|Gesamt|Total EUR|Total (1 order)|Totale|Totale ordini',
      'Report Total|Subtotal|Sub Total|Sum of Total|Somme|TOTAL GÉNÉRAL|Totaal|Suma|Итого:|合計|합계',
      '*** TOTAL ***',
    ].flatMap((line) => line.split('|')),
  )('a row “%s” is no order, wherever it stands', async (word) => {
    const { rows } = await read(`Order ID,Total,Email\n1,5,\n${word},7,\n2,6,\n${word},8,\n`);
    expect(rows).toEqual(['1 5 MANUAL', 'noOrder', '2 6 MANUAL', 'noOrder']);
  });

  it.each(['TOTAL-1001', 'Total1001', 'TOTAL_7', 'SUM-1', 'SUMMER', 'Totally', 'T', '合計A1'])(
    'an order may have the id %s, and one with a buyer any id',
    async (id) => {
      expect((await read(`Order ID,Total\n${id},5\n`)).rows).toEqual([`${id} 5 MANUAL`]);
      const { rows } = await read('Order ID,Total,Email\nTotal,5,ann@shop.example\n');
      expect(rows).toEqual(['Total 5 ann@shop.example MANUAL']);
    },
  );

  const head = 'Order ID,Date,Status,Email,Total,Currency';
  const paidRow = (id: number, amount: number) => `${id},2026-05-01,paid,ann@shop.example,${amount},EUR`;
  const paidOrder = (id: number, amount: number) =>
    `${id} ${amount} EUR ann@shop.example 2026-05-01T00:00:00.000Z MANUAL`;
  it.each<[string, string, string | null]>([
    ['without an id and a word', ',,,,30,', null],
    ['with its currency', ',,,,30.00,EUR', null],
    ['with a label of another kind', '2 orders,,,,30,', null],
    ['that counts unpaid ones, too', ',,,,37,', null],
    ['with its word in another column', ',Total,,,99,', null],
    ['with a buyer', '3,2026-05-01,paid,ann@shop.example,30,EUR', paidOrder(3, 30)],
    ['with a date', '3,2026-05-01,paid,,30,EUR', '3 30 EUR 2026-05-01T00:00:00.000Z MANUAL'],
    ['of another amount', ',,,,31,', 'line 5: has no order id'],
  ])('a row %s is what it looks like when it adds up the others', async (_name, row, order) => {
    const csv = [head, paidRow(1, 10), paidRow(2, 20), '9,2026-05-01,pending,,7,EUR', row].join('\n');
    const { rows } = await read(csv);
    expect(rows).toEqual([paidOrder(1, 10), paidOrder(2, 20), 'unpaid pending', order ?? 'noOrder']);
  });

  it('sums of parts and of all are no orders, also where each line of an order has its total', async () => {
    const csv = 'Order ID,Item,Price,Amount\n1,a,1,10\n1,b,1,10\n2,c,1,20\n,,,30\n3,d,1,5\n,,,5\n,,,35\n';
    expect((await read(csv)).rows.filter((row) => row === 'noOrder')).toHaveLength(3);
    const without = 'Order ID,Total\nXKB,10\nOHS,10\n3,20\nUkupno,40\n,40\n';
    const orders = ['XKB 10 MANUAL', 'OHS 10 MANUAL', '3 20 MANUAL'];
    expect((await read(without)).rows).toEqual([...orders, 'noOrder', 'noOrder']);
  });

  it.each(['', '\uFEFF', 'sep=,\n', '\n'])(
    'of two files in one, %j between them, the second head line is no order',
    async (between) => {
      const csv = '"Order ID",Total\n1,10\n';
      const { rows } = await read(`${csv}${between}${csv.replace('1,10', '2,20')}`);
      expect(rows.filter((row) => row !== 'noOrder')).toEqual(['1 10 MANUAL', '2 20 MANUAL']);
    },
  );

  it('two files in one with other columns are refused', async () => {
    const csv = 'Order ID,Total,Status\n1,10,paid\nTotal,Status,Order ID\n20,paid,2\n';
    await expect(open(csv)).rejects.toThrow(
      'Line 3 is another head line, with other columns. Compare the two files by themselves.',
    );
  });

  it('the buyer’s name comes before another name, which may be an item’s', async () => {
    const csv = 'order_number,total,sku,name,customer_name\n1,5,M1,Mug,Ann Lee\n';
    expect((await read(csv)).rows).toEqual(['1 5 Ann Lee MANUAL']);
  });

  it('a row of negative money is a refund and no order, save in a file of items, whose sum it may belong to', async () => {
    expect((await read('Order ID,Total\n1,10.00\n1,-10.00\n2,(5.00)\n')).rows).toEqual([
      '1 10 MANUAL',
      'refund',
      'refund',
    ]);
    expect((await read('Order ID,Item Name,Amount\n1,Mug,10.00\n1,Rebate,-4.00\n')).rows).toEqual([
      expect.stringContaining('negative'),
    ]);
  });

  it.each([
    ['America/New_York', '2026-05-01T14:00'],
    ['PDT', '2026-05-01T17:00'],
    ['GMT+02:00', '2026-05-01T08:00'],
    ['-0330', '2026-05-01T13:30'],
    ['Eastern Time (US & Canada)', '2026-05-01T08:00'],
    ['', '2026-05-01T08:00'],
  ])(
    'a time beside the zone “%s” is %s in UTC; one that nobody knows is that of the shop',
    async (zone, iso) => {
      const csv = `Order ID,Total,Date,Time,Time Zone\n1,5,2026-05-01,10:00,${zone}\n`;
      const { rows } = await read(csv, { zone: 'Europe/Berlin' });
      expect(rows[0]).toContain(iso);
    },
  );

  it.each(['0000-00-00', '0000-00-00 00:00:00', '00.00.0000', '-', 'n/a', 'NULL'])(
    '%s is no date',
    async (none) => {
      expect((await read(`Order ID,Total,Date\n1,5,${none}\n`)).rows).toEqual(['1 5 MANUAL']);
    },
  );

  it.each<[string, string, string[]]>([
    [
      'OpenCart',
      'order_id,customer,email,order_status,total,currency_code,date_added\n7,Ann,ann@shop.example,Complete,5,EUR,2026-05-01\n8,Bob,,Canceled,5,EUR,2026-05-01\n',
      ['7 5 EUR ann@shop.example Ann 2026-05-01T00:00:00.000Z MANUAL', 'unpaid Canceled'],
    ],
    [
      'PrestaShop',
      'id_order;total_paid_tax_incl;order_state_id;date_add\n7;5.000000;2;2026-05-01 10:00:00\n8;5;6;2026-05-01\n',
      ['unknown 2', 'unknown 6'],
    ],
    [
      'Magento',
      'increment_id,grand_total,order_currency_code,status,date_placed\n000000007,5,EUR,complete,2026-05-01\n8,5,EUR,canceled,2026-05-01\n',
      ['000000007 5 EUR 2026-05-01T00:00:00.000Z MANUAL', 'unpaid canceled'],
    ],
  ])('of %s the dates and states are read', async (_name, csv, rows) => {
    expect((await read(csv)).rows).toEqual(rows);
  });

  it('a column that cannot be read is left out where its name is empty', async () => {
    const csv = 'Order ID,Total,Date,Status\n1,5,soon,odd\n';
    const { rows } = await read(csv, { columns: { createdAt: '', status: ' ' } });
    expect(rows).toEqual(['1 5 MANUAL']);
  });

  it('of a column with another word in each row 100 are looked up as zones, and no more', async () => {
    const csv = (words: number) => {
      const zones = [...Array.from({ length: words }, (_, at) => `word ${at}`), 'America/New_York'];
      const rows = zones.map((zone, at) => `${at},5,2026-05-01 10:00,${zone}`);
      return ['Order ID,Total,Date,Time Zone', ...rows].join('\n');
    };
    expect((await read(csv(99))).rows.at(-1)).toContain('2026-05-01T14:00');
    expect((await read(csv(100))).rows.at(-1)).toContain('2026-05-01T10:00');
  });

  it.each(['Order ID', 'Status', 'Total', 'Email', 'Date', 'Currency', 'Time Zone', 'Payment Method'])(
    'the time to read a cell “%s” full of marks grows with it, not faster',
    async (column) => {
      const head = 'Order ID,Status,Total,Email,Date,Currency,Time Zone,Payment Method';
      const [plain, row] = [
        head.split(','),
        '1,paid,5,ann@shop.example,2026-05-01 09:00,EUR,UTC,PayPal'.split(','),
      ];
      const columns = chooseColumns(plain, {});
      const options = {
        columns: {},
        decimal: null,
        dateOrder: null,
        zone: 'UTC',
        alsoPaid: new Set<string>(),
      };
      const readRow = createReadRow(columns, { ...options, isTest: false, nowMs, areIdsFloats: false });
      const read = (text: string) =>
        readRow({ cells: row.map((cell, at) => (plain[at] === column ? text : cell)), line: 2 });
      expect(growthOf(read, (n) => `a${'\u0315\u0300'.repeat(n)}`, 16_000)).toBeLessThan(24);
    },
  );

  it('of a shop nobody knows, the columns are taken whose names say what they are', async () => {
    const csv =
      'Order ID,Order Date,Status,E-Mail,First Name,Last Name,Total,Currency Code\nA-1,2026-05-01,Completed,ann@shop.example,Ann,Lee,5,EUR\nA-2,2026-05-01,Cancelled,,,,6,EUR\nA-3,2026-05-01,Terminée,,,,6,EUR\nA-4,2026-05-01,,,,,7,EUR\n';
    const { columns } = await open(csv);
    expect(columns).toMatchObject({
      orderId: 'Order ID',
      amount: 'Total',
      currency: 'Currency Code',
      createdAt: 'Order Date',
      status: 'Status',
      email: 'E-Mail',
      mode: null,
    });
    expect(await read(csv)).toEqual({
      format: null,
      rows: [
        'A-1 5 EUR ann@shop.example Ann Lee 2026-05-01T00:00:00.000Z MANUAL',
        'unpaid Cancelled',
        'unknown Terminée',
        'A-4 7 EUR 2026-05-01T00:00:00.000Z MANUAL',
      ],
    });
    const named = await read(csv, { alsoPaid: new Set([columnKey('Terminée')]) });
    expect(named.rows.slice(1, 3)).toEqual(['unpaid Cancelled', 'A-3 6 EUR 2026-05-01T00:00:00.000Z MANUAL']);
    const both = 'orderId,amount,status,paymentStatus\nA-1,5,open,PAID\nA-2,6,open,unpaid\n';
    expect((await read(both)).rows).toEqual(['A-1 5 MANUAL', 'unpaid unpaid']);
  });

  it('other columns can be named, and a code stands for the currency of all rows', async () => {
    const csv =
      'Nummer;Summe;Mail;Datum;Stand\nA-1;1.234,50;ann@shop.example;01.05.2026;bezahlt\nA-2;5;;;offen\nA-3;6;;;gebucht\n';
    const columns = {
      orderId: 'nummer',
      amount: 'Summe',
      email: 'Mail',
      createdAt: 'Datum',
      status: 'Stand',
      currency: 'eur',
    };
    expect(await read(csv, { columns, alsoPaid: new Set(['Gebucht'].map(columnKey)) })).toEqual({
      format: null,
      rows: [
        'A-1 1234.5 EUR ann@shop.example 2026-05-01T00:00:00.000Z MANUAL',
        'unpaid offen',
        'A-3 6 EUR MANUAL',
      ],
    });
  });

  it.each<[string, string, string[]]>([
    [
      'with a line for each item has their sum, wherever they stand',
      'orderId,amount,sku\nA,5,M1\nB,17.9,M2\nA,5,M1\nB,5.95,C1\nB,,C2\nC,x,C1\nC,5,C1\n',
      ['further', 'line 7: amount "x" is not an amount', 'A 10 MANUAL', 'B 23.85 MANUAL'],
    ],
    [
      'of much money has its exact sum',
      'orderId,amount,sku\nA,12345678901.1,M1\nA,0.2,M2\nA,0.03,M3\nB,17.5,M1\nB,2.5,M2\n',
      ['A 12345678901.33 MANUAL', 'B 20 MANUAL'],
    ],
    ['with an item’s total is summed too', 'Order ID,Line Total,Total\nA,5,12\nA,7,12\n', ['A 12 MANUAL']],
    [
      'whose total stands on each line of an item has that total',
      'Order ID,Item,Price,Amount\nA,Mug,5,12\nA,Cup,7,12\n',
      ['A 12 MANUAL', 'A 12 MANUAL'],
    ],
  ])('an order %s', async (_name, csv, rows) => {
    const columns = csv.includes('Line Total') ? { amount: 'Line Total' } : {};
    expect((await read(csv, { columns })).rows).toEqual(rows);
  });
});

describe('files as they are', () => {
  const rows = ['A-1 49.9 EUR', 'A-2 5 EUR'].map((row) => `${row} MANUAL`);
  const csv = 'orderId,amount,currency\nA-1,49.90,EUR\nA-2,5,EUR\n';
  const utf32 = (text: string) => Buffer.from(Uint32Array.from(text, (sign) => sign.codePointAt(0)!).buffer);
  const utf16 = Buffer.from(`\uFEFF${csv.replaceAll(',', '\t')}`, 'utf16le');

  it.each<[string, string | Buffer]>([
    ['a plain one', csv],
    ['without a last line end', csv.trimEnd()],
    ['with CRLF', csv.replaceAll('\n', '\r\n')],
    ['with CRLF in the head line alone', csv.replace('\n', '\r\n')],
    ['with the line ends of an old Mac', csv.replaceAll('\n', '\r')],
    ['with a byte order mark', `\uFEFF${csv}`],
    ['with a byte order mark and quotes', `\uFEFF${csv.replace('orderId', '"orderId"')}`],
    ['with empty lines', `\n\n${csv.replaceAll('\n', '\n\n')}\n\n`],
    ['with the empty rows that Excel leaves', `${csv},,\n , ,\n,,\n`],
    ['with semicolons', csv.replaceAll(',', ';')],
    ['with tabs', csv.replaceAll(',', '\t')],
    ['with Excel’s hint', `sep=;\r\n${csv.replaceAll(',', ';')}`],
    ['in UTF-16, little endian', utf16],
    ['in UTF-16, big endian', Buffer.from(utf16).swap16()],
    ['with quotes', csv.replace(/[^,\n]+/g, '"$&"')],
    ['with spaces around the cells', csv.replace(/[^,\n]+/g, ' $& ')],
    ['with Excel’s texts', csv.replace('A-1', '"=""A-1"""')],
    ['with other columns', csv.replace(/^(.*)$/gm, (line) => line && `${line},"a ""b"", c","x\ny"`)],
    ['with an unquoted quote', csv.replace(/^(.*)$/gm, (line) => line && `${line},5" pipe`)],
  ])('%s are read', async (_name, content) => {
    expect((await read(content)).rows).toEqual(rows);
  });

  it.each<[string, string | Buffer, string]>([
    ['an empty file', '', 'The file is empty.'],
    ['only line ends', '\r\n\r\n', 'The file is empty.'],
    ['only a byte order mark', '\uFEFF', 'The file is empty.'],
    ['a workbook', Buffer.from('PK\x03\x04abc'), 'an Excel workbook or another archive, not a CSV'],
    ['a PDF', '%PDF-1.7 …', 'a PDF, not a CSV'],
    ['JSON', '{"orders":[{"id":1}]}', 'The file is JSON, not a CSV.'],
    ['JSON that is a list', '\uFEFF[\n  {"order_id": 1}\n]', 'The file is JSON, not a CSV.'],
    ['HTML', '<!doctype html>\n<p>Sign in</p>\n', 'The file is an HTML page, whatever its name is.'],
    [
      'a table of HTML',
      '\n <table border="1"><tr><th>Order ID</th></tr></table>',
      'The file is an HTML page',
    ],
    [
      'HTML for Excel',
      '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>…',
      'The file is an HTML page',
    ],
    ['a long line of HTML', `<html><body>${'x'.repeat(2_000_000)}`, 'The file is an HTML page'],
    ['XML', '<?xml version="1.0"?>\n<orders><order id="1"/></orders>\n', 'The file is XML, whatever'],
    [
      'a workbook in XML',
      '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>',
      'is XML',
    ],
    ['HTML in UTF-16', Buffer.from('\uFEFF<html><body>', 'utf16le'), 'The file is an HTML page'],
    [
      'rows of one quoted cell each',
      'orderId,amount,currency\n"A-1,5,EUR"\n"A-2,5,EUR"\n',
      'Line 2 is one cell',
    ],
    ['lines of one quoted cell each', '"orderId;amount"\n"A-1;5"\n', 'Line 1 is one cell'],
    ['Latin-1', Buffer.from('orderId,amount,name\nA,1,Zoë\n', 'latin1'), 'not UTF-8 text'],
    ['half a sign at the end', Buffer.from('orderId,amount,name\nA,1,Zo\xc3', 'latin1'), 'not UTF-8 text'],
    ['UTF-16 without a byte order mark', utf16.subarray(2), 'not UTF-8 text'],
    ['UTF-16 of big endian without one', Buffer.from(utf16).swap16().subarray(2), 'not UTF-8 text'],
    ['UTF-32', utf32(`\uFEFF${csv}`), 'not UTF-8 text'],
    ['UTF-32 without a byte order mark', utf32(csv), 'not UTF-8 text'],
    ['binary', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)), 'The'],
    [
      'a quote that never closes',
      `${csv}"A-3,1,EUR\n${'x,1,EUR\n'.repeat(200_000)}`,
      'a quote is not closed',
    ],
    ['one endless line', 'x'.repeat(3_000_000), 'too long'],
    ['a column twice', 'orderId,amount,Sum,sum\nA,1,2,3\n', 'Two columns are called "SUM"'],
    ['its amounts twice', 'orderId,amount,amount\nA,1,2\n', 'Two columns are called "amount"'],
    ['a named column that is missing', csv, 'no column "SUM"'],
  ])('%s is refused with one sentence', async (name, content, message) => {
    const columns = name.includes('column') ? { amount: 'SUM' } : {};
    await expect(open(content, { columns }, 65_536)).rejects.toMatchObject({
      name: 'FileError',
      message: expect.stringContaining(message),
    });
  });

  it('the sign or code in an amount is its currency, and contradicts another', async () => {
    const amounts = ['"€49.90"', '"20,00 EUR"', '£5', '¥500', '$7', '8'];
    const rowsWith = async (currency: string, columns = {}) => {
      const rows = amounts.map((amount, n) => `A-${n},${amount}${currency && `,${currency}`}`);
      const head = `orderId,amount${currency && ',currency'}`;
      return (await read(`${head}\n${rows.join('\n')}\n`, { columns })).rows;
    };
    const another = (line: number, amount: string, than: string) =>
      `line ${line}: amount "${amount}" is in another currency than ${than}`;
    expect(await rowsWith('')).toEqual([
      'A-0 49.9 EUR MANUAL',
      'A-1 20 EUR MANUAL',
      another(4, '£5', 'USD'),
      another(5, '¥500', 'USD'),
      'A-4 7 USD MANUAL',
      'A-5 8 MANUAL',
    ]);
    const inEuro = [
      'A-0 49.9 EUR MANUAL',
      'A-1 20 EUR MANUAL',
      another(4, '£5', 'EUR'),
      another(5, '¥500', 'EUR'),
      another(6, '$7', 'EUR'),
      'A-5 8 EUR MANUAL',
    ];
    for (const currency of ['EUR', 'Euro', 'euros', '€']) expect(await rowsWith(currency)).toEqual(inEuro);
    expect(await rowsWith('', { currency: 'EURO' })).toEqual(inEuro);
  });

  it('a head line alone has no rows', async () => {
    expect((await read('orderId,amount\n')).rows).toEqual([]);
    expect((await read('orderId,amount')).rows).toEqual([]);
  });

  it('a row that cannot be read is named with its line, and the others are read', async () => {
    const csv = [
      'orderId,amount,currency,createdAt',
      ',5,EUR,',
      'A-1,12,50,EUR,',
      'A-2,1.234,EUR,',
      'A-3,5,¥,',
      'A-4,5,EUR,soon',
      '7.41099E+12,5,EUR,',
      `${'x'.repeat(256)},5,EUR,`,
      'A-\u0000,5,EUR,',
      'A-5,,EUR,',
      'A-6',
      'A-7,5,EUR,2026-05-01',
    ].join('\n');
    expect((await read(csv)).rows).toEqual([
      'line 2: has no order id',
      'line 3: currency "50" is no code such as USD',
      'line 4: amount "1.234" may be thousands or decimals; name the decimal sign of the file',
      'line 5: currency "¥" is no code such as USD',
      'line 6: date "soon" is not a date such as 2026-05-01 or 2026-05-01T09:30:00+02:00',
      'line 7: order id was rounded by a spreadsheet: take the file as the shop exported it',
      'line 8: order id is longer than 255 characters',
      'line 9: order id holds a character that cannot be stored',
      'line 10: amount "" is not an amount',
      'line 11: amount "" is not an amount',
      'A-7 5 EUR 2026-05-01T00:00:00.000Z MANUAL',
    ]);
    expect((await read('orderId,amount\nA-1,12,50\n')).rows).toEqual([
      'line 2: has 3 cells, and the first line 2: a cell with a separator needs quotes',
    ]);
  });
});
