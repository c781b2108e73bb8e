import { expect, it } from 'vitest';
import { foldInAllOrders } from './outcomes.js';
import { backend, charge, file, page, payment, shopOrder } from './say.js';

const stated = { orderId: '1001', buyer: 'ann', amount: '50', currency: 'EUR' };
/** Lists the objects of each order. */
const together = (...arrivals: Parameters<typeof foldInAllOrders>) =>
  foldInAllOrders(...arrivals).orders.map(({ objects }) => objects);

it('a shop order owns its number before a payment, and that before a backend', () => {
  const words = page({ ...stated, amount: '1' });
  const owners = [backend(stated), payment('pi_1', { ...stated, amount: '60' })];
  const order = shopOrder('77', { ...stated, amount: '40' });
  expect(together(words, ...owners)).toEqual([['backend:1001', 'page:1001:ann', 'pi_1']]);
  expect(together(words, ...owners, order)).toEqual([['backend:1001', 'page:1001:ann', 'shop_77'], ['pi_1']]);
});

it('who shows a number now owns it before who had it once, then the older one', () => {
  const renamed = [
    shopOrder('77', stated),
    shopOrder('77', { ...stated, orderId: 'RE-1' }, { version: 1 }),
    shopOrder('78', stated, { created: 2 }),
    page(stated),
  ];
  expect(together(...renamed)).toEqual([['page:1001:ann', 'shop_78'], ['shop_77']]);
  const both = [
    shopOrder('78', stated, { created: 2 }),
    shopOrder('79', stated, { created: 1 }),
    page(stated),
  ];
  expect(together(...both)).toEqual([['page:1001:ann', 'shop_79'], ['shop_78']]);
});

it('the second payment of a number owns it where the first one is gone', () => {
  const [first, second] = [payment('pi_f', stated), payment('pi_g', stated, { created: 1 })];
  expect(together(first, second, backend(stated))).toEqual([['backend:1001', 'pi_f'], ['pi_g']]);
  expect(together(second, backend(stated))).toEqual([['backend:1001', 'pi_g']]);
});

it('a payment’s id finds its order before the number does', () => {
  expect(
    together(
      payment('pi_1', stated),
      payment('pi_2', { ...stated, amount: '30' }, { created: 1 }),
      page({ ...stated, amount: '30' }, { payment: 'pi_2' }),
    ),
  ).toEqual([['page:1001:ann', 'pi_2'], ['pi_1']]);
});

it('a name can be an id of a payment and an Idempotency-Key', () => {
  const byKey = backend({ buyer: 'ann', amount: '50' }, { idempotencyKey: 'pi_a', payment: 'pi_a' });
  expect(together(byKey, payment('pi_a', stated), charge('ch_a', stated, { links: ['pi_a'] }))).toEqual([
    ['backend:pi_a', 'ch_a', 'pi_a'],
  ]);
});

it('an order whose number a plugin changes later is one, found by each', () => {
  const renumbered = { ...stated, orderId: 'RE-230' };
  expect(
    together(
      shopOrder('230', { ...stated, orderId: '230' }),
      shopOrder('230', renumbered, { version: 1 }),
      page(renumbered, { shopOrderId: '230' }),
      backend({ ...stated, orderId: '230' }),
    ),
  ).toEqual([['backend:230', 'page:RE-230:ann', 'shop_230']]);
  expect(
    together(page({ ...stated, orderId: '230' }), shopOrder('230', renumbered), backend(renumbered)),
  ).toEqual([['backend:RE-230', 'page:230:ann', 'shop_230']]);
});

it('a shop order takes in a payment that has its own id as the number, of the same buyer and amount', () => {
  const numbered = shopOrder('230', { ...stated, orderId: '1057' });
  const paid = { ...stated, orderId: '230' };
  expect(together(numbered, charge('ch_1', paid), page({ ...stated, orderId: '1057' }))).toEqual([
    ['ch_1', 'page:1057:ann', 'shop_230'],
  ]);
  // A second payment, a payment of somebody else, and one of another amount are no part of it.
  expect(together(numbered, charge('ch_1', paid), charge('ch_2', paid, { created: 1 }))).toEqual([
    ['ch_1', 'shop_230'],
    ['ch_2'],
  ]);
  expect(together(numbered, charge('ch_1', { ...paid, buyer: 'bob' }))).toHaveLength(2);
  expect(together(numbered, charge('ch_1', { ...paid, amount: '40' }))).toHaveLength(2);
  // An order that has it as its number comes first.
  expect(together(numbered, shopOrder('77', paid), charge('ch_1', paid))).toEqual([
    ['ch_1', 'shop_77'],
    ['shop_230'],
  ]);
});

it.for([
  ['of another buyer', { buyer: 'bob' }],
  ['of another amount', { amount: '60' }],
])(
  'an order that is numbered when it is paid is none with that of a page %s whose number is its id',
  ([, other]) => {
    const order = page({ ...stated, orderId: '230', ...(other as object) });
    const numbered = shopOrder('230', { ...stated, orderId: 'RE-230' }, { created: 240 });
    expect(together(order, numbered)).toHaveLength(2);
  },
);

it('the number of one order is not the shop’s id of another one', () => {
  expect(
    together(
      shopOrder('77', { ...stated, orderId: '78' }),
      shopOrder('78', { ...stated, orderId: '79', amount: '60' }),
    ),
  ).toHaveLength(2);
  expect(
    together(
      shopOrder('77', { ...stated, orderId: '78' }),
      page({ ...stated, orderId: '79', amount: '60' }, { shopOrderId: '78' }),
    ),
  ).toHaveLength(2);
});

it('a file of another buyer is an order of its own that shares the number', () => {
  expect(foldInAllOrders(payment('pi_1', stated), file({ ...stated, buyer: 'bob' })).orders).toHaveLength(2);
});

it('the same buyer and number are one order, however late and whatever the amount', () => {
  expect(
    together(page(stated), backend({ ...stated, amount: '70' }, { created: 5000 }), payment('pi_1', stated)),
  ).toEqual([['backend:1001', 'page:1001:ann', 'pi_1']]);
});
