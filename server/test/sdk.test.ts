import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppEnv } from '../src/http/context.js';
import { platformTag } from '../src/site/platformTags.js';
import { createSdkFile, loadSdkFiles } from '../src/site/sdkFiles.js';
import { sdkRoutes } from '../src/site/sdkRoutes.js';
import { runOrderbeacon } from './command.js';
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

it('the current file is fresh for an hour, may be used for 30 days more, and is 304 when it is the same', async () => {
  const { headers, bytes } = await fetchRaw('/sdk/track.js');
  expect(bytes.equals(readFileSync(new URL('../../sdk/dist/track.js', import.meta.url)))).toBe(true);
  expect(headers['cache-control']).toBe(
    'public, max-age=3600, stale-while-revalidate=2592000, stale-if-error=2592000',
  );
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

it.each(['html', 'woocommerce', 'shopify'] as const)(
  'the tag for %s names a server below a path, because the script sends to the origin of its own address',
  (platform) => {
    const publicUrl = 'https://shop.example/orders';
    expect(platformTag(platform, { publicUrl, teamId: 'team_1' }).everyPage).toContain(
      `src="${publicUrl}/sdk/track.js" data-team-id="team_1" data-endpoint="${publicUrl}"`,
    );
  },
);

const releasedFolder = new URL('../../sdk/released/', import.meta.url);
const integrityOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
/** Hashes of the released files on the day of their release, by `<version>/<file>`. */
const integrity: Record<string, string> = JSON.parse(
  readFileSync(new URL('integrity.json', releasedFolder), 'utf8'),
);

it('every file of every release is served byte for byte as it was released, and never changes', async () => {
  expect(integrity['0.1.0/track.js']).toBe(
    'sha384-1qP3B8OX+0m+ME6unEPAKA0xb47O9TJCmGGXIt/tdt5C2H+0Kn8X47puYAAFA6Z3',
  );
  const versions = readdirSync(releasedFolder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(Object.keys(integrity).sort()).toEqual(
    versions.flatMap(({ name }) => [`${name}/debug.js`, `${name}/track.js`]).sort(),
  );
  for (const [path, expected] of Object.entries(integrity)) {
    const { status, headers, bytes } = await fetchRaw(`/sdk/${path}`);
    expect([path, status, integrityOf(bytes)]).toEqual([path, 200, expected]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  }
});

/** A server whose SDK was changed, or given another version, and not released. */
async function startWithUnreleased(version: string) {
  const sdk = await loadSdkFiles();
  const track = createSdkFile(new TextEncoder().encode('/* unreleased */'));
  const current = new Map(sdk.current).set('track.js', track);
  const pinned = sdk.released.get(version) ?? current;
  const app = new Hono<AppEnv>().route('/sdk', sdkRoutes({ ...sdk, version, current, pinned }));
  return async (path: string) => {
    const answer = await app.request(path);
    return [await answer.text(), answer.headers.get('cache-control')!] as const;
  };
}

it('what was changed since the release is served as the current file, never under the release’s version', async () => {
  const get = await startWithUnreleased('0.1.0');
  expect((await get('/sdk/track.js'))[0]).toBe('/* unreleased */');
  const [released, cacheControl] = await get('/sdk/0.1.0/track.js');
  expect([integrityOf(Buffer.from(released)), cacheControl]).toEqual([
    integrity['0.1.0/track.js'],
    'public, max-age=31536000, immutable',
  ]);
});

it('a version that is not released yet is asked for again each time, never immutable', async () => {
  const get = await startWithUnreleased('99.0.0');
  expect(await get('/sdk/99.0.0/track.js')).toEqual(['/* unreleased */', 'no-cache']);
});

it('another version and another file are not here', async () => {
  for (const path of [
    '/sdk/0.0.0/track.js',
    '/sdk/other.js',
    '/sdk/0.1.0/tag.html',
    '/sdk/constructor/track.js',
    '/sdk/..%2Findex.js',
  ]) {
    expect((await fetchRaw(path)).status).toBe(404);
  }
});
