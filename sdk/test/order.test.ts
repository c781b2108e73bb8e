import { describe, expect, test } from 'vitest';
import { normaliseOrder } from '../src/order';

const order = { email: 'ann@shop.example', amount: 49.9 };
const normalise = (more: object) => normaliseOrder({ ...order, ...more } as never);

describe('amounts', () => {
  test.each([
    ['49.90', 49.9],
    [' 7 ', 7],
    ['0', 0],
    [0, 0],
    [0.1, 0.1],
    [1e-8, 1e-8],
    [123456789012.34, 123456789012.34],
  ])('%j is the number %d', (amount, number) => {
    expect(normalise({ amount }).amount).toBe(number);
  });

  test.each([
    '49,90',
    '$49.90',
    '49.90 USD',
    '1,000',
    '1.134.65',
    '0x10',
    '-5',
    'Infinity',
    '',
    '   ',
    'NaN',
    -1,
    Number.NaN,
    Infinity,
    null,
    undefined,
    true,
    {},
    [],
  ])('%j is refused with a hint', (amount) => {
    expect(() => normalise({ amount })).toThrow('amount must be like 49.90');
  });

  test('what is no object at all is refused with the same hint', () => {
    for (const nothing of [undefined, null, 7, 'order']) {
      expect(() => normaliseOrder(nothing as never)).toThrow('amount must be like 49.90');
    }
  });
});

describe('order ids', () => {
  test('a number becomes a text, so that it is the same order as the text', () => {
    expect(normalise({ orderId: 50172 }).orderId).toBe('50172');
    expect(normalise({ orderId: 0 }).orderId).toBe('0');
  });

  test('a number that has lost digits stays a number, which the server refuses', () => {
    expect(normalise({ orderId: Number('1234567890123456789') }).orderId).toBeTypeOf('number');
  });

  test('a text keeps its 19 digits', () => {
    expect(normalise({ orderId: '1234567890123456789' }).orderId).toBe('1234567890123456789');
  });
});

test('texts are trimmed, source and currency upper-cased', () => {
  expect(normalise({ email: ' Ann@Shop.example ', source: 'stripe', currency: ' eur ' })).toMatchObject({
    email: 'Ann@Shop.example',
    source: 'STRIPE',
    currency: 'EUR',
  });
});

test('empty texts, null and undefined count as left out', () => {
  expect(normalise({ orderId: '', name: ' ', currency: null, source: undefined, items: null })).toEqual(
    order,
  );
});

test('items and unknown fields go as they are', () => {
  const items = [{ sku: 'A', name: ' two  words ', gift: { note: '' } }];
  expect(normalise({ items, coupon: 'X' })).toEqual({ ...order, items, coupon: 'X' });
});
