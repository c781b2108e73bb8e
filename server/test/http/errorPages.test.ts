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
