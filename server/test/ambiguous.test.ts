import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from './rawHttp.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer({
    env: { ORDERBEACON_METRICS_TOKEN: 'a-token-of-32-characters-1234567890' },
  });
});
afterAll(() => server.close());

const get = (path: string, host = 'Host: x\r\n') =>
  sendRaw(server.url, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);

describe('the metrics are shown to nobody without their token', () => {
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
    const { status, text } = await get(path);
    expect([400, 401, 404]).toContain(status);
    expect(text).not.toContain('orderbeacon_');
  });
});

describe('a request that is plain is answered', () => {
  it.each(['/healthz', '/healthz?a=../b\\%2e', '/sdk/track.js', '/docs'])(
    'with the path %s',
    async (path) => {
      expect((await get(path)).status).toBe(200);
    },
  );

  it('with an encoded name in its path', async () => {
    const { uuid } = await server.addTeam();
    const key = await server.addKey(uuid);
    const { status } = await get(
      '/svc-api/v1/products/caf%C3%A9%20%7E',
      `Host: x\r\nAuthorization: Bearer ${key}\r\n`,
    );
    expect(status).toBe(404);
  });

  it.each(['GET /readyz HTTP/1.0\r\n\r\n', 'OPTIONS /svc-api/v1/orders HTTP/1.0\r\n\r\n'])(
    'of HTTP/1.0 without Host, as HAProxy’s check sends it: %j',
    async (bytes) => {
      expect((await sendRaw(server.url, bytes)).status).toBeLessThan(300);
    },
  );
});

it('the log names the team of a report, and nothing that is no team id', async () => {
  const { teamId } = await server.addTeam('shop.example');
  const order = { email: 'ann@buyer.example', amount: 1 };
  const found = await server.report({ ...order, teamId });
  const made = await server.report({ ...order, teamId: 'ann@secret.example' });
  const lineOf = (id: string | null) =>
    JSON.parse(
      server.lines.find((line) => line.includes(`"requestId":"${id}"`) && line.includes('"route"'))!,
    );
  expect(lineOf(found.headers.get('x-request-id')).team).toBe(teamId);
  expect(made.status).toBe(403);
  expect(lineOf(made.headers.get('x-request-id')).team).toBeUndefined();
  expect(server.lines.join('')).not.toContain('secret.example');
});
