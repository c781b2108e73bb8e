import { meta, wooOrder } from '../../../features/sources/kit/wooCommerceSamples.js';
import { test } from '../../../kit/shop.js';
import { expectInEveryOrder, type Step } from './shopkeeper.js';

const ann = 'ann@shop.example';
const line = (id: number, total: number, more: object = {}) => ({
  id,
  name: `Thing ${id}`,
  product_id: id,
  variation_id: 0,
  quantity: 1,
  total: `${total}.00`,
  total_tax: '0.00',
  ...more,
});
const order = (id: number, total: number, lines: object[], more: object = {}): Step => {
  const secret = { order_key: `wc_order_${id}` };
  return ({ woo }) => woo(wooOrder(id, { total: `${total}.00`, ...secret, line_items: lines, ...more }));
};
/** Makes an order as Dokan divides one: a copy of a seller's lines, made with the order. */
const ofSeller = (id: number, total: number, lines: object[], more: object = {}) =>
  order(id, total, lines, {
    parent_id: 100,
    created_via: 'dokan',
    meta_data: [meta('_dokan_vendor_id', '7')],
    ...more,
  });
const [lamp, chair] = [line(1, 60), line(2, 40)];
const whole = order(100, 100, [lamp, chair], { meta_data: [meta('has_sub_order', '1')] });

test('the orders of a marketplace’s sellers are a part of the order that its buyer paid', async ({
  server,
}) => {
  await expectInEveryOrder(
    server,
    [whole, ofSeller(101, 60, [lamp]), ofSeller(102, 40, [chair])],
    [['100', ann, 100, 0]],
  );
});

test('what sellers refund and cancel is told by the order that its buyer paid', async ({ server }) => {
  const refunds = [{ id: 9, reason: '', total: '-15.00' }];
  await expectInEveryOrder(
    server,
    [
      order(100, 100, [lamp, chair], { refunds }),
      ofSeller(101, 60, [lamp], { refunds: [{ id: 10, reason: '', total: '-15.00' }] }),
      ofSeller(102, 40, [chair], { status: 'on-hold' }),
    ],
    [['100', ann, 100, 15]],
  );
});

test('an order that was divided by hand counts by its parts', async ({ server }) => {
  const lowered = order(100, 60, [lamp], { date_modified_gmt: '2026-03-02T10:00:00' });
  await expectInEveryOrder(
    server,
    [whole, lowered, order(101, 40, [chair], { parent_id: 100 })],
    [
      ['101', ann, 40, 0],
      ['100', ann, 60, 0],
    ],
  );
});

test('the rest of a deposit counts beside it', async ({ server }) => {
  const deposit = { ...lamp, total: '30.00', meta_data: [meta('_is_deposit', 'yes')] };
  const rest = { ...deposit, meta_data: [meta('_original_order_id', '100')] };
  await expectInEveryOrder(
    server,
    [order(100, 30, [deposit]), order(101, 35, [rest], { parent_id: 100, created_via: 'wc_deposits' })],
    [
      ['100', ann, 30, 0],
      ['101', ann, 35, 0],
    ],
  );
});

test('a part whose order is not paid counts by itself', async ({ server }) => {
  const unpaid = order(100, 100, [lamp, chair], { status: 'pending', date_paid_gmt: null, date_paid: null });
  await expectInEveryOrder(server, [unpaid, ofSeller(101, 60, [lamp])], [['101', ann, 60, 0]]);
});

test('a page that says a seller’s number is a word of the order that its buyer paid', async ({ server }) => {
  const page: Step = ({ report }) => report({ orderId: '101', email: ann, amount: 60, currency: 'EUR' });
  await expectInEveryOrder(server, [page, whole, ofSeller(101, 60, [lamp])], [['100', ann, 100, 0]]);
});

test('a part of a part lies with the whole, and orders that name each other count', async ({ server }) => {
  await expectInEveryOrder(
    server,
    [whole, ofSeller(101, 100, [lamp, chair]), ofSeller(102, 40, [chair], { parent_id: 101 })],
    [['100', ann, 100, 0]],
  );
  await expectInEveryOrder(
    server,
    [ofSeller(100, 60, [lamp], { parent_id: 101 }), ofSeller(101, 70, [lamp], { parent_id: 100 })],
    [
      ['100', ann, 60, 0],
      ['101', ann, 70, 0],
    ],
  );
});
