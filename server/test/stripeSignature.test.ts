import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer } from './server.js';
import { addTestSource, type TestSource } from './sources.js';
import { session, stripeEvent } from './stripeSamples.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let source: TestSource;
beforeAll(async () => {
  server = await startTestServer();
  const { uuid } = await server.addTeam();
  source = await addTestSource(server, uuid, { kind: 'stripe', secret: 'whsec_right' });
});
afterAll(() => server.close());

const stripe = new Stripe('sk_test_nobody');
const body = JSON.stringify(stripeEvent('checkout.session.completed', session()), null, 2);
let nowSeconds: number;
// The files of a busy machine wait for their turn, and a signature is old after five minutes.
beforeEach(() => {
  nowSeconds = Math.floor(Date.now() / 1000);
});

/** A header as Stripe's own library makes it. */
const sign = (secret = 'whsec_right', timestamp = nowSeconds, payload = body) =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
const v1Of = (header: string) => header.split(',')[1]!;

it('an event that Stripe’s library signs is stored, and once', async () => {
  const answers = [];
  for (let n = 0; n < 2; n++) answers.push(await source.post(body, { 'stripe-signature': sign() }));
  expect(answers.map(({ status, body }) => [status, body.data.outcomes])).toEqual([
    [200, ['new']],
    [200, ['known']],
  ]);
});

it.each<[string, () => string, number]>([
  ['within five minutes', () => sign('whsec_right', nowSeconds - 200), 200],
  ['older than five minutes', () => sign('whsec_right', nowSeconds - 310), 401],
  ['more than five minutes ahead', () => sign('whsec_right', nowSeconds + 330), 401],
  ['by an old secret and by this one', () => `${sign('whsec_old')},${v1Of(sign())}`, 200],
  ['by this one and by a new secret', () => `${sign()},${v1Of(sign('whsec_new'))}`, 200],
  ['with spaces and fields of other schemes', () => `v0=00, ${sign().replace(',', ', ')}, v2=ff`, 200],
  ['by another secret', () => sign('whsec_wrong'), 401],
  ['of another body', () => sign('whsec_right', nowSeconds, `${body} `), 401],
  ['with another time than was signed', () => sign().replace(`t=${nowSeconds}`, `t=${nowSeconds - 1}`), 401],
  ['with a time that is none', () => sign().replace(/t=\d+/, 't=1e9'), 401],
  ['with two times', () => `t=1,${sign()}`, 401],
  ['of the test scheme alone', () => sign().replace('v1', 'v0'), 401],
  ['cut short', () => sign().slice(0, -2), 401],
  ['that is no hex', () => sign().replace(/v1=.*/, `v1=${'zz'.repeat(32)}`), 401],
  ['that is empty', () => '', 401],
])('a signature %s', async (_, makeHeader, status) => {
  expect((await source.post(body, { 'stripe-signature': makeHeader() })).status).toBe(status);
});
