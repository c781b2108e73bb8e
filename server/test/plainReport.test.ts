import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkReport } from '../src/orders/checkReport.js';
import { isPlainReport } from '../src/orders/plainReport.js';
import { orderSchema } from '../src/orders/reportSchema.js';

const report = {
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

/** Values around each bound of the schema, and of every type that JSON has. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    undefined,
    -1,
    -0,
    0,
    1e12,
    1e12 + 0.001,
    1e308,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    Symbol('1e400'),
  ),
  fc.constantFrom(
    '',
    ' ',
    ' a',
    'a ',
    'a\0',
    '\ud800',
    '😀',
    'usd',
    'USD',
    'USDCX',
    'USDCXX',
    'stripe',
    'OTHER',
  ),
  fc.constantFrom(
    'A@b.example',
    'a@b',
    'a@b.c',
    'a@-.-',
    'a@b..c',
    'a b@c.d',
    'a@b.c\n',
    ' a@b.c',
    'é@b.example',
  ),
  fc.constantFrom(1, 63, 64, 65, 127, 128, 129, 253, 254, 255, 256).map((length) => 'x'.repeat(length)),
  fc.constantFrom(63, 64, 65, 240, 244, 245, 246).map((length) => `${'x'.repeat(length)}@b.example`),
  fc.constantFrom(60, 64, 127, 128).map((pairs) => '😀'.repeat(pairs)),
  fc.constantFrom(500, 501).map((length) => Array(length).fill({})),
);
const names = [...Object.keys(report), 'coupon', '__proto__'];
const itemNames =
  'productId sku name variant category quantity price other a\0 \ud800 __proto__ toString'.split(' ');

/** Sets fields as `JSON.parse` does, `__proto__` too. */
const withFields = (object: object, fields: [string, unknown][]) =>
  Object.fromEntries([...Object.entries(object), ...fields]);
const item = fc
  .array(fc.tuple(fc.constantFrom(...itemNames), value), { maxLength: 3 })
  .map((fields) => withFields(report.items[0]!, fields));
const body = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 })
    .map((fields) => withFields(report, fields)),
  fc.array(fc.oneof(item, value), { maxLength: 3 }).map((items) => ({ ...report, items })),
  value,
);

it('a report that passes as plain is one that the schema takes as it is', () => {
  let plain = 0;
  fc.assert(
    fc.property(body, (sent) => {
      if (!isPlainReport(sent)) return;
      plain++;
      const { sdkVersion, items, ...checked } = orderSchema.parse(sent);
      expect(sent).toMatchObject(checked);
      const fields = Object.keys(orderSchema.shape).filter(
        (name) => name in sent && !/^(sdkVersion|items)$/.test(name),
      );
      for (const name of fields)
        expect(checked[name as keyof typeof checked]).toBe(sent[name as keyof typeof sent]);
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(200);
});

it('what the SDK sends is plain, and kept as sent', () => {
  expect(isPlainReport(report)).toBe(true);
  expect(checkReport(report, true)).toEqual({ report, extra: null, warnings: [] });
});
