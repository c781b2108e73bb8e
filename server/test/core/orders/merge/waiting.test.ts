import { expect, it } from 'vitest';
import { foldInAllOrders } from './outcomes.js';
import { backendRefund, charge, page, payment, refund, shopOrder } from './say.js';

const stated = { orderId: '230', buyer: 'ann', amount: '19.90', currency: 'EUR' };

it.for([
  ['a refund', refund('re_1', '10', { links: ['ch_1'] })],
  ['a backend’s refund', backendRefund('re_1', '10', { orderId: '230' })],
] as const)('%s waits for its order, and a payment never waits', ([, returned]) => {
  expect(foldInAllOrders(returned)).toMatchObject({ orders: [], waiting: [returned.object] });
  expect(foldInAllOrders(returned, charge('ch_1', stated))).toMatchObject({
    orders: [{ returned: 10 }],
    waiting: [],
  });
});

const end = (more: Parameters<typeof shopOrder>[2] = {}) =>
  shopOrder('230', stated, { state: 'ended', version: 5, ...more });

it('an end without a payment waits, and takes back the order of the page that it is of', () => {
  expect(foldInAllOrders(end())).toMatchObject({ orders: [], waiting: ['shop_230'] });
  expect(foldInAllOrders(end(), page(stated))).toMatchObject({
    orders: [{ amount: '19.90', returned: 19.9 }],
    waiting: [],
  });
});

it.for([
  [
    'by the shop’s own id, which was its number',
    page(stated),
    shopOrder('230', { ...stated, orderId: 'RE-230' }, { state: 'ended', version: 5 }),
  ],
  ['that calls it by the shop’s id', page({ ...stated, orderId: 'RE-230' }, { shopOrderId: '230' }), end()],
] as const)('an end takes back a page’s order %s', ([, order, ended]) => {
  expect(foldInAllOrders(order, ended)).toMatchObject({ orders: [{ returned: 19.9 }], waiting: [] });
});

it.for([
  ['of another buyer', page({ ...stated, buyer: 'bob' }, { created: 3 })],
  ['of another amount', page({ ...stated, amount: '100' }, { created: 3 })],
  ['that is later', page(stated, { created: 6 })],
  ['of another shop, because it was here before this one', page(stated, { created: 1 })],
] as const)('an end takes back no page’s order %s', ([, order]) => {
  expect(foldInAllOrders(order, end({ since: 2 }))).toMatchObject({
    orders: [{ returned: 0 }],
    waiting: ['shop_230'],
  });
});

it('an end takes back no order that was paid', () => {
  expect(foldInAllOrders(page(stated), payment('pi_1', stated), end())).toMatchObject({
    orders: [{ amount: '19.90', returned: 0 }],
    waiting: ['shop_230'],
  });
});

it('an order that fails and is paid at last counts', () => {
  expect(foldInAllOrders(page(stated), end(), shopOrder('230', stated, { version: 6 }))).toMatchObject({
    orders: [{ amount: '19.90', returned: 0 }],
  });
});

it('an order whose money is still awaited takes nothing back', () => {
  expect(foldInAllOrders(page(stated), end({ state: 'unpaid' }))).toMatchObject({
    orders: [{ returned: 0 }],
  });
});

it('a page of another buyer is set aside, until its order comes', () => {
  const late = page({ ...stated, buyer: 'bob', amount: '100' }, { payment: 'pi_2' });
  expect(foldInAllOrders(payment('pi_1', stated), late)).toMatchObject({
    orders: [{ buyer: 'ann' }],
    setAside: ['page:230:bob'],
  });
  const own = payment('pi_2', { ...stated, buyer: 'bob', amount: '100' });
  expect(foldInAllOrders(payment('pi_1', stated), late, own)).toMatchObject({
    orders: [{ buyer: 'bob', reportedBy: 'both' }, { buyer: 'ann' }],
    setAside: [],
  });
});

it('a page of another buyer, days later, is an order of its own', () => {
  expect(
    foldInAllOrders(payment('pi_1', stated), page({ ...stated, buyer: 'bob' }, { created: 100 })),
  ).toMatchObject({
    orders: [{ buyer: 'bob' }, { buyer: 'ann' }],
    setAside: [],
  });
});

it('an end takes back all pages of its order, which are one order then', () => {
  const numbered = page({ ...stated, orderId: 'RE-230' }, { created: 1 });
  const ended = shopOrder('230', { ...stated, orderId: 'RE-230' }, { state: 'ended', version: 5 });
  expect(foldInAllOrders(page(stated), numbered, ended)).toMatchObject({
    orders: [{ orderId: '230', amount: '19.90', returned: 19.9 }],
    waiting: [],
  });
});
