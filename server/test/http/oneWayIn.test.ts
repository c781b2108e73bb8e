import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addProduct } from '../kit/addProduct.js';
import { startTestServer, type TestServer } from '../kit/server.js';
import { test as base, type Shop } from '../kit/shop.js';
import { sendRaw } from './rawHttp.js';

const orders = '/svc-api/v1/orders';
const enroll = '/svc-api/v1/sequences/enroll';
const products = '/svc-api/v1/products';
const shirt = `${products}/t-shirt`;

interface Sent {
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request with exactly this target, which clients would normalise. Resolves with the raw answer. */
async function sendTarget(
  url: string,
  method: string,
  target: string,
  { headers = {}, body = '' }: Sent = {},
) {
  const all: Record<string, string> = { Host: 'collector.example', Connection: 'close', ...headers };
  if (body !== '') all['Content-Length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const raw = await sendRaw(url, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const [head = '', ...rest] = raw.text.split('\r\n\r\n');
  const fields = head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
  const text = rest.join('\r\n\r\n');
  return {
    status: raw.status,
    headers: new Headers(fields),
    text,
    body: text.startsWith('{') ? JSON.parse(text) : null,
  };
}

type RawAnswer = Awaited<ReturnType<typeof sendTarget>>;

/** Returns functions that send requests to the shop's server. The shop has a product, a shirt. */
async function openWay({ server, sql, team, liveKey, order, origin }: Shop) {
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await addProduct(sql, team, product);
  const byKey = { authorization: `Bearer ${await liveKey()}` };
  return {
    byKey,
    send: (method: string, target: string, sent?: Sent) => sendTarget(server.url, method, target, sent),
    /** Looks a product up. */
    get: (target: string, headers = {}) =>
      sendTarget(server.url, 'GET', target, { headers: { ...byKey, ...headers } }),
    /** Reports an order as a page does. */
    report: (target: string, headers: Record<string, string> = {}) =>
      sendTarget(server.url, 'POST', target, {
        headers: { origin, 'content-type': 'text/plain', ...headers },
        body: JSON.stringify(order()),
      }),
  };
}

const test = base.extend('way', ({ shop }) => openWay(shop));

/** Asserts the whole envelope of a refusal, and the headers of every answer. */
function expectRefusal({ status, headers, body }: RawAnswer, expected: number, code: string) {
  expect([status, body]).toEqual([
    expected,
    {
      success: false,
      error: {
        code,
        message: expect.stringMatching(/\S/),
        docs: expect.stringMatching(`/docs/errors/${code}$`),
      },
      requestId: headers.get('x-request-id'),
    },
  ]);
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{12,}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('application/json');
}

const corsOf = ({ headers }: RawAnswer) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control'));

test.for([
  [orders, 'POST, OPTIONS', ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']],
  [enroll, 'POST', ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
  [`${orders}/refunds`, 'POST', ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
  [`${orders}/A-1`, 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
  [shirt, 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
  ['/healthz', 'GET, HEAD', ['POST']],
] as const)('%s allows %s, and answers 405 to another method', async ([path, allow, methods], { server }) => {
  for (const method of methods) {
    const headers = { origin: 'https://shop.example' };
    const answer = await sendTarget(server.url, method, path, { headers });
    if (method === 'HEAD') expect([answer.status, answer.text]).toEqual([405, '']);
    else expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
    expect(corsOf(answer).length > 0).toBe(path === orders);
  }
});

test('OPTIONS of order reports is a preflight, which leaves keys to backends', async ({ server }) => {
  const origin = 'https://any.example';
  const answer = await sendTarget(server.url, 'OPTIONS', orders, { headers: { origin } });
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'Content-Type',
    'access-control-max-age': '86400',
    allow: 'POST, OPTIONS',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.has('content-type')).toBe(false);
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{12,}$/);
});

test.for([
  [orders, 'shop.example:8080'],
  [orders, 'XN--BCHER-KVA.Example:80'],
  [orders, 'shop.example.'],
  [orders, '[::1]:65000'],
  [orders, '127.1'],
  [orders, 'a_b:65535'],
  [`${orders}?x=/svc-api/v1/%2e%zz`, 'shop.example'],
  [`http://other.example${orders}?y`, 'shop.example'],
] as const)(
  'a report to %s of the Host %s is answered, logged and counted as one to its endpoint',
  async ([target, host], { shop, way }) => {
    const { status, headers } = await way.report(target, { Host: host });
    expect(status).toBe(200);
    expect(await shop.stored()).toHaveLength(1);
    // The metrics are made of this line.
    const line = shop.server.lines.find((text) => text.includes(`"${headers.get('x-request-id')}"`));
    expect(JSON.parse(line!)).toMatchObject({
      method: 'POST',
      route: orders,
      status: 200,
      team: shop.teamId,
    });
    expect((await way.get(shirt, { Host: host })).status).toBe(200);
    expect((await way.get('/healthz', { Host: host })).status).toBe(200);
  },
);

test.for([
  ['GET', `${shirt}?id=other`, 200],
  ['GET', `https://o.example:1${shirt}?x`, 200],
  ['GET', '/healthz?a=../b\\%2e', 200],
  ['GET', '/sdk/track.js', 200],
  ['GET', '/docs', 200],
  ['OPTIONS', `${orders}?`, 204],
  ['PUT', `http://other.example${orders}`, 405],
  ['GET', `http://other.example${orders}/x/y`, 404],
  ['GET', `http://a:b:c${orders}`, 400],
  ['GET', `ftp://other.example${orders}`, 400],
  ['OPTIONS', '*', 400],
] as const)('%s %s is answered with %i', async ([method, target, status], { way: { send, byKey } }) => {
  expect((await send(method, target, { headers: byKey })).status).toBe(status);
});

test.for(['GET /readyz HTTP/1.0\r\n\r\n', 'OPTIONS /svc-api/v1/orders HTTP/1.0\r\n\r\n'])(
  'HTTP/1.0 without Host is answered, as HAProxy’s check sends it: %j',
  async (bytes, { server }) => {
    expect((await sendRaw(server.url, bytes)).status).toBeLessThan(300);
  },
);

describe('a path of the API that nothing is served under', () => {
  test.for([
    `${orders}/`,
    `${products}/`,
    `${orders}/a/b`,
    `${orders}/refunds/x`,
    '/svc-api/v1/sequences/x',
    '/svc-api/v1/',
    '/svc-api/v1/ORDERS',
    '/svc-api/v1%2Forders',
    '/svc-api/v1/orders;x=1',
    '/svc-api/v1/__proto__/x',
    '/svc-api/v1/%6frders',
    '/svc-api/v1/./orders',
    '/svc-api/v1/orders#x',
    '/svc%2dapi/v1/orders',
  ])('gets 404 in the envelope, whatever the method: %s', async (path, { server }) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const headers = { origin: 'https://shop.example' };
      const answer = await sendTarget(server.url, method, path, { headers });
      expectRefusal(answer, 404, 'not_found');
      expect(corsOf(answer)).toEqual([]);
    }
    const head = await sendTarget(server.url, 'HEAD', path);
    expect([head.status, head.text]).toEqual([404, '']);
  });

  test('has no route of its own in the log', async ({ server }) => {
    const { headers } = await sendTarget(server.url, 'GET', '/svc-api/v1/secret-words');
    const line = server.lines.find((text) => text.includes(`"${headers.get('x-request-id')}"`));
    expect(JSON.parse(line!)).toMatchObject({ method: 'GET', route: '/*', outcome: 'not_found' });
    expect(server.lines.join('')).not.toContain('secret-words');
  });
});

test('an address of a wildcard is answered and logged as one request', async ({ server }) => {
  const headers = { 'x-request-id': 'the-only-request' };
  expectRefusal(await sendTarget(server.url, 'GET', '/*', { headers }), 404, 'not_found');
  expect(server.lines.filter((line) => line.includes('the-only-request'))).toHaveLength(1);
  expectRefusal(await sendTarget(server.url, 'GET', '/*'), 404, 'not_found');
});

test('a product’s name in the path is decoded once', async ({ way: { get } }) => {
  // "%2D" is "-", one of the few characters that need no encoding. Its encoded form is not refused.
  expect((await get(`${products}/t%2Dshirt`)).status).toBe(200);
  for (const name of ['t%252Dshirt', 't-shirt%20', 'caf%C3%A9%20%7E', '%zz', '%00', 'a%2Fb'])
    expectRefusal(await get(`${products}/${name}`), 404, 'product_not_found');
});

describe('the metrics are shown to nobody without their token', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      env: { ORDERBEACON_METRICS_TOKEN: 'a-token-of-32-characters-1234567890' },
    });
  });
  afterAll(() => server.close());

  it.each([
    '/metrics',
    '/docs/../metrics',
    '/./metrics',
    '/docs/%2e%2E/metrics',
    '/docs/..\\metrics',
    '/%6detrics',
    '/m%65trics?x',
    '/metrics#/docs?x',
    '/svc-api/v1/products/..',
    'http://x/docs/../metrics',
  ])('under the path %s', async (path) => {
    const { status, text } = await sendTarget(server.url, 'GET', path);
    expect([400, 401, 404]).toContain(status);
    expect(text).not.toContain('orderbeacon_');
  });
});
