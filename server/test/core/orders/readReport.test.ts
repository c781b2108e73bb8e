import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/core/orders/receive/readReport.js';

const sent = {
  teamId: 'team_01h455vb4pex5vsknk084sn02q',
  email: 'ann@buyer.example',
  amount: 49.9,
  orderId: 'A-1',
  currency: 'EUR',
  source: 'STRIPE',
  name: 'Zoë 😀 Buyer',
  items: [{ productId: 81723, sku: 'TEE-1', name: 'T-shirt', quantity: 2, price: 24.95, gift: true }],
  visitorId: 'v1',
  reportId: 'orderbeacon:1',
  sdkVersion: '1.2.3',
};
const asPage = (fields: object) => readReport({ ...sent, ...fields }, true);
const asKey = (fields: object) => readReport({ ...sent, ...fields }, false);

it.each([true, false])('what is right is taken as it was sent (from a page: %s)', (isFromPage) => {
  expect(readReport(structuredClone(sent), isFromPage)).toEqual({ report: sent, extra: null, warnings: [] });
});

describe('an amount', () => {
  it.each([
    [836.9999999999998, 837],
    [0.1 + 0.2, 0.3],
    [1234567.12345678, 1234567.12345678],
    [0.123456789012345, 0.123456789012345],
  ])('of %d is %d', (amount, stored) => {
    expect(asKey({ amount }).report!.amount).toBe(stored);
    expect(asPage({ amount }).report!.amount).toBe(stored);
  });

  it.each([
    [448.753425, 'USD', 'has more decimals than the 2 of USD; kept as sent'],
    [1634.5, 'JPY', 'has more decimals than the 0 of JPY; kept as sent'],
    [1.2345, 'KWD', 'has more decimals than the 3 of KWD; kept as sent'],
  ])('of %d %s is kept with a warning', (amount, currency, message) => {
    expect(asKey({ amount, currency })).toMatchObject({
      report: { amount, currency },
      warnings: [{ path: 'amount', message }],
    });
  });

  it.each([
    [1.234, 'KWD'],
    [0.00012345, 'BTC'],
    [4.35, 'EUR'],
    [1634, 'JPY'],
  ])('of %d %s has no warning', (amount, currency) => {
    expect(asKey({ amount, currency }).warnings).toEqual([]);
  });
});

describe('a field with the name of another system', () => {
  it.each([
    ['order_id', 'orderId', '77'],
    ['transaction_id', 'orderId', '77'],
    ['orderID', 'orderId', '77'],
    ['Currency', 'currency', 'SEK'],
    ['line_items', 'items', [{ sku: 'A' }]],
  ])('is named where the field is missing: %s', (name, field, value) => {
    for (const read of [asPage, asKey])
      expect(read({ [field]: undefined, [name]: value })).toMatchObject({
        extra: { [name]: value },
        warnings: [{ path: name, message: `does not count; \`${field}\` does. Kept in the extra fields` }],
      });
  });

  it.each([
    ['value', 'amount', 49.9],
    ['total', 'amount', 49.9],
    ['email_address', 'email', 'ann@buyer.example'],
  ])('is named in the refusal: %s', (name, field, value) => {
    for (const read of [asPage, asKey])
      expect(read({ [field]: undefined, [name]: value }).issues).toEqual([
        { path: [field], message: `is required; \`${name}\` does not count, \`${field}\` does` },
      ]);
  });

  it('has no warning beside the field itself', () => {
    expect(
      asPage({ order_number: '1001', total: 49.9, customer_email: 'ann@buyer.example' }).warnings,
    ).toEqual([]);
  });
});

describe('a field that says what an order is not is kept, with a warning that says what counts', () => {
  const meant: [field: string, value: unknown, ofKey: RegExp, ofPage?: RegExp][] = [
    ['status', 'cancelled', /each report is of a paid order/],
    ['paymentStatus', 'PENDING', /each report is of a paid order/],
    ['financial_status', 'refunded', /each report is of a paid order/],
    ['isPaid', false, /each report is of a paid order/],
    ['cancelled_at', '2026-11-26T09:30:00Z', /each report is of a paid order/],
    ['isTest', true, /by a test key or from a test domain/],
    ['test', true, /by a test key or from a test domain/],
    ['refundedAmount', 5, /report refunds to \/orders\/refunds/],
    ['created_at', '2026-11-26T09:30:00Z', /`createdAt` does/, /has the time of its call/],
    ['date', '2026-11-26', /`createdAt` does/, /has the time of its call/],
    ['timestamp', 1764149400, /`createdAt` does/, /has the time of its call/],
    ['idempotencyKey', 'k', /the header `Idempotency-Key` does/, /`orderId` does/],
  ];

  it.each(meant)('%s: %j', (field, value, ofKey, ofPage = ofKey) => {
    for (const [read, message] of [
      [asKey, ofKey],
      [asPage, ofPage],
    ] as const) {
      const { report, extra, warnings } = read({ [field]: value });
      expect([report, extra]).toEqual([sent, { [field]: value }]);
      expect(warnings).toEqual([{ path: field, message: expect.stringMatching(message) }]);
    }
  });

  it.each([
    { status: 'paid' },
    { paymentStatus: 'PAID' },
    { paid: true },
    { isTest: false },
    { refundedAmount: '0.00' },
    { cancelled_at: null },
    { date: '2026-11-26', createdAt: '2026-11-26T09:30:00Z' },
  ])('one that says nothing else has no warning: %j', (fields) => {
    expect(asKey(fields)).toMatchObject({ extra: expect.anything(), warnings: [] });
  });
});

describe('what a template has escaped for HTML', () => {
  it.each([
    ['orderId', 'INV&#x2F;2026&#x2F;001', 'INV/2026/001'],
    ['name', 'O&#039;Brien &amp; S&ouml;hne', "O'Brien & Söhne"],
  ])('is decoded in the %s of a page, with a warning', (field, escaped, stored) => {
    expect(asPage({ [field]: escaped })).toMatchObject({
      report: { [field]: stored },
      warnings: [{ path: field, message: 'holds entities of HTML; decoded' }],
    });
  });

  it('is decoded in the texts of items', () => {
    expect(asPage({ items: [{ name: 'Cup &amp; saucer', sku: 'A&#45;1', note: '&amp;' }] })).toMatchObject({
      report: { items: [{ name: 'Cup & saucer', sku: 'A-1', note: '&amp;' }] },
    });
  });

  it('stays in a report with a key', () => {
    const name = 'O&#039;Brien';
    expect(asKey({ name })).toMatchObject({ report: { name }, warnings: [] });
  });

  it('stays where it is no entity', () => {
    const name = 'Müller & Söhne; Bau';
    expect(asPage({ name })).toMatchObject({ report: { name }, warnings: [] });
  });
});
