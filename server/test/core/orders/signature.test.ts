import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSigner, readSignature } from '../../../src/core/orders/store/signature.js';

/** The two signing keys of a team by which signatures can be recognized. */
const live = { secret: 'ob_sign_live', isTest: false };
const next = { secret: 'ob_sign_next', isTest: false };
const order = {
  teamId: 'team_01h455vb4pex5vsknk084sn02q',
  orderId: 'A-1',
  email: 'ann@shop.example',
  amount: 49.9,
  currency: 'USD',
};
const sign = (values: (string | number)[], { secret } = live) =>
  createHmac('sha256', secret).update(values.join('\n')).digest('hex');
const ofOrder = (more: Partial<Record<keyof typeof order, string | number>> = {}, key = live) =>
  sign(Object.values({ ...order, ...more }), key);
const signer = (
  value: unknown,
  given: Partial<typeof order> = {},
  email: unknown = order.email,
  currency?: string,
) => findSigner([next, live], { value, email, currency }, { ...order, ...given });

describe('a signature', () => {
  it('is that of any live key', () => {
    expect(signer(ofOrder())).toBe(live);
    expect(signer(ofOrder({}, next))).toBe(next);
    expect(signer(ofOrder({}, { secret: 'ob_sign_gone', isTest: false }))).toBeUndefined();
    expect(
      findSigner([], { value: ofOrder(), email: order.email, currency: order.currency }, order),
    ).toBeUndefined();
  });

  it('may be of the id with what nobody sees in it', () => {
    const sent = ' A-1\u200e';
    const given = { value: ofOrder({ orderId: sent }), orderId: sent, email: order.email, currency: 'USD' };
    expect(findSigner([live], given, order)).toBe(live);
    expect(findSigner([live], { ...given, orderId: 'A-2' }, order)).toBeUndefined();
  });

  it.each(['49.9', '49.90'])('may say the amount as %s', (amount) => {
    expect(signer(ofOrder({ amount }))).toBe(live);
  });

  it.each(['49.90 ', '49,90', '4.99e1', '049.90', '49.90 USD', '49.91', '+49.9', '49.900', '49.9000'])(
    'may not say the amount as %s',
    (amount) => expect(signer(ofOrder({ amount }))).toBeUndefined(),
  );

  it.each([
    [100, 'USD', '100'],
    [1e2, 'USD', '100.00'],
    [0, 'USD', '0.00'],
    [-0, 'USD', '0'],
    [1e12, 'USD', '1000000000000.00'],
    [5, 'KWD', '5.000'],
    [0.5, 'USDC', '0.50000000'],
    [1e-7, 'USD', '0.0000001'],
    [123456789012.123, 'USD', '123456789012.123'],
  ])('of the amount %d %s says %s', (amount, currency, stated) => {
    expect(signer(ofOrder({ amount: stated, currency }), { amount, currency })).toBe(live);
  });

  it.each([
    [49.999, 'USD', '50.00'],
    [5, 'JPY', '5.00'],
    [1e-7, 'USD', '0.00'],
  ])('of the amount %d %s does not say %s', (amount, currency, stated) => {
    expect(signer(ofOrder({ amount: stated, currency }), { amount, currency })).toBeUndefined();
  });

  it('may be about the email as it was sent, or as it is stored', () => {
    const given = ' Ann@Bücher.example';
    const stored = 'ann@xn--bcher-kva.example';
    for (const email of [given, stored])
      expect(signer(ofOrder({ email }), { email: stored }, given)).toBe(live);
    for (const email of ['Ann@Bücher.example', 'ann@bücher.example'])
      expect(signer(ofOrder({ email }), { email: stored }, given)).toBeUndefined();
  });

  it('may be about the currency as it was given, or as it is stored', () => {
    expect(signer(ofOrder({ currency: 'usd' }), {}, order.email, 'usd')).toBe(live);
    expect(signer(ofOrder(), {}, order.email, 'usd')).toBe(live);
    expect(signer(ofOrder({ currency: 'eur' }), {}, order.email, 'usd')).toBeUndefined();
    expect(signer(ofOrder({ currency: 'usd' }))).toBeUndefined();
  });

  it('may have letters of either case, and spaces around it', () => {
    expect(signer(ofOrder().toUpperCase())).toBe(live);
    expect(signer(` ${ofOrder()}\n`)).toBe(live);
  });

  it.each(['teamId', 'orderId', 'email', 'currency'] as const)('is about one %s', (field) => {
    const other = `${order[field]}X`;
    expect(signer(ofOrder(), { [field]: other }, field === 'email' ? other : order.email)).toBeUndefined();
  });

  it('cannot move a value into another one by a line feed', () => {
    const stated = ofOrder({ orderId: 'A-1\nann@shop.example', email: 'bob@shop.example' });
    expect(signer(stated, {}, 'ann@shop.example\nbob@shop.example')).toBeUndefined();
  });

  it.each([
    'x',
    ofOrder().slice(1),
    `${ofOrder()}0`,
    'z'.repeat(64),
    'ab'.repeat(5_000),
    [ofOrder()],
    { value: ofOrder() },
    1,
    true,
    Symbol('1e400'),
  ])('is none in another form: %s', (value) => expect(signer(value)).toBeUndefined());

  it.each([undefined, null, ''])('is absent where it is %s', (signature) => {
    expect(readSignature({ ...order, signature })).toBeUndefined();
    expect(readSignature(order)).toBeUndefined();
  });

  it('fits the amount that a page sends of a price with the decimals of its currency', () => {
    fc.assert(
      fc.property(fc.nat(1e9), (cents) => {
        const stated = (cents / 100).toFixed(2);
        expect(signer(ofOrder({ amount: stated }), { amount: Number(stated) })).toBe(live);
      }),
    );
  });
});
