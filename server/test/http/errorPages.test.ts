import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/features/docs/documents.js';
import { messageOf, statusOf } from '../../src/values/errors.js';
import { test } from '../kit/shop.js';

const guide = (await readDocuments([])).find(({ address }) => address === 'docs/errors')!;
const codes = Object.keys(statusOf) as (keyof typeof statusOf)[];
const sections = new Map(
  guide.text
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0]!, section]),
);

describe('the guide of error codes', () => {
  it('has a section for each code, and for no other word', () => {
    expect([...sections.keys()].sort()).toEqual([...codes].sort());
  });

  it.each(codes)('says the status and message, the cause, the fix, and who fixes it, of %s', (code) => {
    const section = sections.get(code)!;
    expect(section).toContain(`\n${statusOf[code]}: ${messageOf[code]}`);
    const [, cause, fix, who] = section.split(/^- \*\*(?:Cause|Fix|Who)\*\*: /m);
    for (const part of [cause!, fix!]) expect(part.trim().length).toBeGreaterThan(25);
    expect(who).toMatch(/merchant|storefront developer|integrator|operator/);
  });
});

test('error.docs leads to the section of the code, from the API, from a page’s report and from other paths', async ({
  server,
  shop,
}) => {
  for (const [code, { body }] of [
    ['domain_not_allowed', await shop.report({}, { origin: 'https://elsewhere.example' })],
    ['invalid_json', await shop.report('{')],
    ['missing_api_key', await server.send('GET', '/svc-api/v1/products/x')],
    ['method_not_allowed', await server.send('PUT', '/svc-api/v1/orders')],
    ['not_found', await server.send('GET', '/nowhere')],
  ] as const) {
    expect([body.error.code, body.error.docs]).toEqual([code, `${server.url}/docs/errors/${code}`]);
    const { status, headers } = await fetch(body.error.docs, { redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([302, `../errors#${code}`]);
    expect((await server.send('GET', '/docs/errors')).text).toContain(`<h2 id="${code}">`);
  }
  expect((await server.send('GET', '/docs/errors/no_such_code')).status).toBe(404);
});

test('a browser that asks for a page that is not there gets one for a person, with ways on; a program gets JSON', async ({
  server,
}) => {
  const open = (path: string, accept?: string) =>
    server.send('GET', path, { headers: accept ? { accept } : {} });
  const browsers = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  for (const path of ['/nowhere', '/nowhere/below', '/docs/nowhere', '/sdk/nowhere.js']) {
    const page = await open(path, browsers);
    expect([path, page.status, page.headers.get('content-type')]).toEqual([
      path,
      404,
      'text/html; charset=UTF-8',
    ]);
    expect(page.text).toContain('<h1>There is no such page</h1>');
    for (const way of ['/console', '/docs', '/docs/api']) expect(page.text).toContain(`<a href="${way}">`);
    expect(page.text).toContain(page.headers.get('x-request-id'));
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
    for (const accept of [undefined, '*/*', 'application/json'])
      expect([accept, (await open(path, accept)).body.error.code]).toEqual([accept, 'not_found']);
  }
  for (const path of ['/svc-api', '/svc-api/v1/nowhere', '/svc-api/v2'])
    expect([path, (await open(path, browsers)).body.error.code]).toEqual([path, 'not_found']);
});
