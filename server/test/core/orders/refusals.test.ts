import { describe, expect } from 'vitest';
import { newKey } from '../../../src/core/teams/keys.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import type { Answer } from '../../kit/server.js';
import { openShop, test } from '../../kit/shop.js';
import { withoutTimes } from './withoutTimes.js';

/** Asserts the whole envelope of a refusal. Returns the error. */
function refusal(answer: Answer, status: number, code: string) {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.body).toEqual({
    success: false,
    error: {
      code,
      message: expect.stringMatching(/\S/),
      docs: expect.stringMatching(`^http://127.0.0.1:\\d+/docs/errors/${code}$`),
      ...(/_required$|^domain_/.test(code) && { hint: expect.stringMatching(/\S/) }),
      ...(answer.body.error.issues && { issues: expect.any(Array) }),
    },
    requestId: answer.headers.get('x-request-id'),
  });
  return answer.body.error;
}

const big = JSON.stringify({ name: 'x'.repeat(2_000_000) });
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

describe('an order report is refused and nothing is stored', () => {
  test('when a field is invalid, which it names', async ({ shop }) => {
    for (const answer of [await shop.report({ amount: -1 }), await shop.reportByKey({ amount: -1 })]) {
      const { message, issues } = refusal(answer, 400, 'invalid_request');
      expect(message).toBe('Invalid: amount. amount must be at least 0.');
      expect(issues).toEqual([{ path: 'amount', message: 'must be at least 0' }]);
    }
    expect(await shop.stored()).toEqual([]);
  });

  test('when the Idempotency-Key is too long', async ({ shop }) => {
    const answer = await shop.reportByKey({}, { idempotencyKey: 'x'.repeat(256) });
    expect(refusal(answer, 400, 'invalid_request').issues[0].path).toBe('Idempotency-Key');
    expect(await shop.stored()).toEqual([]);
  });

  test.for<[string, string, Record<string, string>?]>([
    ['has 2 MB', big],
    ['has 2 MB without a length', big, { 'transfer-encoding': 'chunked' }],
    ['nests 20,000 deep', deep],
    ['nests 20,000 deep around a number that a float would change', deep.replace('[]', '[1e400]')],
  ])('when the body %s', async ([, body, headers], { shop }) => {
    refusal(await shop.report(body, headers), 413, 'payload_too_large');
    expect(await shop.stored()).toEqual([]);
  });
});

test('a body of exactly 64 KiB is stored, and one byte more is refused', async ({ shop }) => {
  const bytes = (size: number) => {
    const rest = JSON.stringify(shop.order({ ignored: '' })).length;
    return JSON.stringify(shop.order({ ignored: 'x'.repeat(size - rest) }));
  };
  expect((await shop.report(bytes(65_536))).status).toBe(200);
  refusal(await shop.report(bytes(65_537)), 413, 'payload_too_large');
});

// The script ignores a refusal of another report, and sends this report again without its items.
test('a page’s report that is too long is named in its refusal, and nothing of it is kept', async ({
  shop,
}) => {
  const ofScript = { teamId: shop.teamId, reportId: 'orderbeacon:1' };
  const values = Array(8_000).fill(1);
  for (const items of [['x'.repeat(70_000)], ['\u00e9'.repeat(70_000)], values]) {
    const { status, body } = await shop.report(JSON.stringify({ ...ofScript, amount: 1, items }));
    expect([status, body.error.code, body.reportId]).toEqual([413, 'payload_too_large', 'orderbeacon:1']);
  }
  expect(await shop.refused()).toEqual([]);
});

test('__proto__ and constructor in a report are as any unknown field', async ({ shop }) => {
  const body = JSON.stringify(shop.order());
  const { status } = await shop.report(body.replace('{', '{"__proto__":{"amount":1},"constructor":1,'));
  expect([status, await shop.stored()]).toMatchObject([200, [{ amount: '49.9' }]]);
});

test('a connection that brought too much is not used again, and one that was refused otherwise still works', async ({
  shop,
}) => {
  for (const headers of [
    {},
    { 'transfer-encoding': 'chunked' },
    { 'content-type': 'text/html' },
    { authorization: 'Basic x' },
    { origin: 'null' },
  ]) {
    expect((await shop.report(big, headers)).status).toBeGreaterThanOrEqual(400);
    for (let n = 0; n < 3; n++) expect((await shop.report()).status).toBe(200);
  }
});

describe('a browser’s report from', () => {
  const ours = 'https://shop.example';
  const theirs = 'https://other.example';
  test.for<[string, Record<string, string>, 200 | 'Origin required' | 'Domain not allowed']>([
    ['an allowed host', { origin: ours }, 200],
    ['a Referer without Origin', { referer: `${ours}/thanks?id=1` }, 200],
    ['Origin null with an allowed Referer', { origin: 'null', referer: `${ours}/` }, 200],
    ['an empty Origin with an allowed Referer', { origin: '', referer: `${ours}/` }, 200],
    ['neither header', {}, 'Origin required'],
    ['Origin null alone', { origin: 'null' }, 'Domain not allowed'],
    [
      'a foreign Origin with an allowed Referer',
      { origin: theirs, referer: `${ours}/` },
      'Domain not allowed',
    ],
  ])(
    '%s is judged by the host that counts',
    async ([, headers, expected], { shop: { server, order, ...shop } }) => {
      await shop.addDomain('shop.example');
      const answer = await server.report(order(), headers);
      if (expected === 200) return expect(answer.status).toBe(200);
      const code = expected === 'Origin required' ? 'origin_required' : 'domain_not_allowed';
      const { message, hint } = refusal(answer, 403, code);
      expect(message).toBe(expected);
      expect(hint).toMatch(code === 'origin_required' ? 'send an API key' : 'or does not exist');
    },
  );
});

test('an unknown team, one without domains and a text that is no id are told alike', async ({
  server,
  shop,
}) => {
  const bare = await server.addTeam();
  const ids = [encodeId('team', newUuid()), bare.teamId, 'nonsense', 'team_', `team_${'8'.repeat(26)}`];
  const answers = await Promise.all(ids.map((teamId) => shop.report({ teamId })));
  for (const answer of answers) refusal(answer, 403, 'domain_not_allowed');
  const texts = answers.map(({ text, body }) => text.replace(body.requestId, ''));
  expect(new Set(texts).size).toBe(1);
});

test.for([
  ['Basic credentials', 'Basic YTpi', /must be "Bearer"/],
  ['a key without Bearer', newKey('live'), /must be "Bearer"/],
  ['an empty header', '', /must be "Bearer"/],
  ['a scheme alone', 'Bearer', /must be "Bearer"/],
  ['a wrong checksum', `Bearer ${newKey('live').slice(0, -1)}_`, /"key create"/],
  ['an unknown key', `Bearer ${newKey('live')}`, /"key create"/],
] as const)('%s never falls back to the allowed origin, and is told what to send', async (row, { shop }) => {
  const [, authorization, fix] = row;
  for (const answer of [
    await shop.report({}, { authorization }),
    await shop.server.send('GET', '/svc-api/v1/products/x', { headers: { authorization } }),
  ])
    expect(refusal(answer, 401, 'invalid_api_key').message).toMatch(fix);
  expect(await shop.stored()).toEqual([]);
});

test('a key of another team is refused for this one, and for no team at all', async ({ shop }) => {
  const key = await (await openShop(shop.server)).liveKey();
  refusal(await shop.reportByKey({}, { key }), 403, 'team_mismatch');
  refusal(await shop.reportByKey({ teamId: 'nonsense' }), 403, 'team_mismatch');
});

test('a revoked key is refused immediately on every route, before anything wrong with the request', async ({
  shop,
}) => {
  const { server, sql, team } = shop;
  const key = await server.addKey(team);
  const all = () =>
    Promise.all([
      shop.reportByKey({}, { key }),
      shop.reportByKey('{', { key }),
      shop.reportByKey({ teamId: 'other' }, { key }),
      shop.enroll({}, { key }),
      shop.enroll({ email: 'x@y.example', sequenceId: 'seq_x' }, { key }),
      shop.send('GET', '/svc-api/v1/products/x', undefined, { key }),
    ]);
  expect((await all()).map((answer) => answer.status)).toEqual([200, 400, 403, 400, 404, 404]);
  await sql`update api_key set revoked_at = now() where team_id = ${team} and last_four = ${key.slice(-4)}`;
  for (const answer of await all()) refusal(answer, 401, 'invalid_api_key');
});

describe('an answer', () => {
  test('of the order route can be read by the page that sent it', async ({ shop }) => {
    const answers = await Promise.all([
      shop.report(),
      shop.report('{'),
      shop.report({}, { origin: 'https://evil.example' }),
      shop.report({}, { authorization: 'Basic x' }),
      shop.report({}, { 'content-type': 'text/html' }),
      shop.report('x'.repeat(70_000)),
      shop.server.send('GET', '/svc-api/v1/orders', { headers: { origin: shop.origin } }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 400, 403, 401, 415, 413, 405]);
    for (const { headers } of answers) {
      expect([shop.origin, 'https://evil.example']).toContain(headers.get('access-control-allow-origin'));
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  test('of a route for backends tells no page anything, whatever the method, with a key and without one', async ({
    shop: { server, origin, liveKey },
  }) => {
    const byKey = { origin, authorization: `Bearer ${await liveKey()}` };
    for (const path of ['/svc-api/v1/sequences/enroll', '/svc-api/v1/products/x'])
      for (const method of ['OPTIONS', 'PUT', 'GET', 'POST'])
        for (const sent of [{ origin }, byKey]) {
          const { status, headers } = await server.send(method, path, { headers: sent });
          expect(status).toBeGreaterThanOrEqual(400);
          expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
  });

  test.for([
    ['content-type,traceparent, X-CSRF-Token,authorization', 'Content-Type, traceparent, x-csrf-token'],
    ['Authorization', 'Content-Type'],
    ['x y,,a:b,é', 'Content-Type'],
    [`x-${'a'.repeat(2_000)}`, 'Content-Type'],
  ])('to a preflight allows the headers that other tools add, but no key: %s', async (row, { shop }) => {
    const [asked, allowed] = row;
    const { headers } = await shop.server.send('OPTIONS', '/svc-api/v1/orders', {
      headers: { origin: shop.origin, 'access-control-request-headers': asked! },
    });
    expect(headers.get('access-control-allow-headers')).toBe(allowed);
  });

  test('echoes a good X-Request-Id and makes one otherwise', async ({ server }) => {
    const ask = async (headers: Record<string, string>) =>
      (await server.send('GET', '/healthz', { headers })).headers.get('x-request-id');
    expect(await ask({ 'x-request-id': 'trace-1.2:3' })).toBe('trace-1.2:3');
    expect(await ask({})).toMatch(/^[\w-]{12,}$/);
    for (const bad of ['a b', 'x'.repeat(129), '{"a":1}'])
      expect(await ask({ 'x-request-id': bad })).toMatch(/^[\w-]{12,}$/);
  });

  test('has a log line with its request id and team, and no email, key, amount or text in the team’s place', async ({
    shop,
  }) => {
    const { server, teamId } = shop;
    const lineOf = ({ headers }: Answer) =>
      JSON.parse(server.lines.find((line) => line.includes(`"${headers.get('x-request-id')}"`))!);
    const line = lineOf(await shop.reportByKey({ email: 'quiet@buyer.example', amount: 49.95 }));
    const route = '/svc-api/v1/orders';
    expect(line).toMatchObject({ method: 'POST', route, status: 200, team: teamId, outcome: 'new' });
    expect(line.ms).toBeGreaterThan(0);
    expect(lineOf(await shop.report({ teamId: 'ann@secret.example' }))).not.toHaveProperty('team');
    const all = withoutTimes(server.lines);
    for (const secret of ['quiet@', 'secret.example', '49.95', await shop.liveKey()])
      expect(all).not.toContain(secret);
  });
});
