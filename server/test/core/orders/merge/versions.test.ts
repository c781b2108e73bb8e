import { expect, it } from 'vitest';
import { foldInAllOrders, outcomeOf, remember } from './outcomes.js';
import { at, refundOf, shopOrder } from './say.js';

const stated = { orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR' };
const only = (...arrivals: Parameters<typeof foldInAllOrders>) => {
  const { orders } = foldInAllOrders(...arrivals);
  expect(orders).toHaveLength(1);
  return orders[0]!;
};

it('what the newest version of an order does not say any more is gone', () => {
  const order = only(
    shopOrder(
      '77',
      { ...stated, name: 'Ann', extra: { coupon: 'MAY' } },
      { refunds: [refundOf('r1', '10')] },
    ),
    shopOrder('77', { ...stated, amount: '40' }, { version: 1, refunds: [] }),
  );
  expect(order).toMatchObject({ amount: '40', returned: 0, refundIds: [] });
  expect(order).not.toHaveProperty('name');
  expect(order).not.toHaveProperty('extra');
});

it('what a version may not tell is that of the newest one that may', () => {
  expect(
    only(
      shopOrder('77', { ...stated, name: 'Ann', visitorId: 'v' }, { refunds: [refundOf('r1', '10')] }),
      shopOrder(
        '77',
        { orderId: '1001', amount: '60', currency: 'EUR' },
        { version: 1, buyerIs: 'withheld' },
      ),
    ),
  ).toMatchObject({ buyer: 'ann', name: 'Ann', visitorId: 'v', amount: '60', returned: 10, erasedBy: null });
});

it('of two versions of one time the later arrival counts, and a repeat is none', () => {
  const before = shopOrder('77', stated, { refunds: [refundOf('r1', '10')] });
  const deleted = shopOrder('77', stated, { refunds: [] });
  expect(only(before, deleted, before)).toMatchObject({ returned: 0 });
  expect(only(deleted, before, deleted)).toMatchObject({ returned: 10 });
});

it('what the shop was asked for is newest of its time, although it came before', () => {
  const before = shopOrder('77', { ...stated, amount: '50' });
  const edited = shopOrder('77', { ...stated, amount: '60' });
  const asked = shopOrder('77', { ...stated, amount: '50' }, { askedAt: 5 });
  expect(only(before, edited, asked)).toMatchObject({ amount: '50' });
  const newer = shopOrder('77', { ...stated, amount: '70' }, { version: 1 });
  expect(only(before, edited, asked, newer)).toMatchObject({ amount: '70' });
});

it('what the shop was asked for stays, whatever is delivered of its time afterwards', () => {
  const before = shopOrder('77', stated, { refunds: [refundOf('r1', '10')] });
  const asked = shopOrder('77', stated, { refunds: [refundOf('r1', '10')], askedAt: 5 });
  const late = shopOrder('77', stated, { refunds: [] });
  expect(only(before, asked, late)).toMatchObject({ returned: 10 });
});

it('what the shop was asked for once more changes nothing that is remembered', () => {
  const asked = [1, 2, 3].map((askedAt) => shopOrder('77', stated, { askedAt, refunds: [] }));
  expect(remember(asked)).toEqual(remember(asked.slice(0, 1)));
});

it('a refund of a list without times has that of the first version that listed it', () => {
  const listed = (version: number, ids: readonly string[]) =>
    shopOrder('77', stated, {
      version,
      refunds: ids.map((id) => refundOf(id, '10', { createdAt: at(version) })),
    });
  const { orders } = outcomeOf([listed(3, ['r1', 'r2']), listed(1, ['r1']), listed(2, [])]);
  expect(orders[0]!.refunds).toMatchObject([
    { refundId: 'r1', createdAt: at(1) },
    { refundId: 'r2', createdAt: at(3) },
  ]);
});

it('a person’s correction of a version goes before what the shop says of it, and not before a newer one', () => {
  const version = shopOrder('77', { orderId: '1001', amount: '50', currency: 'EUR' });
  const corrected = shopOrder('77', stated, { isCorrected: true });
  expect(only(version, corrected)).toMatchObject({ buyer: 'ann' });
  const newer = shopOrder('77', { ...stated, buyer: 'anna', amount: '70' }, { version: 1 });
  expect(only(version, corrected, newer)).toMatchObject({ buyer: 'anna', amount: '70' });
});
