import Stripe from 'stripe';
import { expect, it } from 'vitest';
import { isSigned } from '../../../src/features/sources/receive/isSigned.js';
import { session, stripeEvent } from './kit/stripeSamples.js';

const stripe = new Stripe('sk_test_nobody');
const body = JSON.stringify(stripeEvent('checkout.session.completed', session()), null, 2);
const now = 1_763_800_000;

/** Makes a header as Stripe's own library does. */
const sign = (secret = 'whsec_right', timestamp = now, payload = body) =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
const v1Of = (header: string) => header.split(',')[1]!;

it.each<[string, string, boolean]>([
  ['by this secret', sign(), true],
  ['five minutes ago', sign('whsec_right', now - 300), true],
  ['more than five minutes ago', sign('whsec_right', now - 301), false],
  ['more than five minutes ahead', sign('whsec_right', now + 301), false],
  ['by an old secret and by this one', `${sign('whsec_old')},${v1Of(sign())}`, true],
  ['by this one and by a new secret', `${sign()},${v1Of(sign('whsec_new'))}`, true],
  ['with spaces and fields of other schemes', `v0=00, ${sign().replace(',', ', ')}, v2=ff`, true],
  ['by another secret', sign('whsec_wrong'), false],
  ['of another body', sign('whsec_right', now, `${body} `), false],
  ['with another time than was signed', sign().replace(`t=${now}`, `t=${now - 1}`), false],
  ['with a time that is none', sign().replace(/t=\d+/, 't=1e9'), false],
  ['with two times', `t=1,${sign()}`, false],
  ['of the test scheme alone', sign().replace('v1', 'v0'), false],
  ['cut short', sign().slice(0, -2), false],
  ['that is no hex', sign().replace(/v1=.*/, `v1=${'zz'.repeat(32)}`), false],
  ['that is empty', '', false],
])('a signature %s is judged as Stripe’s own library does', (_, header, isRight) => {
  const request = { headers: { 'stripe-signature': header }, bytes: Buffer.from(body) };
  expect(isSigned('stripe', request, 'whsec_right', now * 1000)).toBe(isRight);
});
