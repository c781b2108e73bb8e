import { describe, expect, it } from 'vitest';
import { csvRows } from '../src/compare/csvRows.js';
import { decodeFile } from '../src/compare/decodeFile.js';
import { openOrderFile, type ReadOptions, type ReadRow } from '../src/compare/fileOrders.js';
import { readDate } from '../src/compare/readDate.js';
import { readMoney } from '../src/compare/readMoney.js';
import { columnKey } from '../src/compare/shopExports.js';
import { growthOf } from './growthOf.js';

const nowMs = Date.parse('2026-11-22T12:00:00Z');

async function* piecesOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Opens a file that arrives in pieces of seven bytes, so that every sign is cut somewhere. */
async function open(content: string | Buffer, options: Partial<ReadOptions> = {}, size = 7) {
  const file = await openOrderFile(csvRows(decodeFile(piecesOf(Buffer.from(content), size))), {
    columns: {},
    decimal: null,
    dateOrder: null,
    alsoPaid: new Set(),
    isTest: false,
    nowMs,
    ...options,
  });
  const rows: ReadRow[] = [];
  for await (const row of file.rows) rows.push(row);
  return { format: file.columns.format?.name ?? null, rows };
}

/** The rows of a file in short. */
async function read(content: string | Buffer, options: Partial<ReadOptions> = {}) {
  const { format, rows } = await open(content, options);
  return {
    format,
    rows: rows.map((row) => {
      if (row.kind === 'unread') return `line ${row.unread.line}: ${row.unread.message}`;
      if (row.kind === 'unpaid') return `unpaid ${row.status}`;
      if (row.kind !== 'order') return row.kind;
      const { orderId, paymentId, amount, currency, email, name, createdMs, source } = row.order;
      const date = createdMs === null ? null : new Date(createdMs).toISOString();
      return [orderId, paymentId, amount, currency, email, name, date, source]
        .filter((value) => value !== null)
        .join(' ');
    }),
  };
}

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
  it.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T09:30:00+02:00', '2026-05-01T07:30:00.000Z'],
    ['2026-05-01T09:30:00.123Z', '2026-05-01T09:30:00.123Z'],
    ['2026-05-01 09:50:26 +0200', '2026-05-01T07:50:26.000Z'],
    ['2026-05-01 09:50:26 UTC', '2026-05-01T09:50:26.000Z'],
    ['2026-05-01 09:50', '2026-05-01T09:50:00.000Z'],
    ['01.05.2026 09:50', '2026-05-01T09:50:00.000Z'],
    ['25/12/2025', '2025-12-25T00:00:00.000Z'],
    ['12/25/2025 2:05 PM', '2025-12-25T14:05:00.000Z'],
    ['5/5/2026', '2026-05-05T00:00:00.000Z'],
  ])('%s is read as %s', (text, iso) => {
    expect(new Date(readDate(text, null, nowMs).ms!).toISOString()).toBe(iso);
  });

  it.each([
    ['05/06/2026', 'two dates'],
    ['2026-02-30', 'is not a date'],
    ['2026-13-01', 'is not a date'],
    ['2026-05-01 25:00', 'is not a date'],
    ['2026-05-01 09:50 Mars', 'is not a date'],
    ['yesterday', 'is not a date'],
    ['46143.4', 'is not a date'],
    ['1'.repeat(60_000), 'is not a date'],
    ['1970-01-01', 'too long ago'],
    ['2027-05-01', 'lies ahead'],
  ])('%s is not read: %s', (text, problem) => {
    expect(readDate(text, null, nowMs).problem).toContain(problem);
  });

  it('the named order of day and month tells what 05/06/2026 is', () => {
    expect(readDate('05/06/2026', 'dmy', nowMs).ms).toBe(Date.UTC(2026, 5, 5));
    expect(readDate('05/06/2026', 'mdy', nowMs).ms).toBe(Date.UTC(2026, 4, 6));
  });
});

describe('exports are recognised by their first line', () => {
  it('of Shopify: the first line of an order has its totals', async () => {
    const head =
      'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Notes,Refunded Amount,Id,Tags';
    const first =
      '#1001,Ann@shop.example,paid,2026-05-01 09:51:00 +0200,fulfilled,,no,EUR,40.00,4.95,4.95,49.90,,0.00,Post,2026-05-01 09:50:26 +0200,1,Mug,40.00,,M1,true,true,fulfilled,Ann Lee,"a ""note"",\nof two lines",0.00,7410991464714,';
    const further = '#1001,Ann@shop.example,,,,,,,,,,,,,,,2,Cup,5.00,,C1,true,true,fulfilled,,,,,';
    const refunded =
      '#1002,bob@shop.example,partially_refunded,,,,no,EUR,,,,20.00,,,,2026-05-02 10:00:00 +0200,1,Cup,,,,,,,Bob,,5.00,7410991464715,';
    const pending =
      '#1003,cid@shop.example,pending,,,,no,EUR,,,,20.00,,,,2026-05-02 10:00:00 +0200,1,Cup,,,,,,,Cid,,,7410991464716,';
    expect(await read([head, first, further, refunded, pending].join('\n'))).toEqual({
      format: 'Shopify orders',
      rows: [
        '7410991464714 49.9 EUR Ann@shop.example Ann Lee 2026-05-01T07:50:26.000Z OTHER',
        'further',
        '7410991464715 20 EUR bob@shop.example Bob 2026-05-02T08:00:00.000Z OTHER',
        'unpaid pending',
      ],
    });
  });

  it('of Stripe: payments by their metadata, else by the PaymentIntent', async () => {
    const csv = [
      'id,Description,Seller Message,Created (UTC),Amount,Amount Refunded,Currency,Converted Amount,Converted Amount Refunded,Fee,Tax,Converted Currency,Mode,Status,Customer ID,Customer Email,Captured,Card Name,PaymentIntent ID,orderId (metadata)',
      'ch_1,,Payment complete.,2026-06-05 20:38,"3,125.00",0.00,usd,,,,,,Live,Paid,cus_1,ann@shop.example,true,Ann Lee,pi_1,A-1',
      'ch_2,,Payment complete.,2026-06-05 20:39,12.50,12.50,usd,,,,,,Live,Refunded,cus_1,,true,,pi_2,',
      'ch_3,,Declined.,2026-06-05 20:40,12.50,0.00,usd,,,,,,Live,Failed,cus_1,,false,,pi_3,',
      'ch_4,,Payment complete.,2026-06-05 20:40,12.50,0.00,usd,,,,,,Test,Paid,cus_1,,true,,pi_4,',
    ].join('\r\n');
    expect(await read(csv)).toEqual({
      format: 'Stripe payments',
      rows: [
        'A-1 pi_1 3125 USD ann@shop.example Ann Lee 2026-06-05T20:38:00.000Z STRIPE',
        'pi_2 pi_2 12.5 USD 2026-06-05T20:39:00.000Z STRIPE',
        'unpaid Failed',
        'otherMode',
      ],
    });
  });

  it('of Stripe: the newer payments, and the balance', async () => {
    const payments =
      'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Status,Customer Email\npi_5,2026-06-05 20:38:34,"0,25","0,00",eur,true,Paid,ann@shop.example\n';
    expect(await read(payments)).toEqual({
      format: 'Stripe payments',
      rows: ['pi_5 pi_5 0.25 EUR ann@shop.example 2026-06-05T20:38:34.000Z STRIPE'],
    });
    const balance = [
      'balance_transaction_id,created_utc,created,available_on,currency,gross,fee,net,reporting_category,source_id,description,customer_facing_amount,customer_facing_currency,customer_email,charge_id,payment_intent_id,payment_metadata[order_id]',
      'txn_1,2026-06-05 20:38:34,2026-06-05 22:38:34,,eur,9.20,0.30,8.90,charge,ch_1,,10.00,usd,ann@shop.example,ch_1,pi_1,A-1',
      'txn_2,2026-06-06 20:38:34,2026-06-05 22:38:34,,eur,-9.20,0,-9.20,refund,re_1,,-10.00,usd,ann@shop.example,ch_1,pi_1,A-1',
    ].join('\n');
    expect(await read(balance)).toEqual({
      format: 'Stripe balance',
      rows: ['A-1 pi_1 10 USD ann@shop.example 2026-06-05T20:38:34.000Z STRIPE', 'unpaid refund'],
    });
  });

  it('of Stripe: whichever of both names the shop has given its id in the metadata', async () => {
    const csv = [
      'id,Amount,Amount Refunded,Currency,Status,PaymentIntent ID,order_id (metadata),orderId (metadata)',
      'ch_1,5.00,0.00,usd,Paid,pi_1,A-1,',
      'ch_2,6.00,0.00,usd,Paid,pi_2,,A-2',
    ].join('\n');
    expect((await read(csv)).rows).toEqual(['A-1 pi_1 5 USD STRIPE', 'A-2 pi_2 6 USD STRIPE']);
  });

  it('of the usual exporters of WooCommerce', async () => {
    const advanced =
      'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Email (Billing),Payment Method Title,Order Total Amount\n101,Processing,2026-05-01 12:00,,Ann,Lee,ann@shop.example,PayPal,"1.234,50"\n102,On hold,2026-05-01 12:00,,,,,,5\n';
    expect(await read(advanced)).toEqual({
      format: 'WooCommerce orders',
      rows: ['101 1234.5 ann@shop.example Ann Lee 2026-05-01T12:00:00.000Z PAYPAL', 'unpaid On hold'],
    });
    const suite =
      'order_id,order_number,order_date,paid_date,status,order_total,order_currency,customer_email,billing_first_name,billing_last_name,billing_email\n17,101,2026-05-01 12:00:00,,wc-completed,49.9,EUR,x@shop.example,Ann,Lee,ann@shop.example\n';
    expect(await read(suite)).toEqual({
      format: 'WooCommerce orders',
      rows: ['101 49.9 EUR ann@shop.example Ann Lee 2026-05-01T12:00:00.000Z OTHER'],
    });
    const analytics =
      'Date,"Order #","N. Revenue (formatted)",Status,Customer,"Customer type",Product(s),"Items sold",Coupon(s),"N. Revenue",Attribution\n"2026-05-01 12:00:00",101,&#36;40.00,completed,"Ann Lee",new,"1× Mug",1,,40,Direct\n';
    expect(await read(analytics)).toEqual({
      format: 'WooCommerce analytics',
      rows: ['101 Ann Lee 2026-05-01T12:00:00.000Z OTHER'],
    });
  });

  it('own columns: a status leaves out what was not paid, that of the payment before that of the order', async () => {
    const csv = 'Order ID;Amount;Order Status\nA-1;5;Completed\nA-2;6;Cancelled\nA-3;7;\n';
    expect((await read(csv)).rows).toEqual(['A-1 5 MANUAL', 'unpaid Cancelled', 'A-3 7 MANUAL']);
    const both = 'orderId,amount,status,paymentStatus\nA-1,5,open,PAID\nA-2,6,open,unpaid\n';
    expect((await read(both)).rows).toEqual(['A-1 5 MANUAL', 'unpaid unpaid']);
    expect((await read('orderId,amount,Status\nA-1,5,voided\n')).rows).toEqual(['unpaid voided']);
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
});

describe('files as they are', () => {
  const rows = ['A-1 49.9 EUR', 'A-2 5 EUR'].map((row) => `${row} MANUAL`);
  const csv = 'orderId,amount,currency\nA-1,49.90,EUR\nA-2,5,EUR\n';
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
    ['in UTF-16 without a mark', utf16.subarray(2)],
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
    ['JSON', '{"orders":[{"id":1}]}', 'The first line must name the columns'],
    ['HTML', '<!doctype html>\n<p>Sign in</p>\n', 'The first line must name the columns'],
    ['Latin-1', Buffer.from('orderId,amount,name\nA,1,Zoë\n', 'latin1'), 'not UTF-8 text'],
    ['half a sign at the end', Buffer.from('orderId,amount,name\nA,1,Zo\xc3', 'latin1'), 'not UTF-8 text'],
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
      'A-3,5,€,',
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
      'line 5: currency "€" is no code such as USD',
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
