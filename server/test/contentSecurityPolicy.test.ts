import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPolicies } from '../src/site/checks/contentSecurityPolicy.js';

const page = 'https://shop.example/thanks';
const url = 'https://orders.shop.example/sdk/track.js';

/** True if the policies allow the tag's script. */
const allows = (
  texts: string[],
  script: { url?: string; nonce?: string; integrity?: string } = {},
  from = page,
) => readPolicies(texts, from).allowScript({ url, ...script });

describe('a script of another host passes', () => {
  it.each([
    ["default-src 'self' https://orders.shop.example"],
    ["script-src 'self' *.shop.example"],
    ['script-src orders.shop.example:443'],
    ['script-src orders.shop.example:*'],
    ['script-src https:'],
    ['script-src *'],
    ['script-src https://orders.shop.example/sdk/'],
    ['script-src https://orders.shop.example/sdk/track.js'],
    ["script-src 'none'; script-src-elem https://orders.shop.example"],
    ['img-src https://elsewhere.example'],
    ['script-src HTTPS://ORDERS.shop.example/sdk/track.js?team=team_a'],
    ["SCRIPT-SRC HTTPS://Orders.Shop.Example; script-src 'none'"],
    [''],
  ])('%s', (text) => {
    expect(allows([text])).toBe(true);
  });

  it.each([
    ["script-src 'nonce-aB3='", { nonce: 'aB3=' }],
    ["script-src 'Strict-Dynamic' 'NONCE-aB3='", { nonce: 'aB3=' }],
    ["script-src 'sha384-AAA'", { integrity: 'sha384-AAA' }],
    ["script-src 'self'", { url: 'https://shop.example/sdk/track.js' }],
    ['script-src http://orders.shop.example', {}],
  ])('%s with %j', (text, script) => {
    expect(allows([text], script)).toBe(true);
  });
});

describe('a script of another host is stopped', () => {
  it.each([
    ["default-src 'self'"],
    ["script-src 'none'"],
    ['script-src'],
    ['script-src shop.example'],
    ['script-src *.orders.shop.example'],
    ['script-src https://orders.shop.example:8443'],
    ['script-src https://orders.shop.example/other/'],
    ['script-src https://orders.shop.example/SDK/'],
    ['script-src https://orders.shop.example:443#sdk'],
    ["script-src 'strict-dynamic' https://orders.shop.example"],
    ["script-src https://orders.shop.example, default-src 'self'"],
  ])('%s', (text) => {
    expect(allows([text])).toBe(false);
  });

  it.each([
    ["script-src 'nonce-aB3='", { nonce: 'ab3=' }],
    ["script-src 'sha384-AAA'", { integrity: 'sha384-AAA sha384-BBB' }],
    ['script-src https://orders.shop.example', { url: 'http://orders.shop.example/sdk/track.js' }],
  ])('%s with %j', (text, script) => {
    expect(allows([text], script)).toBe(false);
  });

  it('by any one of several policies', () => {
    expect(allows(['script-src *', "script-src 'self'"])).toBe(false);
  });
});

it('lines in the page pass by a nonce, a hash, or unsafe-inline where neither stands beside it', () => {
  const text = "track('order', { amount: 1 })";
  const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const inline = (policy: string, nonce?: string) =>
    readPolicies([policy], page).allowInline({ text, nonce });
  expect(inline("script-src 'unsafe-inline'")).toBe(true);
  expect(inline("script-src 'nonce-x'", 'x')).toBe(true);
  expect(inline(`script-src ${hash}`)).toBe(true);
  expect(inline(`script-src ${hash.replace('sha', 'SHA').replaceAll('+', '-').replaceAll('/', '_')}`)).toBe(
    true,
  );
  expect(inline("script-src 'unsafe-inline' 'nonce-'")).toBe(true);
  expect(inline("script-src 'self'")).toBe(false);
  expect(inline("script-src 'unsafe-inline' 'nonce-x'")).toBe(false);
  expect(inline("script-src 'sha256-other'")).toBe(false);
});

it('a report passes by connect-src, else by default-src', () => {
  const connect = (policy: string) =>
    readPolicies([policy], page).allowConnect('https://orders.shop.example/svc-api/v1/orders');
  expect(connect('script-src *')).toBe(true);
  expect(connect('default-src *.shop.example')).toBe(true);
  expect(connect("default-src *; connect-src 'self'")).toBe(false);
  expect(connect('connect-src https://orders.shop.example/svc-api/')).toBe(true);
});
