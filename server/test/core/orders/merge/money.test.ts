import { expect, it } from 'vitest';
import { foldInAllOrders, outcomeOf } from './outcomes.js';
import {
  backend,
  charge,
  invoice,
  invoicePayment,
  page,
  payment,
  refund,
  session,
  shopOrder,
} from './say.js';

const eur = (amount: string, orderId?: string) => ({
  buyer: 'ann',
  amount,
  currency: 'EUR',
  ...(orderId && { orderId }),
});
const amounts = (...arrivals: Parameters<typeof foldInAllOrders>) =>
  foldInAllOrders(...arrivals).orders.map(({ amount }) => amount);

it('two payments of one number are two orders', () => {
  expect(
    amounts(
      payment('pi_a', eur('50', '1001')),
      payment('pi_b', eur('30', '1001'), { created: 1 }),
      backend(eur('50', '1001'), { idempotencyKey: 'pi_a', payment: 'pi_a' }),
    ),
  ).toEqual(['50', '30']);
});

it('payments of an invoice add up, and one that is paid as a whole is what it says', () => {
  const parts = [
    charge('ch_1', eur('30')),
    invoicePayment('inpay_1', { amount: '30', currency: 'EUR' }, { links: ['in_1', 'ch_1'] }),
    charge('ch_2', eur('25'), { created: 700 }),
    invoicePayment('inpay_2', { amount: '25', currency: 'EUR' }, { created: 700, links: ['in_1', 'ch_2'] }),
  ];
  expect(amounts(...parts)).toEqual(['55']);
  expect(amounts(...parts, invoice('in_1', eur('56')))).toEqual(['56']);
  expect(foldInAllOrders(...parts, refund('re_1', '25', { links: ['ch_2'] })).orders).toEqual([
    expect.objectContaining({ amount: '55', returned: 25 }),
  ]);
});

it('a payment of two invoices is an order of each, and its refunds fill one after the other', () => {
  const shared = [
    payment('pi_1', eur('100')),
    invoicePayment('inpay_1', { amount: '60', currency: 'EUR' }, { links: ['in_1', 'pi_1'] }),
    invoicePayment('inpay_2', { amount: '40', currency: 'EUR' }, { links: ['in_2', 'pi_1'] }),
  ];
  expect(amounts(...shared).sort()).toEqual(['40', '60']);
  const { orders } = foldInAllOrders(
    ...shared,
    { ...refund('re_0', '60', { created: 1, links: ['pi_1'] }), state: 'ended' },
    refund('re_1', '70', { created: 2, links: ['pi_1'] }),
    refund('re_2', '20', { created: 3, links: ['pi_1'] }),
  );
  const returned = orders.map(({ amount, returned, refundIds }) => [amount, returned, refundIds]);
  expect(returned.sort()).toEqual([
    ['40', 30, ['re_1', 're_2']],
    ['60', 60, ['re_1']],
  ]);
});

it('of one payment the session says the money, before the payment and the charge', () => {
  const objects = [
    charge('ch_1', eur('50'), { links: ['pi_1'] }),
    payment('pi_1', eur('51')),
    session('cs_1', eur('52'), { links: ['pi_1'] }),
  ];
  expect(objects.map((_object, index) => amounts(...objects.slice(0, index + 1)))).toEqual([
    ['50'],
    ['51'],
    ['52'],
  ]);
});

it('a shop order takes in the payments of its number that fit, and a payment too much is an order of its own', () => {
  const order = shopOrder('77', eur('100', '1001'));
  const deposit = payment('pi_1', eur('30', '1001'));
  const rest = payment('pi_2', eur('70', '1001'), { created: 500 });
  expect(amounts(order, deposit, rest)).toEqual(['100']);
  const twice = payment('pi_3', eur('100', '1001'), { created: 501 });
  expect(amounts(order, deposit, rest, twice)).toEqual(['100', '100']);
});

it.for([
  ['of another currency', payment('pi_1', { ...eur('100', '1001'), currency: 'USD' })],
  ['of another buyer, days away', payment('pi_1', { ...eur('100', '1001'), buyer: 'bob' }, { created: 100 })],
] as const)('a payment %s is not taken in by its number', ([, other]) => {
  expect(foldInAllOrders(shopOrder('77', eur('100', '1001')), other).orders).toHaveLength(2);
});

it('a shop order takes in what it names by id, whatever buyer and currency', () => {
  expect(
    foldInAllOrders(
      shopOrder('77', eur('100', '1001'), { links: ['pi_1'] }),
      payment('pi_1', { buyer: 'bob', amount: '110', currency: 'USD' }, { created: 100 }),
    ).orders,
  ).toEqual([expect.objectContaining({ buyer: 'ann', amount: '100', currency: 'EUR' })]);
});

it('a shop order that is lowered eleven times still takes in what paid its first amount', () => {
  const lowered = Array.from({ length: 12 }, (_, version) =>
    shopOrder('77', eur(String(100 - version), '1001'), { version }),
  );
  const paid = payment('pi_1', eur('100', '1001'));
  for (const arrivals of [
    [...lowered, paid],
    [paid, ...lowered.toReversed()],
  ])
    expect(outcomeOf(arrivals).orders).toMatchObject([{ fields: { amount: '89' } }]);
});

it.for([
  ['failed', 'unpaid', 100],
  ['paid again', 'paid', 0],
] as const)(
  'a shop order that was paid and is %s keeps its amount and returns the rest',
  ([, state, returned]) => {
    const { orders } = foldInAllOrders(
      shopOrder('77', eur('100', '1001')),
      shopOrder('77', eur('100', '1001'), { version: 1, state: 'unpaid' }),
      shopOrder('77', eur('100', '1001'), { version: 2, state }),
    );
    expect(orders).toEqual([expect.objectContaining({ amount: '100', returned })]);
  },
);

it('a date of payment says of a failed order that it was paid', () => {
  const failed = {
    ...shopOrder('77', eur('100', '1001'), { state: 'unpaid' as const }),
    wasPaid: true as const,
  };
  expect(foldInAllOrders(failed).orders).toEqual([expect.objectContaining({ amount: '100', returned: 100 })]);
  expect(foldInAllOrders(failed, page(eur('100', '1001'))).orders).toHaveLength(1);
});

it('a shop order that was never paid gives no money', () => {
  const { orders, waiting } = foldInAllOrders(
    shopOrder('77', eur('100', '1001'), { state: 'unpaid' }),
    page(eur('90', '1001')),
  );
  expect(orders).toEqual([expect.objectContaining({ amount: '90', returned: 0 })]);
  expect(waiting).toEqual(['shop_77']);
});
