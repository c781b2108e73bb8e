import { describe, expect } from 'vitest';
import { features } from '../../../src/app/features.js';
import { readDocuments } from '../../../src/features/docs/documents.js';
import { filesBelow } from '../../kit/documentation.js';
import { readDocument } from '../../kit/examples.js';
import type { TestServer } from '../../kit/server.js';
import { test } from '../../kit/shop.js';

const documents = await readDocuments(features.map(({ name }) => name));
const addresses = ['docs', ...documents.map(({ address }) => address)];

/** Lists the targets of a page's links, scripts, styles and pictures, or of a Markdown text's links. */
function targetsIn(text: string): string[] {
  const inHtml = [...text.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]+`/g, '');
  const inMarkdown = [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return text.startsWith('<!doctype') ? inHtml : inMarkdown;
}

/** Lists the links of a page that lead nowhere on this server: no answer of 200, or no heading of that name. */
async function deadLinks(
  server: TestServer,
  path: string,
  text: string,
  known: Map<string, string>,
): Promise<string[]> {
  const dead: string[] = [];
  for (const link of new Set(targetsIn(text))) {
    const url = new URL(link, `${server.url}${path}`);
    if (url.origin !== server.url) continue;
    if (!known.has(url.pathname)) {
      const { status, text } = await server.send('GET', url.pathname);
      // Only signed-in browsers reach the console.
      known.set(url.pathname, status === 200 || url.pathname === '/console' ? `${status}${text}` : '');
    }
    const target = known.get(url.pathname)!;
    const id = decodeURIComponent(url.hash.slice(1));
    const isThere = target !== '' && (id === '' || path.endsWith('.md') || target.includes(` id="${id}"`));
    if (!isThere) dead.push(link);
  }
  return dead;
}

describe('the documentation', () => {
  const known = new Map<string, string>();

  test('serves every guide, recipe and error code of both packages as a page, and as Markdown with .md', async ({
    server,
  }) => {
    expect(addresses).toEqual(
      expect.arrayContaining([
        'docs/settings',
        'docs/sdk',
        'docs/sdk/tag',
        'docs/recipes/shopify',
        'docs/privacy',
      ]),
    );
    for (const { address, title, path } of documents) {
      const html = await server.send('GET', `/${address}`);
      expect([address, html.status, html.headers.get('content-type')]).toEqual([
        address,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(html.text).toContain(`<title>${title.replaceAll("'", '&#39;')} · Orderbeacon</title>`);
      expect(html.text.match(/<h1 /g)).toHaveLength(1);
      const markdown = await server.send('GET', `/${address}.md`);
      expect([address, markdown.status, markdown.headers.get('content-type')]).toEqual([
        address,
        200,
        'text/markdown; charset=utf-8',
      ]);
      // Only the targets of links differ.
      const withoutTargets = (text: string) => text.replace(/\]\([^)\s]+\)/g, ']()');
      expect(withoutTargets(markdown.text)).toBe(withoutTargets(readDocument(path)));
    }
  });

  test('has no link that leads nowhere, on no page and in no Markdown', { tags: ['all'] }, async ({
    server,
  }) => {
    const dead: [string, string[]][] = [];
    for (const address of [
      ...addresses,
      ...addresses.map((address) => `${address}.md`),
      'docs/api',
      'docs/api.md',
      'llms.txt',
    ]) {
      const { text } = await server.send('GET', `/${address}`);
      const found = await deadLinks(server, `/${address}`, text, known);
      if (found.length > 0) dead.push([address, found]);
    }
    expect(dead).toEqual([]);
  });

  test('lists every document with its headings on /docs, and every document in llms.txt', async ({
    server,
  }) => {
    const contents = await server.send('GET', '/docs');
    const list = await server.send('GET', '/llms.txt');
    const full = await server.send('GET', '/llms-full.txt');
    expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(list.text).toMatch(/^# Orderbeacon\n\n> /);
    for (const { address, text } of documents) {
      expect(contents.text).toContain(` href="${address}"`);
      expect(list.text).toContain(`](${address}.md): `);
      expect(full.text).toContain(text);
    }
    expect(contents.text).toContain('<a href="docs/deploying#container">Container</a>');
  });

  test('names no other site but in links that a reader follows, and its policy forbids requests to other sites', async ({
    server,
  }) => {
    for (const path of ['/docs', '/docs/settings', '/docs/api']) {
      const { headers, text } = await server.send('GET', path);
      expect(text).not.toMatch(/(?:src|<link[^>]* href)="(?:https?:)?\/\//);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).not.toMatch(/\*|https?:|unsafe/);
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\bstyle=|<style/);
    }
  });
});

test('a browser that has the docs page keeps its policy', async ({ server }) => {
  const first = await server.send('GET', '/docs');
  const headers = { 'if-none-match': first.headers.get('etag')! };
  const again = await server.send('GET', '/docs', { headers });
  expect(again.status).toBe(304);
  expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
});

test('a file of the docs page is compressed for clients that accept gzip, and 304 for clients that have it', async ({
  server,
}) => {
  const path = '/docs/assets/swagger-ui-bundle.js';
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

test('below /docs only the documents and the files of their pages are served', async ({ server }) => {
  for (const name of [
    'package.json index.html assets/package.json assets/swagger-ui-bundle.js.map',
    '..%2fpackage.json settings.html settings/ constructor settings%00 %F0',
  ].flatMap((line) => line.split(' '))) {
    const { status, body } = await server.send('GET', `/docs/${name}`);
    expect([name, status, body.error.code]).toEqual([name, 404, 'not_found']);
  }
});

test('a document answers no method but GET', async ({ server }) => {
  const { status, headers, body } = await server.send('POST', '/docs/settings.md');
  expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
});

test('a server lists no guide of a feature that it lacks, and every guide of a feature names one that there is', async () => {
  const paths = (await readDocuments(['sources'])).map(({ path }) => path);
  expect(paths).toContain('server/guides/sources.md');
  expect(paths).toContain('server/guides/refunds.md');
  expect(paths).not.toContain('server/guides/webhooks.md');
  // A guide that names a feature of no server would not be listed.
  const listed = documents.map(({ path }) => path);
  expect(listed).toEqual(expect.arrayContaining(filesBelow('server/guides', '.md')));
});

test('a search is answered without a script: the documents that have each of its words, and how many', async ({
  server,
}) => {
  const foundBy = async (query: string) => {
    const { text } = await server.send('GET', `/docs?q=${encodeURIComponent(query)}`);
    return /<p id="found" role="status">([\s\S]*?)<\/p>/.exec(text)![1]!;
  };
  expect(await foundBy('backup restore')).toMatch(/^\d+ of \d+ documents: .*<a href="docs\/backup">/);
  expect(await foundBy('no-such-word-anywhere')).toMatch(/^0 of \d+ documents$/);
  expect(await foundBy('<script>alert(1)</script>')).not.toContain('<script>');
  expect(await foundBy(' ')).toBe('');
});
