import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runOrderbeacon } from './process.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The bytes of an answer as they were sent. */
function fetchRaw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>(
    (resolve, reject) => {
      request(new URL(path, server.url), { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

it('track.js is served plain, as gzip or as brotli, as the browser accepts', async () => {
  const plain = await fetchRaw('/sdk/track.js');
  const gzip = await fetchRaw('/sdk/track.js', { 'accept-encoding': 'gzip' });
  const brotli = await fetchRaw('/sdk/track.js', { 'accept-encoding': 'gzip, deflate, br' });
  const unwanted = await fetchRaw('/sdk/track.js', { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
  expect(plain.headers['content-encoding']).toBe(undefined);
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect([gzip, brotli, unwanted].map(({ headers }) => headers['content-encoding'])).toEqual([
    'gzip',
    'br',
    'gzip',
  ]);
  expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
  expect(plain.headers.vary).toContain('Accept-Encoding');
});

it('the current file is fresh for an hour, and then 304 while it is the same', async () => {
  const { headers } = await fetchRaw('/sdk/track.js');
  expect(headers['cache-control']).toBe('public, max-age=3600');
  const again = await fetchRaw('/sdk/track.js', { 'if-none-match': headers.etag! });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

it('the pinned tag names a file that never changes, with the hash of the served bytes', async () => {
  const { teamId } = await server.addTeam();
  const env = { ...server.env, PUBLIC_URL: server.url };
  const { html } = JSON.parse(
    (await runOrderbeacon(['tag', '--team', teamId, '--pin', '--json'], env)).stdout,
  );
  const [, src, integrity] =
    /src="([^"]+)" data-team-id="team_\w+" integrity="([^"]+)" crossorigin="anonymous"/.exec(html)!;
  const { status, headers, bytes } = await fetchRaw(new URL(src!).pathname);
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
  const plain = JSON.parse((await runOrderbeacon(['tag', '--team', teamId, '--json'], env)).stdout).html;
  expect(plain).toContain(
    `<script async src="${server.url}/sdk/track.js" data-team-id="${teamId}"></script>`,
  );
});

it('another version and another file are 404', async () => {
  for (const path of ['/sdk/0.0.0/track.js', '/sdk/other.js', '/sdk/..%2Findex.js']) {
    expect((await fetchRaw(path)).status).toBe(404);
  }
});
