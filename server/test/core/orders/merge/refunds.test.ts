import { expect, it } from 'vitest';
import { foldInAllOrders } from './outcomes.js';
import {
  at,
  backend,
  backendRefund,
  charge,
  dispute,
  page,
  payment,
  refund,
  refundOf,
  shopOrder,
} from './say.js';

const stated = { orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR' };
const only = (...arrivals: Parameters<typeof foldInAllOrders>) => {
  const { orders } = foldInAllOrders(...arrivals);
  expect(orders).toHaveLength(1);
  return orders[0]!;
};

it('the list of a shop order is all of its shop’s refunds: those of payments beneath are shown and do not count', () => {
  const order = only(
    shopOrder('77', stated, { refunds: [refundOf('r1', '10')] }),
    payment('pi_1', stated),
    refund('re_1', '10', { links: ['pi_1'] }),
    dispute('dp_1', '20', { links: ['pi_1'] }),
    backendRefund('b1', '5', { orderId: '1001', of: 'shop_77' }),
  );
  expect(order.refundIds.sort()).toEqual(['b1', 'dp_1', 'r1', 're_1']);
  expect(order.returned).toBe(35);
});

it('where a shop order may not list its refunds, those of its payments count', () => {
  expect(
    only(shopOrder('77', stated), payment('pi_1', stated), refund('re_1', '10', { links: ['pi_1'] })),
  ).toMatchObject({ returned: 10 });
});

const ofShop = (id: string, created: number) => ({
  ...refund(`shop_77_${id}`, '10', { created, links: ['shop_77'] }),
  refunds: [refundOf(id, '10', { createdAt: at(created) })],
});

it('a refund of the shop’s that has an object of its own stays if it is not before the list', () => {
  const list = shopOrder('77', stated, { version: 5, refunds: [refundOf('r1', '10')] });
  expect(only(list, ofShop('r1', 1), ofShop('gone', 4), ofShop('new', 5))).toMatchObject({
    refundIds: ['r1', 'new'],
    returned: 20,
  });
});

it('a refund of another currency is shown and does not count', () => {
  const foreign = refund('re_1', '35', { links: ['ch_1'], currency: 'USD' });
  expect(only(charge('ch_1', { ...stated, amount: '5000', currency: 'JPY' }), foreign)).toMatchObject({
    refundIds: ['re_1'],
    returned: 0,
  });
});

it('a refund of any currency counts where nobody said one', () => {
  expect(
    only(
      backend({ orderId: '1001', buyer: 'ann', amount: '50' }, { payment: 'ch_1' }),
      dispute('dp_1', '50', { links: ['ch_1'], currency: 'EUR' }),
    ),
  ).toMatchObject({ returned: 50 });
});

it.for([
  ['pending, succeeded', ['unpaid', 'paid'], 10],
  ['succeeded, failed', ['paid', 'ended'], 0],
  ['lost, won', ['paid', 'ended'], 0],
] as const)('of %s of one second the last stage counts', ([, states, returned]) => {
  const stages = states.map((state, stage) => refund('re_1', '10', { state, stage, links: ['ch_1'] }));
  expect(only(charge('ch_1', stated), ...stages)).toMatchObject({ returned });
});

it('refunds count no further than the amount, and what is left of it last', () => {
  const rest = backendRefund('b1', null, { orderId: '1001' });
  const parts = [1, 2].map((nth) => refund(`re_${nth}`, '30', { created: 1 + nth, links: ['ch_1'] }));
  expect(only(charge('ch_1', stated), ...parts)).toMatchObject({ returned: 50 });
  expect(only(charge('ch_1', stated), rest, ...parts)).toMatchObject({
    returned: 50,
    refundIds: ['b1', 're_1', 're_2'],
  });
});

it('a backend’s refund goes with the object that it was accepted for, whatever owns its number now', () => {
  const { orders } = foldInAllOrders(
    charge('ch_1', { ...stated, amount: '20' }),
    page({ ...stated, buyer: 'bob', amount: '30' }, { created: 200 }),
    backendRefund('b1', null, { orderId: '1001', of: 'page:1001:bob' }),
    backendRefund('b2', '5', { orderId: '1001', of: 'page:1001:gone' }),
  );
  expect(orders.map(({ buyer, returned }) => [buyer, returned])).toEqual([
    ['bob', 30],
    ['ann', 5],
  ]);
});
