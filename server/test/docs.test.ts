import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('the docs page names no other site, and its policy forbids requests to other sites', async () => {
  const { status, headers, text } = await server.send('GET', '/docs');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
  expect(links).toHaveLength(7);
  for (const link of links) {
    const file = await server.send('GET', new URL(link, `${server.url}/docs`).pathname);
    // The console is for those who are signed in.
    expect([link, file.status]).toEqual([link, link === 'console' ? 303 : 200]);
    if (link.endsWith('.js')) expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  }
  const policy = headers.get('content-security-policy')!;
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toMatch(/\*|https?:|unsafe/);
});

it('a browser that has the docs page keeps its policy', async () => {
  const first = await server.send('GET', '/docs');
  const headers = { 'if-none-match': first.headers.get('etag')! };
  const again = await server.send('GET', '/docs', { headers });
  expect(again.status).toBe(304);
  expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
});

it('a file of the docs page is compressed for clients that accept gzip, and 304 for clients that have it', async () => {
  const path = '/docs/swagger-ui-bundle.js';
  const plain = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  const refused = await fetch(server.url + path, { headers: { 'accept-encoding': 'gzip;q=0' } });
  expect(refused.headers.get('content-encoding')).toBeNull();
  const packed = await fetch(server.url + path, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(await packed.text()).toBe(await plain.text());
  const headers = { 'if-none-match': plain.headers.get('etag')! };
  expect((await server.send('GET', path, { headers })).status).toBe(304);
});

it('below /docs only the files of the docs page are served', async () => {
  for (const name of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui-bundle.js.map']) {
    const { status, body } = await server.send('GET', `/docs/${name}`);
    expect([name, status, body.error.code]).toEqual([name, 404, 'not_found']);
  }
});

it.each(['/docs', '/docs/start.js', '/openapi.json'])('%s answers no method but GET', async (path) => {
  const { status, headers, body } = await server.send('POST', path);
  expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
});
