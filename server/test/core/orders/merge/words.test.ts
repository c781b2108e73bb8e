import { expect, it } from 'vitest';
import { foldInAllOrders } from './outcomes.js';
import { at, backend, charge, file, page, session, shopOrder, signedPage } from './say.js';

const cart = { items: [{ sku: 'TEE', quantity: 1 }], extra: { coupon: 'MAY' } };

it('each field is the strongest word on it, and no word is lost', () => {
  const strongestLast = [
    page({ orderId: '1001', buyer: 'ann', amount: '10', source: 'OTHER', name: 'Page', ...cart }),
    file({ orderId: '1001', buyer: 'ann', amount: '11', name: 'File' }),
    signedPage({ orderId: '1001', buyer: 'ann', amount: '12' }),
    backend({ orderId: '1001', buyer: 'ann', amount: '13', extra: { tax: 2 } }),
    shopOrder('77', {
      orderId: '1001',
      buyer: 'ann',
      amount: '14',
      source: 'PAYPAL',
      extra: { coupon: 'JUNE' },
    }),
  ];
  const shown = [
    { amount: '10', name: 'Page', extra: { coupon: 'MAY' } },
    { amount: '11', name: 'File' },
    { amount: '12', name: 'File' },
    { amount: '13', name: 'File', extra: { coupon: 'MAY', tax: 2 } },
    { amount: '14', name: 'File', source: 'PAYPAL', extra: { coupon: 'JUNE', tax: 2 } },
  ];
  for (const [index, order] of shown.entries())
    expect(foldInAllOrders(...strongestLast.slice(0, index + 1)).orders).toEqual([
      expect.objectContaining({ ...order, items: cart.items }),
    ]);
});

it('items of a page stay when its session links the payment later', () => {
  const { orders } = foldInAllOrders(
    page({ orderId: '1001', buyer: 'ann', amount: '50', ...cart }, { payment: 'cs_1' }),
    charge('ch_1', { buyer: 'ann', amount: '50', currency: 'EUR' }, { links: ['pi_1'] }),
    session('cs_1', { buyer: 'ann', amount: '50', currency: 'EUR' }, { links: ['pi_1'] }),
  );
  expect(orders).toEqual([expect.objectContaining({ orderId: '1001', items: cart.items, amount: '50' })]);
});

it.for([
  ['the currency of the amount', { amount: '50', currency: 'EUR' }, { amount: '50', currency: 'USD' }, 'EUR'],
  ['that of a statement of the same amount', { amount: '50' }, { amount: '50.00', currency: 'USD' }, 'USD'],
  ['that of the other speaker', { amount: '50' }, { amount: '60', currency: 'USD' }, 'USD'],
  ['none where nobody said one', { amount: '50' }, { amount: '50' }, undefined],
] as const)('an order has %s', ([, ofBackend, ofPage, currency]) => {
  const { orders } = foldInAllOrders(
    backend({ orderId: '1001', buyer: 'ann', ...ofBackend }),
    page({ orderId: '1001', buyer: 'ann', ...ofPage }),
  );
  expect(orders).toEqual([expect.objectContaining({ amount: '50' })]);
  expect(orders[0]!.currency).toBe(currency);
});

it('a currency that the same amount was said in goes before a stronger one', () => {
  const { orders } = foldInAllOrders(
    backend({ orderId: '1001', buyer: 'ann', amount: '50' }),
    file({ orderId: '1001', buyer: 'ann', amount: '60', currency: 'USD' }),
    page({ orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR' }),
  );
  expect(orders).toEqual([expect.objectContaining({ amount: '50', currency: 'EUR' })]);
});

it.for([
  ['the shop', shopOrder('77', { orderId: '1001', buyer: 'ann', amount: '50' }, { created: 3 }), 3],
  ['a payment', charge('ch_1', { orderId: '1001', buyer: 'ann', amount: '50' }, { created: 4 }), 4],
  ['a backend', backend({ orderId: '1001', buyer: 'ann', amount: '50' }, { created: 5 }), 5],
  ['a backend that dates nothing', backend({ orderId: '1001', buyer: 'ann', amount: '50' }), 9],
] as const)('an order is dated by %s before the page', ([, speaker, hours]) => {
  const { orders } = foldInAllOrders(
    page({ orderId: '1001', buyer: 'ann', amount: '50' }, { created: 9 }),
    speaker,
  );
  expect(orders).toEqual([expect.objectContaining({ createdAt: at(hours) })]);
});

it('an order is dated by the oldest of the objects that date it', () => {
  const { orders } = foldInAllOrders(
    session('cs_1', { orderId: '1001', buyer: 'ann', amount: '50' }, { created: 4, links: ['pi_1'] }),
    charge('ch_1', { buyer: 'ann', amount: '50' }, { created: 3, links: ['pi_1'] }),
    backend({ orderId: '1001', buyer: 'ann', amount: '50' }, { created: 2 }),
  );
  expect(orders).toEqual([expect.objectContaining({ createdAt: at(3) })]);
});

it('a number of the shop goes before the id of a payment that a stronger speaker calls the order', () => {
  const { orders } = foldInAllOrders(
    page({ orderId: '1001', buyer: 'ann', amount: '50' }, { payment: 'ch_1' }),
    backend({ orderId: 'ch_1', buyer: 'ann', amount: '50' }),
  );
  expect(orders).toEqual([expect.objectContaining({ orderId: '1001' })]);
});

it('a backend corrects each field by a later word, and leaving one out removes nothing', () => {
  const { orders } = foldInAllOrders(
    backend({ orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR', name: 'Ann' }),
    backend({ orderId: '1001', buyer: 'ann', amount: '60' }, { changedAt: 1 }),
    backend({ orderId: '1001', buyer: 'bob', amount: '70' }, { changedAt: 2 }),
    backend({ orderId: '1001', buyer: 'ann', amount: '80' }),
  );
  expect(orders).toEqual([
    expect.objectContaining({ buyer: 'bob', amount: '70', currency: 'EUR', name: 'Ann' }),
  ]);
});

it('a person’s correction goes before the words of its version, and before untimed ones', () => {
  const stated = { orderId: '1001', buyer: 'ann' };
  const untimed = [
    backend({ ...stated, amount: '50' }),
    backend({ ...stated, amount: '60' }, { isCorrected: true }),
  ];
  expect(foldInAllOrders(...untimed).orders).toEqual([expect.objectContaining({ amount: '60' })]);
  const timed = [
    backend({ ...stated, amount: '70' }, { changedAt: 1 }),
    backend({ ...stated, amount: '80' }, { changedAt: 1, isCorrected: true }),
  ];
  expect(foldInAllOrders(...untimed, ...timed).orders).toEqual([expect.objectContaining({ amount: '80' })]);
  const newer = backend({ ...stated, amount: '90' }, { changedAt: 2 });
  expect(foldInAllOrders(...untimed, ...timed, newer).orders).toEqual([
    expect.objectContaining({ amount: '90' }),
  ]);
});
