import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformTag } from '../../../src/console/setup/platformTags.js';
import { loadSdkFiles, type SdkFiles } from '../../../src/core/script/sdkFiles.js';
import { scriptHtml } from '../../../src/core/script/tag.js';
import { version } from '../../../src/values/version.js';
import { runOrderbeacon } from '../../kit/command.js';
import { earlierRelease, loadReleasedSdk } from '../../kit/madeUpReleases.js';
import { startTestServer } from '../../kit/server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const builtFile = (name: string) => readFileSync(new URL(`../../../../sdk/dist/${name}`, import.meta.url));

/** Reads the bytes of an answer as they were sent. */
function fetchRaw(path: string, headers: Record<string, string> = {}, url = server.url) {
  return new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>(
    (resolve, reject) => {
      request(new URL(path, url), { headers }, (response) => {
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
  // The guides promise this size.
  expect(gzip.bytes.length).toBeLessThanOrEqual(3350);
  expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
  expect(plain.headers.vary).toContain('Accept-Encoding');
});

it('the current file is fresh for an hour, may be used for 30 days more, and is 304 when it is the same', async () => {
  const { headers, bytes } = await fetchRaw('/sdk/track.js');
  expect(bytes.equals(builtFile('track.js'))).toBe(true);
  expect(headers['cache-control']).toBe(
    'public, max-age=3600, stale-while-revalidate=2592000, stale-if-error=2592000',
  );
  const again = await fetchRaw('/sdk/track.js', { 'if-none-match': headers.etag! });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

it('the command pins the tag to a released version alone, and says so in a development version', async () => {
  const { teamId } = await server.addTeam();
  const env = { ...server.env, PUBLIC_URL: server.url };
  const { pin } = await loadSdkFiles();
  const { code, stdout, stderr } = await runOrderbeacon(['tag', '--team', teamId, '--pin'], env);
  const refusal = 'This is a development version; a pin exists for released versions.';
  expect([code, stdout, stderr]).toEqual(
    pin
      ? [
          0,
          expect.stringContaining(
            `/sdk/${pin.version}/track.js" data-team-id="${teamId}" data-endpoint="${server.url}" integrity=`,
          ),
          expect.stringMatching(/^Used /),
        ]
      : [2, '', expect.stringContaining(refusal)],
  );
  const plain = JSON.parse((await runOrderbeacon(['tag', '--team', teamId, '--json'], env)).stdout).html;
  expect(plain).toContain(
    `<script async src="${server.url}/sdk/track.js" data-team-id="${teamId}" data-endpoint="${server.url}"></script>`,
  );
});

it.each(['html', 'woocommerce', 'shopify'] as const)(
  'the tag for %s names its server, because optimisers copy the script to another host, and a server may lie below a path',
  (platform) => {
    for (const publicUrl of ['https://orders.example', 'https://shop.example/orders'])
      expect(platformTag(platform, { publicUrl, teamId: 'team_1' }).everyPage).toContain(
        `src="${publicUrl}/sdk/track.js" data-team-id="team_1" data-endpoint="${publicUrl}"`,
      );
  },
);

describe('a server with released versions', () => {
  let sdk: SdkFiles;
  let releases: Awaited<ReturnType<typeof startTestServer>>;
  beforeAll(async () => {
    sdk = await loadReleasedSdk();
    releases = await startTestServer({ sdk });
  });
  afterAll(() => releases.close());

  it('serves every file of every release byte for byte, as one that never changes', async () => {
    for (const [name, text] of Object.entries(earlierRelease)) {
      const { status, headers, bytes } = await fetchRaw(`/sdk/0.0.1/${name}`, {}, releases.url);
      expect([name, status, bytes.toString()]).toEqual([name, 200, text]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    const { status, bytes } = await fetchRaw('/sdk/0.0.2/debug.js', {}, releases.url);
    expect([status, bytes.equals(builtFile('debug.js'))]).toEqual([200, true]);
  });

  it('pins a tag to the release that it serves as the current file, with the hash of the served bytes', async () => {
    const { teamId } = await releases.addTeam();
    const tag = scriptHtml({ publicUrl: releases.url, teamId, pinnedTo: sdk.pin! });
    const [, src, integrity] =
      /src="([^"]+)" data-team-id="team_\w+" data-endpoint="[^"]+" integrity="([^"]+)" crossorigin="anonymous"/.exec(
        tag,
      )!;
    expect(src).toBe(`${releases.url}/sdk/0.0.2/track.js`);
    const { bytes } = await fetchRaw(src!);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    expect(bytes.equals((await fetchRaw('/sdk/track.js', {}, releases.url)).bytes)).toBe(true);
  });

  it('has no other version, not even its own before its release, and no other file', async () => {
    const paths = ['/sdk/0.0.1/tag.html', '/sdk/0.0.3/track.js', '/sdk/integrity.json', '/sdk/0.0.1/'];
    for (const path of [...paths, `/sdk/${version}/track.js`])
      expect([path, (await fetchRaw(path, {}, releases.url)).status]).toEqual([path, 404]);
  });
});

it('the released files are the ones whose hashes were noted on the day of their release', () => {
  const folder = new URL('../../../../sdk/released/', import.meta.url);
  const versions = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const hashes = versions.flatMap(({ name }) =>
    ['debug.js', 'track.js'].map((file) => {
      const bytes = readFileSync(new URL(`${name}/${file}`, folder));
      return [`${name}/${file}`, `sha384-${createHash('sha384').update(bytes).digest('base64')}`];
    }),
  );
  expect(Object.fromEntries(hashes)).toEqual(
    JSON.parse(readFileSync(new URL('integrity.json', folder), 'utf8')),
  );
});

it('another version and another file are not here', async () => {
  for (const path of [
    '/sdk/0.0.0/track.js',
    '/sdk/other.js',
    '/sdk/constructor/track.js',
    '/sdk/..%2Findex.js',
  ]) {
    expect((await fetchRaw(path)).status).toBe(404);
  }
});
