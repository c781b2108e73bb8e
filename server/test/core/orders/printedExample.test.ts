import { expect } from 'vitest';
import { confirmationHtml } from '../../../src/core/script/tag.js';
import { test } from '../../kit/shop.js';

/** Reads the order that the printed piece reports. */
function printedOrder(): Record<string, unknown> {
  const [, literal] = /track\('order', (\{.*\})\);/.exec(confirmationHtml())!;
  return new Function(`return ${literal}`)();
}

test('the printed piece makes no order, whoever reports it, and is kept as what it is', async ({ shop }) => {
  for (const report of [shop.report, shop.reportByKey]) {
    const { status, body } = await report({ ...printedOrder() });
    expect([status, body.error.code, body.error.issues]).toEqual([
      400,
      'invalid_request',
      [{ path: 'orderId', message: expect.stringMatching(/^is that of the printed example/) }],
    ]);
  }
  const edited = { ...printedOrder(), orderId: ' 1001', currency: 'EUR', name: 'Ann' };
  expect((await shop.report(edited)).status).toBe(400);
  expect(await shop.stored()).toEqual([]);
  expect((await shop.refused()).map(({ field, host }) => [field, host])).toEqual([
    ['orderId', shop.domain],
    ['orderId', ''],
    ['orderId', shop.domain],
  ]);
  const console = await shop.console();
  expect(await console.read('/console/refused')).toContain(
    `${shop.domain} reports the printed example, the order of ann@shop.example`,
  );
  // Storing it again cannot help.
  expect((await console.get('/console/refused')).text).not.toContain('/refused/store');
});

test('each later buyer of a page with the printed piece is counted beside it', async ({ shop }) => {
  for (const visitorId of ['v1', 'v2', 'v3']) await shop.report({ ...printedOrder(), visitorId });
  expect((await shop.refused()).map(({ times }) => times)).toEqual([3]);
});

test.for([
  { orderId: '1001', email: 'bob@buyer.example' },
  { orderId: 'A-1001', email: 'ann@shop.example' },
  { orderId: '1001', email: 'ann@shop.example', amount: 50 },
])('an order that shares one of its values is an order: %o', async (order, { shop }) => {
  expect((await shop.report(order)).body.data.isNew).toBe(true);
});
