import { expect, it } from 'vitest';
import { describeRefusedKind } from '../../../src/features/refused/refusedWords.js';

const domains = new Set(['shop.example']);

it.each([
  [
    'amount',
    { amount: '49,90', currency: 'EUR' },
    'shop.example writes amounts with a comma: “49,90”',
    'comma',
  ],
  [
    'amount',
    { amount: 'EUR 49.90', currency: 'eur' },
    'shop.example writes amounts with their currency: “EUR 49.90”',
    'comma',
  ],
  ['amount', { amount: '49,90 USD' }, 'shop.example writes amounts with a comma: “49,90 USD”', 'comma'],
  // It cannot be known which of two currencies is right.
  ['amount', { amount: '49,90 EUR' }, 'shop.example: amount is not valid: “49,90 EUR”', 'each'],
  ['amount', { amount: '49,90 €' }, 'shop.example: amount is not valid: “49,90 €”', 'each'],
  ['amount', { amount: '£49,90', currency: 'EUR' }, 'shop.example: amount is not valid: “£49,90”', 'each'],
  [
    'amount',
    { amount: '49,90 €', currency: 'Euro' },
    'shop.example writes amounts with a comma: “49,90 €”',
    'comma',
  ],
  ['amount', { amount: 'much' }, 'shop.example: amount is not valid: “much”', 'each'],
  ['amount', { amount: '1.234,50' }, 'shop.example writes amounts with a comma: “1.234,50”', 'comma'],
  ['amount', { amount: '1,234.50 $' }, 'shop.example writes amounts with a comma: “1,234.50 $”', 'comma'],
  [
    'amount',
    { amount: "1'234.50" },
    "shop.example writes amounts with separators of thousands: “1'234.50”",
    'comma',
  ],
  ['amount', { amount: '1.234.50' }, 'shop.example: amount is not valid: “1.234.50”', 'each'],
  ['amount', { amount: '1.239' }, 'shop.example: the amount can be read in two ways: “1.239”', 'each'],
  ['amount', { total: 49.9 }, 'shop.example sends the amount as “total”', 'comma'],
  [
    'amount',
    { amount: null, order_total: '1.239,90 $' },
    'shop.example sends the amount as “order_total”',
    'comma',
  ],
  ['amount', { total: 49.9, value: 41.9 }, 'shop.example sends no amount', 'each'],
  ['amount', { total: 'much' }, 'shop.example sends no amount', 'each'],
  ['amount', undefined, 'shop.example: amount is missing or not valid', 'each'],
  [
    'orderId',
    { email: 'ann@shop.example', amount: 49.9, orderId: '1001' },
    'shop.example reports the printed example, the order of ann@shop.example',
    'none',
  ],
  [
    'orderId',
    { email: 'bob@shop.example', orderId: '1001' },
    'shop.example: orderId is not valid: “1001”',
    'each',
  ],
  ['teamId', { email: 'bob@shop.example', amount: 5 }, 'shop.example sends no teamId', 'comma'],
  [
    'email',
    { email: '{{ checkout.email }}' },
    'shop.example: email is a template that nobody filled in: “{{ checkout.email }}”',
    'each',
  ],
  [
    'amount',
    { amount: '<?= $total ?>' },
    'shop.example: amount is a template that nobody filled in: “<?= $total ?>”',
    'each',
  ],
  ['email', { email: null }, 'shop.example sends no email', 'each'],
  ['email', { order: {}, amount: 1 }, 'shop.example sends no email', 'each'],
  ['email', { email: 'x'.repeat(50) }, `shop.example: email is not valid: “${'x'.repeat(40)}…”`, 'each'],
  ['items.price', { items: [] }, 'shop.example: items.price is not valid', 'each'],
  ['', {}, 'shop.example: the report is not valid', 'each'],
])('a report whose %j is invalid is described with what was sent: %j as %s', (field, sent, why, fix) => {
  const kind = { reason: 'invalid_request', host: 'shop.example', field };
  const body = sent && { body: JSON.stringify(sent) };
  expect(describeRefusedKind({ ...kind, ...body }, domains)).toMatchObject({ why, fix });
});

it('of a part of a body nothing is quoted', () => {
  const kind = {
    reason: 'invalid_request',
    host: 'shop.example',
    field: 'amount',
    body: '{"amount":"much",',
  };
  expect(describeRefusedKind(kind, domains).why).toBe('shop.example: amount is missing or not valid');
});

it.each([
  ['invalid_request', 'body', 'Stripe: an event holds no order that can be read', 'none', 'event'],
  ['invalid_request', 'email', 'Stripe sends no email', 'each', 'order'],
  ['refund_not_stored', 'amount', 'Stripe: a refund could not be stored', 'none', 'refund'],
  ['order_differs', 'amount', 'Stripe: the order is stored with another amount', 'none', 'order'],
  ['order_conflict', '', 'Stripe: the order id belongs to another buyer’s order', 'each', 'order'],
  ['invalid_api_key', '', 'Stripe: its source has since been removed', 'none', 'order'],
])(
  'what a source has said is its own, and only an order has a form: %s of %s',
  (reason, field, why, fix, noun) => {
    const kind = { reason, host: '', field, speaker: 'Stripe', body: '{"type":"v2.core.event"}' };
    expect(describeRefusedKind(kind, domains)).toMatchObject({ why, fix, noun });
    expect(describeRefusedKind({ ...kind, speaker: null }, domains).why).not.toContain('Stripe');
  },
);
