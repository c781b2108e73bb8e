import { expect, it } from 'vitest';
import type { StatedRefund, Statement } from '../../../../src/core/orders/merge/statement.js';
import { foldInAllOrders } from './outcomes.js';
import { backend, charge, invoice, payment, refund, refundOf, shopOrder } from './say.js';

const stated = { orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR' };

/** Makes the statement of an order that a server of 0.4.0 stored from reports with an API key. */
const old = (names: readonly string[], refunds?: readonly StatedRefund[]): Statement => ({
  ...backend({ ...stated, name: 'Old' }, { created: 0 }),
  object: 'legacy:1',
  names: [{ kind: 'number', value: '1001' }, ...names.map((value) => ({ kind: 'provider' as const, value }))],
  ...(refunds && { refunds }),
});

it('an old payment counts until an object of the same payment comes, and keeps its other fields', () => {
  const refunds = [refundOf('re_1', '10'), refundOf('re_2', '10')];
  expect(foldInAllOrders(old(['pi_1', 'ch_1'], refunds)).orders).toMatchObject([
    { amount: '50', name: 'Old', returned: 20 },
  ]);
  expect(
    foldInAllOrders(
      old(['pi_1', 'ch_1'], refunds),
      payment('pi_1', { ...stated, buyer: 'bob', amount: '60' }, { created: 500, links: ['ch_1'] }),
      refund('re_2', '15', { links: ['ch_1'] }),
    ).orders,
  ).toMatchObject([{ amount: '60', buyer: 'bob', returned: 25 }]);
});

it('another payment of its invoice adds to an old payment, and the paid invoice takes its place', () => {
  const parts = [
    old(['in_1', 'ch_1']),
    charge('ch_2', { ...stated, amount: '30' }, { created: 9, links: ['in_1'] }),
  ];
  expect(foldInAllOrders(...parts).orders).toMatchObject([{ amount: '80', name: 'Old' }]);
  expect(foldInAllOrders(...parts, invoice('in_1', { ...stated, amount: '81' })).orders).toMatchObject([
    { amount: '81' },
  ]);
});

it('a shop order whose key it has takes the place of its money and refunds', () => {
  expect(
    foldInAllOrders(
      old(['shop_77', 'pi_1'], [refundOf('r1', '10')]),
      shopOrder('77', { ...stated, amount: '70' }, { created: 400, refunds: [refundOf('r2', '5')] }),
    ).orders,
  ).toMatchObject([{ amount: '70', returned: 5, name: 'Old' }]);
});

it('two payments of which an old server made one order are two again', () => {
  expect(
    foldInAllOrders(
      old(['pi_1', 'pi_2']),
      payment('pi_1', stated),
      payment('pi_2', { ...stated, amount: '30' }, { created: 1 }),
    ).orders,
  ).toMatchObject([{ amount: '50' }, { amount: '30' }]);
});

it('every other backend goes before what was stored', () => {
  expect(foldInAllOrders(old([]), backend({ ...stated, amount: '70', name: 'New' })).orders).toMatchObject([
    { amount: '70', name: 'New' },
  ]);
});
