import { expect, it } from 'vitest';
import { foldInAllOrders } from './outcomes.js';
import { backend, charge, file, page, refund, session, shopOrder } from './say.js';

const stated = { orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR' };
const unknownBuyer = { orderId: '1001', amount: '50', currency: 'EUR' };
const only = (...arrivals: Parameters<typeof foldInAllOrders>) => {
  const { orders } = foldInAllOrders(...arrivals);
  expect(orders).toHaveLength(1);
  return orders[0]!;
};

it('whom an order named before is the same buyer', () => {
  expect(
    only(
      shopOrder('77', stated),
      shopOrder('77', { ...stated, buyer: 'anna' }, { version: 1 }),
      page({ ...stated, visitorId: 'v' }),
    ),
  ).toMatchObject({ buyer: 'anna', visitorId: 'v' });
});

it('whomever the objects of a payment name is one buyer', () => {
  expect(
    only(
      page({ ...stated, buyer: 'wallet', visitorId: 'v' }),
      charge('ch_1', { ...stated, buyer: 'wallet' }, { links: ['pi_1'] }),
      session('cs_1', stated, { links: ['pi_1'] }),
    ),
  ).toMatchObject({ buyer: 'ann', visitorId: 'v' });
});

it('a backend that names another buyer of the same amount and days names the order’s buyer', () => {
  const order = only(
    file({ ...stated, visitorId: 'v', name: 'Ann', extra: { coupon: 'MAY' } }),
    backend({ ...stated, buyer: 'bob' }, { created: 1 }),
  );
  expect(order).toMatchObject({ buyer: 'bob', extra: { coupon: 'MAY' } });
  expect(order).not.toHaveProperty('visitorId');
  expect(order).not.toHaveProperty('name');
});

it('of two pages with one reportId and two buyers the later one is set aside, however much later it is', () => {
  for (const created of [1, 24 * 300])
    expect(
      foldInAllOrders(
        page({ buyer: 'ann', amount: '50' }, { reportId: 'r-1' }),
        page({ buyer: 'bob', amount: '50' }, { reportId: 'r-1', created }),
      ),
    ).toMatchObject({ orders: [{ buyer: 'ann' }], setAside: ['page:r-1:bob'] });
});

it('a page that names another buyer than a backend of these days is set aside, whichever was first', () => {
  const late = backend({ ...stated, buyer: 'bob' }, { created: 1 });
  expect(foldInAllOrders(page({ ...stated, extra: { coupon: 'MAY' } }), late)).toMatchObject({
    orders: [{ buyer: 'bob', objects: ['backend:1001'] }],
    setAside: ['page:1001:ann'],
  });
});

it('touches that an earlier order lent are not shown beside another buyer', () => {
  const lent = { earlier: { firstTouch: { source: 'newsletter' } as never } };
  expect(only(backend({ ...stated, ...lent }))).toHaveProperty('firstTouch');
  const other = backend({ ...stated, buyer: 'bob' }, { created: 1 });
  expect(only(file({ ...stated, ...lent }), other)).not.toHaveProperty('firstTouch');
});

it('a shop that names nobody any more has erased the buyer, and whatever was said of a person is gone', () => {
  const order = only(
    shopOrder('77', { ...stated, name: 'Ann' }),
    shopOrder('77', unknownBuyer, { version: 1, refunds: [] }),
    page({ ...stated, visitorId: 'v', name: 'Ann', extra: { phone: '5' } }),
    { ...refund('re_1', '5', { links: ['shop_77'] }), speaker: 'shop' },
  );
  expect(order).toMatchObject({ buyer: null, erasedBy: 'shop', amount: '50' });
  for (const name of ['name', 'visitorId', 'extra']) expect(order).not.toHaveProperty(name);
});

it('a shop that names the buyer again has not erased them', () => {
  expect(
    only(
      shopOrder('77', stated),
      shopOrder('77', unknownBuyer, { version: 1, buyerIs: 'erased' }),
      shopOrder('77', stated, { version: 2 }),
    ),
  ).toMatchObject({ buyer: 'ann', erasedBy: null });
});

it('an order of a till, which never named anybody, has the buyer whom a backend names', () => {
  expect(
    only(shopOrder('77', unknownBuyer), shopOrder('77', unknownBuyer, { version: 1 }), backend(stated)),
  ).toMatchObject({ buyer: 'ann', erasedBy: null });
});

it('an order that an operator erased stays nobody’s, whoever speaks later', () => {
  const order = only(
    shopOrder('77', { ...stated, extra: { tax: 8 } }),
    { marked: 'shop_77' },
    shopOrder('77', { ...stated, name: 'Ann', extra: { tax: 8 } }, { version: 9 }),
    page({ ...stated, buyer: 'bob', visitorId: 'v', extra: { phone: '5' } }),
    backend({ ...stated, name: 'Ann', extra: { phone: '5' } }, { changedAt: 9 }),
  );
  expect(order).toMatchObject({ buyer: null, erasedBy: 'operator', amount: '50', extra: { tax: 8 } });
  for (const name of ['name', 'visitorId']) expect(order).not.toHaveProperty(name);
});

it('an erased order that is not known is an order of nobody', () => {
  expect(only(shopOrder('77', unknownBuyer, { buyerIs: 'erased' }))).toMatchObject({
    buyer: null,
    erasedBy: 'shop',
  });
});
