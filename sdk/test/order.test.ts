import { afterEach, describe, expect, test } from 'vitest';
import { writeOrder } from '../src/order';

const order = { email: 'ann@shop.example', amount: 49.9 };
const written = (more: object, added = {}) => JSON.parse(writeOrder({ ...order, ...more }, added));

describe('amounts', () => {
  test.each([
    [' 49.90 ', '49.90'],
    [0, 0],
    [1e-8, 1e-8],
    [50n, '50'],
    [123456789012.34, 123456789012.34],
  ])('%s goes as %j, for the server to read', (amount, sent) => {
    expect(written({ amount }).amount).toBe(sent);
  });

  test.each([
    '1.000',
    '12.500',
    '49,90',
    '$49.90',
    '49.90 USD',
    '1,000',
    '1.134.65',
    '0x10',
    '1e3',
    '-5',
    'Infinity',
    'NaN',
    -1,
    true,
  ])('%j goes as it is, for the server to refuse and keep', (amount) => {
    expect(written({ amount }).amount).toBe(amount);
  });

  test.each(['', '   ', null, undefined])('%j is left out', (amount) => {
    expect(written({ amount })).toEqual({ email: order.email });
  });

  test('an input that is no object is sent all the same, for the server to refuse and keep', () => {
    for (const input of [undefined, null, 7])
      expect(writeOrder(input as never, { teamId: 't' })).toBe('{"teamId":"t"}');
  });
});

describe('order ids', () => {
  test('a number goes as it is: the server reads it as a text, unless it has lost digits', () => {
    for (const orderId of [50172, 0, Number('1234567890123456789')])
      expect(written({ orderId }).orderId).toBe(orderId);
  });

  test('a BigInt becomes a text', () => {
    expect(written({ orderId: 12345678901234567890n }).orderId).toBe('12345678901234567890');
  });

  test('a text keeps its 19 digits', () => {
    expect(written({ orderId: '1234567890123456789' }).orderId).toBe('1234567890123456789');
  });
});

test('texts are trimmed; empty texts, null and undefined are left out', () => {
  expect(
    written({ email: ' Ann@Shop.example ', orderId: '', name: ' ', currency: null, source: undefined }),
  ).toEqual({
    ...order,
    email: 'Ann@Shop.example',
  });
});

test('the stamp overrides what the page gave', () => {
  expect(written({ teamId: 'forged', visitorId: 'forged' }, { teamId: 't', visitorId: undefined })).toEqual({
    ...order,
    teamId: 't',
  });
});

describe('the money before the lines', () => {
  test('items and unknown fields go as they are', () => {
    const items = [{ sku: null, price: '24.95', name: ' two  words ', gift: { note: '' } }];
    expect(written({ items, coupon: 'X' })).toEqual({ ...order, items, coupon: 'X' });
  });

  test('a field with a property named trim, as cars have one, goes as it is', () => {
    const vehicle = { model: 'Civic', trim: 'EX' };
    expect(written({ vehicle })).toEqual({ ...order, vehicle });
  });

  test('items that a template has made a text are sent as they are; the server reads them', () => {
    expect(written({ items: '[{"sku":"A"}]' }).items).toBe('[{"sku":"A"}]');
  });

  const circular: unknown[] = [];
  circular.push(circular);
  test.each([
    ['circular', circular],
    ['a BigInt', [{ quantity: 1n }]],
    [
      'a getter that throws',
      [
        {
          get sku() {
            throw new Error('no');
          },
        },
      ],
    ],
  ])('items that cannot be written (%s) are left out, and the order is not', (_, items) => {
    expect(written({ items })).toEqual(order);
  });

  test.each([
    ['circular', { page: circular }],
    [
      'a getter that throws',
      {
        get coupon() {
          throw new Error('no');
        },
      },
    ],
    [
      'a toJSON that throws',
      {
        placedAt: {
          toJSON() {
            throw new Error('no');
          },
        },
      },
    ],
  ])('another field that cannot be written (%s) is left out, and the order is not', (_, field) => {
    const given = Object.defineProperties({ ...order }, Object.getOwnPropertyDescriptors(field));
    expect(JSON.parse(writeOrder(given, {}))).toEqual(order);
  });

  test('functions are left out: a toJSON of a class of ECMAScript 5 would drop the team and the ids', () => {
    function Order(this: object) {
      Object.assign(this, order);
    }
    Order.prototype.toJSON = () => ({ email: order.email });
    const given = Reflect.construct(Order, []);
    expect(JSON.parse(writeOrder(given, { teamId: 't' }))).toEqual({ teamId: 't', ...order });
  });

  test('an order whose email or amount cannot be written goes without it, for the server to refuse and keep', () => {
    expect(JSON.parse(writeOrder({ ...order, email: circular }, {}))).toEqual({ amount: order.amount });
    for (const amount of [circular, Symbol('49.90')])
      expect(JSON.parse(writeOrder({ ...order, amount }, {}))).toEqual({ email: order.email });
  });
});

describe('toJSON of old libraries', () => {
  const prototypes = [Array.prototype, Object.prototype, String.prototype] as { toJSON?: unknown }[];
  afterEach(() => {
    for (const prototype of prototypes) delete prototype.toJSON;
  });

  test('on arrays, objects and texts (Prototype.js and its like) does not spoil the body', () => {
    for (const prototype of prototypes) prototype.toJSON = () => '"spoiled"';
    const text = writeOrder({ ...order, items: [{ sku: 'A', tags: ['b'] }] }, {});
    for (const prototype of prototypes) delete prototype.toJSON;
    expect(JSON.parse(text)).toEqual({ ...order, items: [{ sku: 'A', tags: ['b'] }] });
  });

  test('of dates and of other classes is used', () => {
    const at = new Date(0);
    class Money {
      toJSON() {
        return '49.90';
      }
    }
    expect(written({ items: [{ at, price: new Money() }] }).items).toEqual([
      { at: '1970-01-01T00:00:00.000Z', price: '49.90' },
    ]);
  });
});
