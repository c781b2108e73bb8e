import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endPools } from '../src/database/pools.js';
import { newKey } from '../src/teams/keys.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { startServerForTest, startTestServer } from './server.js';
import { withoutTimes } from './withoutTimes.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
});
afterAll(() => server.close());

const shop = { origin: 'https://shop.example' };
const order = (more: object = {}) => ({
  teamId: team.teamId,
  email: 'ann@buyer.example',
  amount: 49.9,
  ...more,
});
const orderCount = async () => Number((await server.sql`select count(*) from placed_order`)[0]!.count);

/** Asserts the envelope of a refusal in full; returns the error. */
function refusal(answer: Awaited<ReturnType<typeof server.send>>, status: number, code: string) {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.body).toEqual({
    success: false,
    error: {
      code,
      message: expect.stringMatching(/\S/),
      docs: expect.stringMatching(`^http://127.0.0.1:\\d+/docs/errors/${code}$`),
      ...(answer.body.error.issues && { issues: expect.any(Array) }),
    },
    requestId: answer.headers.get('x-request-id'),
  });
  return answer.body.error;
}

describe('an order report is refused and nothing is stored', () => {
  it.each([
    ['no JSON', '{"teamId":', 'invalid_json'],
    ['an empty body', '', 'invalid_json'],
    ['bytes that are no UTF-8', Buffer.from('7b22656d61696c223a22ff227d', 'hex'), 'invalid_json'],
    ['an array', '[]', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['a text', '"order"', 'invalid_request'],
  ])('when the body is %s', async (_, body, code) => {
    const before = await orderCount();
    refusal(await server.report(body), 400, code);
    expect(await orderCount()).toBe(before);
  });

  const long = 'x'.repeat(256);
  it.each([
    ['teamId', undefined],
    ['teamId', 5],
    ['teamId', ''],
    ['email', undefined],
    ['email', 'no-at-sign'],
    ['email', 'a@b'],
    ['email', 'two@at@signs.example'],
    ['email', `${'x'.repeat(250)}@b.example`],
    ['email', ['a@b.example']],
    ['email', 'nul\u0000@b.example'],
    ['email', 'esc\u001b[2J@b.example'],
    ['amount', undefined],
    ['amount', '49.90'],
    ['amount', -0.01],
    ['amount', null],
    ['amount', true],
    ['orderId', 50172],
    ['orderId', 'x'.repeat(256)],
    ['orderId', 'nul\u0000'],
    ['orderId', 'lone \ud800 surrogate'],
    ['currency', 'US'],
    ['currency', 'DOLLAR'],
    ['currency', 'U$D'],
    ['currency', 840],
    ['source', 'CASH'],
    ['source', 1],
    ['reportId', 'x'.repeat(256)],
  ])('when %s is %j', async (field, value) => {
    await expectRefused(field, value, (body) => server.report(body));
  });

  // A page's report is stored, with a warning.
  it.each([
    ['orderId', ''],
    ['name', long],
    ['name', '😀'.repeat(128)],
    ['name', { first: 'Ann' }],
    ['name', 'nul \u0000'],
    ['visitorId', 'x'.repeat(256)],
    ['landings', 'x'.repeat(2_049)],
  ])('when a key sends as %s %j', async (field, value) => {
    await expectRefused(field, value, (body) => server.reportByKey(key, body));
    expect((await server.report(JSON.stringify({ ...order(), [field]: value }))).status).toBe(200);
  });

  it.each<[string, unknown, string, string]>([
    ['a text that is too long', { sku: 'x'.repeat(256) }, 'items.0.sku', 'must be at most 255 characters'],
    ['an array', { sku: [] }, 'items.0.sku', 'must be a string or a number'],
    [
      'an empty text',
      { variant: '' },
      'items.0.variant',
      'must not be empty; an optional field can be left out',
    ],
  ])('with %s as the id of an item, and says what to send instead', async (_, item, path, message) => {
    const body = JSON.stringify({ ...order(), items: [item] });
    const { issues } = refusal(await server.reportByKey(key, body), 400, 'invalid_request');
    expect(issues).toEqual([{ path, message }]);
  });

  it('with an empty field that is required, and is not told to leave it out', async () => {
    const body = JSON.stringify({ ...order(), teamId: '' });
    const { issues } = refusal(await server.report(body), 400, 'invalid_request');
    const message = 'must not be empty; an optional field can be left out';
    expect(issues).toEqual([{ path: 'teamId', message }]);
  });

  async function expectRefused(
    field: string,
    value: unknown,
    send: (body: string) => ReturnType<typeof server.report>,
  ) {
    const before = await orderCount();
    const error = refusal(await send(JSON.stringify({ ...order(), [field]: value })), 400, 'invalid_request');
    expect(error.message).toContain(field);
    expect(error.issues[0].path.split('.')[0]).toBe(field);
    expect(error.issues[0].message).toMatch(value === undefined ? /^is required$/ : /^must /);
    expect(await orderCount()).toBe(before);
  }

  it.each(['1e999', '-1e999', 'NaN', 'Infinity'])('when the amount is %s', async (amount) => {
    const body = JSON.stringify(order()).replace('49.9', amount);
    expect((await server.report(body)).status).toBe(400);
  });

  it('when the body nests 20,000 deep', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    refusal(await server.report(deep), 413, 'payload_too_large');
    refusal(await server.report(deep.replace('[]', '[1e400]')), 413, 'payload_too_large');
  });

  it('when the Idempotency-Key is too long', async () => {
    const answer = await server.reportByKey(key, order(), { 'idempotency-key': 'x'.repeat(256) });
    expect(refusal(answer, 400, 'invalid_request').issues[0].path).toBe('Idempotency-Key');
  });

  it('when the body is 2 MB, with or without a length', async () => {
    const body = JSON.stringify(order({ name: 'x'.repeat(2_000_000) }));
    refusal(await server.report(body), 413, 'payload_too_large');
    refusal(await server.report(body, { ...shop, 'transfer-encoding': 'chunked' }), 413, 'payload_too_large');
  });

  it.each(['application/xml', 'application/x-www-form-urlencoded', 'text/html', ''])(
    'when the type is "%s"',
    async (type) => {
      refusal(await server.report(order(), { ...shop, 'content-type': type }), 415, 'unsupported_media_type');
    },
  );
});

it('a connection that brought too much is not used again, and one that was refused otherwise still works', async () => {
  const body = JSON.stringify(order({ name: 'x'.repeat(2_000_000) }));
  for (const headers of [
    { ...shop },
    { ...shop, 'transfer-encoding': 'chunked' },
    { ...shop, 'content-type': 'text/html' },
    { ...shop, authorization: 'Basic x' },
    { origin: 'null' },
  ]) {
    expect((await server.report(body, headers)).status).toBeGreaterThanOrEqual(400);
    for (let n = 0; n < 3; n++) expect((await server.report(order())).status).toBe(200);
  }
});

describe('an order report is stored', () => {
  it('with __proto__ and constructor in it as with any unknown field', async () => {
    const body = JSON.stringify(order({ orderId: 'proto' })).replace(
      '{',
      '{"__proto__":{"amount":1},"constructor":1,',
    );
    expect((await server.report(body)).body.data.amount).toBe(49.9);
  });

  it('at exactly 64 KiB, and refused one byte above', async () => {
    const bytes = (size: number) => {
      const rest = JSON.stringify(order({ ignored: '' })).length;
      return JSON.stringify(order({ ignored: 'x'.repeat(size - rest) }));
    };
    expect((await server.report(bytes(65_536))).status).toBe(200);
    refusal(await server.report(bytes(65_537)), 413, 'payload_too_large');
  });
});

describe('trust', () => {
  it.each([
    ['the exact host', { origin: 'https://shop.example' }, 200],
    ['its www', { origin: 'https://www.shop.example' }, 200],
    ['another port', { origin: 'http://shop.example:3000' }, 200],
    ['upper case', { origin: 'https://SHOP.Example' }, 200],
    ['a trailing dot', { origin: 'https://shop.example.' }, 200],
    ['a Referer without Origin', { referer: 'https://shop.example/thanks?id=1' }, 200],
    ['Origin null with an allowed Referer', { origin: 'null', referer: 'https://shop.example/' }, 200],
    ['neither header', {}, 'Origin required'],
    ['Origin null alone', { origin: 'null' }, 'Domain not allowed'],
    [
      'a foreign Origin with an allowed Referer',
      { origin: 'https://evil.example', referer: 'https://shop.example/' },
      'Domain not allowed',
    ],
    ['a subdomain', { origin: 'https://eu.shop.example' }, 'Domain not allowed'],
    ['www of www', { origin: 'https://www.www.shop.example' }, 'Domain not allowed'],
    ['a longer name with the same end', { origin: 'https://notshop.example' }, 'Domain not allowed'],
    [
      'the name as a subdomain of another',
      { origin: 'https://shop.example.evil.example' },
      'Domain not allowed',
    ],
    ['the name as user name', { origin: 'https://shop.example@evil.example' }, 'Domain not allowed'],
    ['user info before the name', { origin: 'https://evil@shop.example' }, 'Domain not allowed'],
    ['another scheme', { origin: 'ftp://shop.example' }, 'Domain not allowed'],
    ['an extension', { origin: 'chrome-extension://shop.example' }, 'Domain not allowed'],
    ['no URL', { origin: 'shop.example' }, 'Domain not allowed'],
    ['an empty Origin with an allowed Referer', { origin: '', referer: 'https://shop.example/' }, 200],
    ['IPv6', { origin: 'http://[::1]:8080' }, 'Domain not allowed'],
  ])('a browser report from %s', async (_, headers, expected) => {
    const answer = await server.report(order(), headers as Record<string, string>);
    if (expected === 200) expect(answer.status).toBe(200);
    else {
      const code = expected === 'Origin required' ? 'origin_required' : 'domain_not_allowed';
      expect(refusal(answer, 403, code).message).toBe(expected);
    }
  });

  it('an international domain is the same in letters and in punycode', async () => {
    const idn = await server.addTeam('xn--bcher-kva.example');
    for (const origin of ['https://xn--bcher-kva.example', 'https://XN--BCHER-KVA.example']) {
      expect((await server.report({ ...order(), teamId: idn.teamId }, { origin })).status).toBe(200);
    }
  });

  it('a wildcard takes subdomains at any depth and not the apex', async () => {
    const wild = await server.addTeam('*.shop.example');
    const from = async (origin: string) =>
      (await server.report({ ...order(), teamId: wild.teamId }, { origin })).status;
    expect(await from('https://a.shop.example')).toBe(200);
    expect(await from('https://a.b.c.shop.example')).toBe(200);
    expect(await from('https://shop.example')).toBe(403);
    expect(await from('https://evilshop.example')).toBe(403);
  });

  it('an unknown team, one without domains and a text that is no id are told alike', async () => {
    const bare = await server.addTeam();
    const answers = await Promise.all(
      [encodeId('team', newUuid()), bare.teamId, 'nonsense', 'team_', `team_${'8'.repeat(26)}`].map(
        (teamId) => server.report(order({ teamId })),
      ),
    );
    for (const answer of answers) {
      refusal(answer, 403, 'domain_not_allowed');
      expect(answer.text.replace(answer.body.requestId, '')).toBe(
        answers[0]!.text.replace(answers[0]!.body.requestId, ''),
      );
    }
  });

  it.each([
    ['Basic credentials', 'Basic YTpi', /must be "Bearer"/],
    ['a key without Bearer', newKey('live'), /must be "Bearer"/],
    ['an empty header', '', /must be "Bearer"/],
    ['a scheme alone', 'Bearer', /must be "Bearer"/],
    ['a wrong checksum', `Bearer ${newKey('live').slice(0, -1)}_`, /orderbeacon key create/],
    ['an unknown key', `Bearer ${newKey('live')}`, /orderbeacon key create/],
  ])('%s never falls back to the allowed origin, and is told what to send', async (_, authorization, fix) => {
    const answers = [
      await server.report(order(), { ...shop, authorization }),
      await server.send('GET', '/svc-api/v1/products/x', { headers: { authorization } }),
    ];
    for (const answer of answers) {
      expect(refusal(answer, 401, 'invalid_api_key').message).toMatch(fix);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('a key of another team is refused for this one, and for no team at all', async () => {
    const other = await server.addTeam();
    const otherKey = await server.addKey(other.uuid);
    refusal(await server.reportByKey(otherKey, order()), 403, 'team_mismatch');
    refusal(await server.reportByKey(key, order({ teamId: 'nonsense' })), 403, 'team_mismatch');
  });

  it('a revoked key is refused immediately on every route, before anything wrong with the request', async () => {
    const dying = await server.addKey(team.uuid);
    const all = () =>
      Promise.all([
        server.reportByKey(dying, order()),
        server.reportByKey(dying, '{'),
        server.reportByKey(dying, order({ teamId: 'other' })),
        server.enroll(dying, {}),
        server.enroll(dying, { email: 'x@y.example', sequenceId: 'seq_x' }),
        server.send('GET', '/svc-api/v1/products/x', { headers: { authorization: `Bearer ${dying}` } }),
      ]);
    expect((await all()).map((answer) => answer.status)).toEqual([200, 400, 403, 400, 404, 404]);
    await server.sql`update api_key set revoked_at = now() where last_four = ${dying.slice(-4)} and team_id = ${team.uuid}`;
    for (const answer of await all()) refusal(answer, 401, 'invalid_api_key');
  });

  it('key routes ask for a key', async () => {
    for (const answer of [
      await server.send('GET', '/svc-api/v1/products/x'),
      await server.send('POST', '/svc-api/v1/sequences/enroll', {
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    ]) {
      refusal(answer, 401, 'missing_api_key');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('every answer', () => {
  it('of the order route can be read by the page that sent it', async () => {
    const answers = await Promise.all([
      server.report(order()),
      server.report('{'),
      server.report(order(), { origin: 'https://evil.example' }),
      server.report(order(), { ...shop, authorization: 'Basic x' }),
      server.report(order(), { ...shop, 'content-type': 'text/html' }),
      server.report('x'.repeat(70_000)),
      server.send('GET', '/svc-api/v1/orders', { headers: shop }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 400, 403, 401, 415, 413, 405]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toMatch(/^https:\/\/(shop|evil)\.example$/);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('of a route for backends tells no page anything, whatever the method', async () => {
    for (const path of ['/svc-api/v1/sequences/enroll', '/svc-api/v1/products/x']) {
      for (const method of ['OPTIONS', 'PUT', 'GET', 'POST']) {
        const { status, headers } = await server.send(method, path, { headers: shop });
        expect(status).toBeGreaterThanOrEqual(400);
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });

  it('of the order route to a preflight is cached for a day', async () => {
    const { status, headers } = await server.send('OPTIONS', '/svc-api/v1/orders', {
      headers: {
        ...shop,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    expect(headers.get('access-control-max-age')).toBe('86400');
  });

  it('of the order route to a preflight allows the headers that other tools add, but no key', async () => {
    const allowed = async (asked: string) => {
      const { headers } = await server.send('OPTIONS', '/svc-api/v1/orders', {
        headers: { ...shop, 'access-control-request-headers': asked },
      });
      return headers.get('access-control-allow-headers');
    };
    expect(await allowed('content-type,traceparent, X-CSRF-Token,authorization')).toBe(
      'Content-Type, traceparent, x-csrf-token',
    );
    expect(await allowed('Authorization')).toBe('Content-Type');
    expect(await allowed('x y,,a:b,é')).toBe('Content-Type');
    expect(await allowed(`x-${'a'.repeat(2_000)}`)).toBe('Content-Type');
  });

  it('of a key route carries no CORS', async () => {
    const answer = await server.send('GET', '/svc-api/v1/products/x', {
      headers: { ...shop, authorization: `Bearer ${key}` },
    });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('echoes a good X-Request-Id and makes one otherwise', async () => {
    const ask = async (id?: string) =>
      (await server.send('GET', '/healthz', { headers: id ? { 'x-request-id': id } : {} })).headers.get(
        'x-request-id',
      );
    expect(await ask('trace-1.2:3')).toBe('trace-1.2:3');
    for (const bad of [undefined, 'a b', 'x'.repeat(129), '{"a":1}'])
      expect(await ask(bad)).toMatch(/^[\w-]{12,}$/);
  });

  it('to an unknown path or a wrong method has the same shape', async () => {
    refusal(await server.send('GET', '/nowhere'), 404, 'not_found');
    refusal(await server.send('GET', '/svc-api/v1/products'), 404, 'not_found');
    for (const [method, path, allow] of [
      ['GET', '/svc-api/v1/orders', 'POST, OPTIONS'],
      ['DELETE', '/svc-api/v1/products/x', 'GET, HEAD'],
      ['GET', '/svc-api/v1/sequences/enroll', 'POST'],
      ['POST', '/healthz', 'GET, HEAD'],
    ] as const) {
      const answer = await server.send(method, path);
      refusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it('has a log line with the same request id and no email, key or body', async () => {
    await server.reportByKey(key, order({ email: 'quiet@buyer.example' }), { 'x-request-id': 'log-me' });
    const line = server.lines.map((text) => JSON.parse(text)).find((entry) => entry.requestId === 'log-me');
    expect(line).toMatchObject({
      method: 'POST',
      route: '/svc-api/v1/orders',
      status: 200,
      team: team.teamId,
      outcome: 'new',
    });
    expect(line.ms).toBeGreaterThan(0);
    const all = withoutTimes(server.lines);
    for (const secret of ['quiet@', key, '49.9']) expect(all).not.toContain(secret);
  });
});

describe('when the database is away', () => {
  it('orders, enrollments, look-ups and readiness say 503 with Retry-After, and health stays 200', async () => {
    const own = await startServerForTest();
    const { uuid, teamId } = await own.addTeam('shop.example');
    const ownKey = await own.addKey(uuid);
    await endPools(own.pools);
    const answers = await Promise.all([
      own.report({ ...order(), teamId }),
      own.reportByKey(ownKey, { ...order(), teamId }),
      own.enroll(ownKey, { email: 'x@y.example', sequenceId: 'seq_x' }),
      own.send('GET', '/svc-api/v1/products/x', { headers: { authorization: `Bearer ${ownKey}` } }),
      own.send('GET', '/readyz'),
    ]);
    for (const answer of answers) {
      refusal(answer, 503, 'unavailable');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect((await own.send('GET', '/healthz')).status).toBe(200);
  });
});
