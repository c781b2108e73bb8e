import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importProducts } from '../src/products/importProducts.js';
import { productFileSchema } from '../src/products/productSchema.js';
import { sendRaw } from './rawHttp.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let teamId: string;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  const team = await server.addTeam('shop.example');
  teamId = team.teamId;
  key = await server.addKey(team.uuid);
  const product = { title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 };
  await importProducts(server.sql, team.uuid, productFileSchema.parse([product]));
});
afterAll(() => server.close());

const orders = '/svc-api/v1/orders';
const refunds = '/svc-api/v1/orders/refunds';
const enroll = '/svc-api/v1/sequences/enroll';
const product = '/svc-api/v1/products/t-shirt';

/** An answer as it stood on the connection. */
interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** Sends a request with this very target, which no client has normalised. */
async function sendTarget(
  method: string,
  target: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const all: Record<string, string> = { Host: 'collector.example', Connection: 'close', ...headers };
  if (body !== '') all['Content-Length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const raw = await sendRaw(server.url, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const [head = '', ...rest] = raw.text.split('\r\n\r\n');
  const fields = head
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const text = rest.join('\r\n\r\n');
  const answered = new Headers(fields as [string, string][]);
  const isJson = answered.get('content-type') === 'application/json' && text.startsWith('{');
  return { status: raw.status, headers: answered, text, body: isJson ? JSON.parse(text) : null };
}

const byKey = () => ({ authorization: `Bearer ${key}` });
let count = 0;
/** An order report of a page of the team, with its own orderId. */
const report = () => ({
  headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
  body: JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 5, orderId: `way-${count++}` }),
});

/** Asserts the whole envelope of a refusal, and the headers that every answer has. */
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

describe('each path of the API answers', () => {
  it('HEAD as GET, without the body', async () => {
    const got = await sendTarget('GET', product, { headers: byKey() });
    expect([got.status, got.body.data.slug]).toEqual([200, 't-shirt']);
    const head = await sendTarget('HEAD', product, { headers: byKey() });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    const refused = await sendTarget('HEAD', product);
    expect([refused.status, refused.text]).toEqual([401, '']);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    [orders, 'POST, OPTIONS', ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']],
    [enroll, 'POST', ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
    [refunds, 'POST', ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
    [`${orders}/A-1`, 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
    [product, 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']],
  ])('405 with Allow to another method than its own: %s', async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await sendTarget(method, path, { headers: { origin: 'https://shop.example' } });
      if (method === 'HEAD') expect([answer.status, answer.text]).toEqual([405, '']);
      else expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe(allow);
      expect(corsOf(answer).length > 0).toBe(path === orders);
    }
  });

  it('OPTIONS of order reports as a preflight, which leaves keys to backends', async () => {
    const origin = 'https://any.example';
    const answer = await sendTarget('OPTIONS', orders, { headers: { origin } });
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

  it('the same with a query behind its path', async () => {
    expect((await sendTarget('POST', `${orders}?x=/svc-api/v1/%2e%zz`, report())).status).toBe(200);
    expect((await sendTarget('GET', `${product}?id=other`, { headers: byKey() })).status).toBe(200);
    expect((await sendTarget('OPTIONS', `${orders}?`)).status).toBe(204);
    expectRefusal(await sendTarget('POST', `${enroll}?x`), 401, 'missing_api_key');
  });

  it('the same to a target that names a host, whatever that is', async () => {
    expect((await sendTarget('POST', `http://other.example${orders}`, report())).status).toBe(200);
    expect((await sendTarget('GET', `https://o.example:1${product}?x`, { headers: byKey() })).status).toBe(
      200,
    );
    expectRefusal(await sendTarget('PUT', `http://other.example${orders}`), 405, 'method_not_allowed');
    expectRefusal(await sendTarget('GET', `http://other.example${orders}/x/y`), 404, 'not_found');
    expect((await sendTarget('GET', `http://a:b:c${orders}`)).status).toBe(400);
    expect((await sendTarget('GET', `ftp://other.example${orders}`)).status).toBe(400);
    expect((await sendTarget('OPTIONS', '*')).status).toBe(400);
  });

  it.each(['shop.example', 'SHOP.example:80', 'shop.example.', '[::1]:8787', '127.1', 'a_b:65535'])(
    'the same to the Host %s',
    async (host) => {
      const { headers, body } = report();
      expect((await sendTarget('POST', orders, { headers: { ...headers, Host: host }, body })).status).toBe(
        200,
      );
      expect((await sendTarget('GET', product, { headers: { ...byKey(), Host: host } })).status).toBe(200);
      expect((await sendTarget('GET', '/healthz', { headers: { Host: host } })).status).toBe(200);
    },
  );
});

describe('a path of the API that nothing is served under', () => {
  it.each([
    `${orders}/`,
    `${enroll}/`,
    `${product}/`,
    '/svc-api/v1/products/',
    '/svc-api/v1/products',
    '/svc-api/v1/orders/',
    '/svc-api/v1/orders/a/b',
    '/svc-api/v1/orders/refunds/x',
    '/svc-api/v1/orders/refunds/',
    '/svc-api/v1/products/a/b',
    '/svc-api/v1/sequences',
    '/svc-api/v1/sequences/x',
    '/svc-api/v1/',
    '/svc-api/v1',
    '/svc-api/v1//orders',
    '//svc-api/v1/orders',
    '/svc-api//v1/orders',
    '/svc-api/v1/ORDERS',
    '/svc-api/v1/orders%20',
    '/svc-api/v1%2Forders',
    '/svc-api%2fv1/orders',
    '/svc-api/v1/sequences%2Fenroll',
    '/svc-api/v1/orders;x=1',
    '/svc-api/v1/constructor',
    '/svc-api/v1/__proto__/x',
    '/svc-api/v1/%zz',
    '/svc-api/v1/%6frders',
    '/svc-api/v1/./orders',
    '/svc-api/v1/orders#x',
    '/svc%2dapi/v1/orders',
  ])('gets 404 in the envelope, whatever the method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const answer = await sendTarget(method, path, { headers: { origin: 'https://shop.example' } });
      expectRefusal(answer, 404, 'not_found');
      expect(corsOf(answer)).toEqual([]);
    }
    const head = await sendTarget('HEAD', path);
    expect([head.status, head.text]).toEqual([404, '']);
  });
});

describe('a product’s name in the path', () => {
  it.each([
    'a%2Fb',
    'caf%C3%A9%20%7E',
    '%zz',
    '%',
    '%ff',
    '%00',
    '%C3%A9%zz',
    't-shirt%20',
    ':id',
    '%F0%9F%92%B8',
  ])('may be encoded in whatever way, and is then unknown: %s', async (name) => {
    const path = `/svc-api/v1/products/${name}`;
    expectRefusal(await sendTarget('GET', path, { headers: byKey() }), 404, 'product_not_found');
    expectRefusal(await sendTarget('GET', path), 401, 'missing_api_key');
    expectRefusal(await sendTarget('POST', path), 405, 'method_not_allowed');
  });

  it('is decoded once', async () => {
    // "%5F" is "_", one of the few that need no encoding and are not refused with it.
    const { uuid } = await server.addTeam();
    const other = await server.addKey(uuid);
    const products = [{ title: 'Low', slug: 'low_cut', type: 'PHYSICAL', price: 5 }];
    await importProducts(server.sql, uuid, productFileSchema.parse(products));
    const get = (name: string) =>
      sendTarget('GET', `/svc-api/v1/products/${name}`, { headers: { authorization: `Bearer ${other}` } });
    expect((await get('low%5Fcut')).status).toBe(200);
    expect((await get('low%255Fcut')).status).toBe(404);
  });
});

it('an odd spelling of an endpoint has the log line and the figures of its endpoint, another path none of its own', async () => {
  await sendTarget('POST', `http://x${orders}?y`, {
    ...report(),
    headers: { ...report().headers, 'x-request-id': 'way-in-odd' },
  });
  await sendTarget('GET', '/svc-api/v1/secret-words', { headers: { 'x-request-id': 'way-in-none' } });
  const lineOf = (id: string) =>
    server.lines.map((text) => JSON.parse(text)).find((line) => line.requestId === id);
  expect(lineOf('way-in-odd')).toMatchObject({ method: 'POST', route: orders, status: 200, team: teamId });
  expect(lineOf('way-in-none')).toMatchObject({ method: 'GET', route: '/*', outcome: 'not_found' });
  expect(server.lines.join('')).not.toContain('secret-words');
});
