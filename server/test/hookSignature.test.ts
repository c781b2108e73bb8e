import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { newHookSecret, signHook } from '../src/hooks/signature.js';

const require = createRequire(import.meta.url);

/** The part of both libraries that receivers use. */
interface Verifier {
  verify(body: string, headers: object): unknown;
}

const verifierOf = (library: string) =>
  (require(library) as { Webhook: new (secret: string) => Verifier }).Webhook;

const id = 'msg_01kaefr2ccv1x8h5k7b3n9s4mw';
const body = JSON.stringify({ type: 'order.created', data: { name: 'Zoë 👕', amount: 49.9 } });

it('a signature is that of the example in the specification', () => {
  expect(
    signHook(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330_000,
      '{"test": 2432232314}',
    ),
  ).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('a secret is whsec_ and 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newHookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
});

describe.each(['standardwebhooks', 'svix'])('the library %s', (library) => {
  const Verifier = verifierOf(library);
  const secret = newHookSecret();

  it('takes a request as it was signed', () => {
    const headers = signHook(secret, id, Date.now(), body);
    expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it.each<[string, (at: number) => [sent: string, headers: object]]>([
    ['another body', (at) => [`${body} `, signHook(secret, id, at, body)]],
    ['another id', (at) => [body, { ...signHook(secret, id, at, body), 'webhook-id': `${id}1` }]],
    ['another secret', (at) => [body, signHook(newHookSecret(), id, at, body)]],
    ['an old request', (at) => [body, signHook(secret, id, at - 301_000, body)]],
  ])('refuses %s', (_, make) => {
    const [sent, headers] = make(Date.now());
    expect(() => new Verifier(secret).verify(sent, headers)).toThrow();
  });
});
