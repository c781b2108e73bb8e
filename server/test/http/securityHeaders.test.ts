import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDemoTeam } from '../../src/features/demo/demoTeam.js';
import { startTestServer, type TestServer } from '../kit/server.js';
import { openShop } from '../kit/shop.js';

/** A server without a proxy. Through one, neither metrics nor the demo are visible. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('every answer has its request’s id and forbids type guessing, and every one but those of the endpoints loading and framing; the SDK stays usable from every origin', async () => {
  const shop = await openShop(server);
  const answers = [
    await shop.report(),
    await shop.report('{'),
    await server.send('OPTIONS', '/svc-api/v1/orders', { headers: { origin: 'https://shop.example' } }),
    await server.send('PUT', '/svc-api/v1/orders'),
    await server.send('GET', '/svc-api/v1/products/x'),
    await server.send('GET', '/nowhere'),
    await server.send('GET', '/healthz'),
    await server.send('GET', '/metrics'),
    await server.send('GET', '/openapi.json'),
    await server.send('GET', '/docs'),
    await server.send('GET', '/sdk/track.js'),
    await server.send('GET', '/sdk/track.js', { headers: { 'if-none-match': '*' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    200, 400, 204, 405, 401, 404, 200, 200, 200, 200, 200, 304,
  ]);
  const endpointAnswers = answers.slice(0, 5).map(({ headers }) => headers);
  for (const { headers } of answers) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    if (!endpointAnswers.includes(headers))
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
  }
  expect(answers[0]!.headers.has('content-security-policy')).toBe(false);
  const types = answers.map(({ headers }) => headers.get('content-type'));
  expect(types.filter((type) => type === 'application/json')).toHaveLength(7);
  expect(answers.at(-1)!.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
});

test('the demo page runs only its own scripts, by a nonce that changes with each request', async () => {
  await ensureDemoTeam(server.sql, server.url);
  const nonces = new Set<string>();
  for (let n = 0; n < 2; n++) {
    const { headers, text } = await server.send('GET', '/demo');
    const policy = headers.get('content-security-policy')!;
    const nonce = /script-src 'nonce-([\w+/=]{22,})';/.exec(policy)![1]!;
    expect(policy).toContain(`connect-src 'self' ${server.url};`);
    const tags = text.match(/<(script|style|link nonce)\b[^>]*>/g)!;
    expect(tags.length).toBe(7);
    expect(text.match(/<link\b[^>]*rel="stylesheet"/g)).toHaveLength(3);
    for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});
