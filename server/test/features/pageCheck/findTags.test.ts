import { expect, it } from 'vitest';
import { findTags } from '../../../src/features/pageCheck/findTags.js';
import { readElements } from '../../../src/features/pageCheck/readElements.js';
import { growthOf } from '../../kit/growthOf.js';

const page = 'https://shop.example/thanks';
const find = (html: string) => findTags(readElements(html).elements, page).tags;

it.each([
  ['<script async src="https://o.example/sdk/track.js" data-team-id="team_a"></script>', { team: 'team_a' }],
  ["<SCRIPT SRC='https://o.example/sdk/track.js?team=team_a&amp;x=1'>\n</SCRIPT >", { team: 'team_a' }],
  ['<script src=https://o.example/sdk/1.2.3/track.js data-team-id=team_a></script>', { version: '1.2.3' }],
  [
    '<script data-x="a>b" src="//o.example/sdk/track.js"></script>',
    { src: 'https://o.example/sdk/track.js' },
  ],
  ['<script src="https://o.example/p/sdk/track.js"></script>', { endpoint: 'https://o.example' }],
  [
    '<script src="https://o.example/sdk/track.js?team=team_a" data-team-id="" data-endpoint></script>',
    { team: 'team_a', endpoint: 'https://o.example' },
  ],
  [
    '<script src="/t.js" data-team-id="team_a" data-endpoint="https://o.example/"></script>',
    { endpoint: 'https://o.example' },
  ],
  [
    '<script src="/t.js" data-team-id="team_a" data-endpoint="\n HTTPS://O.example/ "></script>',
    { endpoint: 'https://o.example' },
  ],
  [
    '<script src="/t.js" data-team-id="team_a" data-endpoint=" /p "></script>',
    { endpoint: 'https://shop.example/p' },
  ],
  ['<script integrity="sha384-x" src="/sdk/track.js"></script>', { integrity: 'sha384-x' }],
  // The first of two attributes counts, as in browsers.
  ['<script src="/sdk/track.js" data-team-id="team_a" data-team-id="team_b"></script>', { team: 'team_a' }],
  [
    '<script src="https&#x3A;&#47;&#x2F;o.example/sdk/track.js?a=1&amp;amp;b%26" data-team-id="team_a"></script>',
    { src: 'https://o.example/sdk/track.js?a=1&amp;b%26', team: 'team_a' },
  ],
  [
    '<base target="_top"><base href="/eu/"><base href="/us/"><script src="sdk/track.js" data-team-id=" team_a "></script>',
    { src: 'https://shop.example/eu/sdk/track.js', team: 'team_a' },
  ],
])('%s is a tag', (html, expected) => {
  expect(find(`<html><p a<b>${html}<script>1</script>`)).toMatchObject([expected]);
});

it.each([
  '<!-- <script src="/sdk/track.js"></script> -->',
  '<script>document.write(\'<script src="/sdk/track.js"><\\/script>\')</script>',
  '<script src="https://x.example/jquery.js"></script>',
  '<scripty src="/sdk/track.js"></scripty>',
  '<script src="/sdk/track.js"',
  '<script src="/sdk/track.js">',
  '<textarea><script src="/sdk/track.js"></script></textarea>',
  '<iframe srcdoc=\'<script src="/sdk/track.js"></script>\'></iframe>',
  'track.js',
])('%s is none', (html) => {
  expect(find(html)).toEqual([]);
});

it('finds policies in meta elements, whatever their case and escapes', () => {
  const html = `<META http-equiv="content-security-policy" content="script-src 'self'"><meta charset=utf-8>
    <meta content="script-src &#x27;self&#039; &apos;nonce-a&quot;'" http-equiv=Content-Security-Policy>`;
  expect(findTags(readElements(html).elements, page).policies.map(({ text }) => text)).toEqual([
    "script-src 'self'",
    `script-src 'self' 'nonce-a"'`,
  ]);
});

it('reads a page of 5 MB that was made to be slow, once', { tags: ['all'] }, () => {
  for (const piece of ['<script ', '<script>', '<!--', '<meta "', '<script a="', '<div>', '<a></b>', '&lt']) {
    expect(find(piece.repeat(5_000_000 / piece.length))).toEqual([]);
  }
});

it('reads an endpoint full of slashes in time that grows with it', () => {
  const page = (n: number) => `<script src="/sdk/track.js" data-endpoint="/a${'/'.repeat(n)}x"></script>`;
  expect(growthOf(find, page, 20_000)).toBeLessThan(24);
});
