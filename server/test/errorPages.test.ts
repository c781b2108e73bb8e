import { describe, expect, it } from 'vitest';
import { readDocuments } from '../src/site/docs/documents.js';
import { messageOf, statusOf } from '../src/values/errors.js';
import { test } from './shop.js';

const documents = await readDocuments();
const codes = Object.keys(statusOf) as (keyof typeof statusOf)[];

describe('the page of an error code', () => {
  it('exists for each code, and for no other word', () => {
    const pages = documents.flatMap(({ path }) => /^server\/guides\/errors\/(.+)\.md$/.exec(path)?.[1] ?? []);
    expect(pages.sort()).toEqual([...codes].sort());
  });

  it.each(codes)('%s has its status and message, the cause, the fix, its check, and who fixes it', (code) => {
    const { text, title } = documents.find(({ address }) => address === `docs/errors/${code}`)!;
    expect(title).toBe(code);
    expect(text).toContain(`\n> ${statusOf[code]}: ${messageOf[code]}\n`);
    const parts = text.split(/^## (.+)\n/m);
    const headings = parts.filter((_, at) => at % 2 === 1);
    expect(headings).toEqual(['Cause', 'Fix', 'Check', 'Who fixes it']);
    for (const part of [parts[2]!, parts[4]!]) expect(part.trim().length).toBeGreaterThan(40);
    expect(parts[6]!.trim().length).toBeGreaterThan(20);
    expect(parts[8]).toMatch(/\*\*(?:merchant|storefront developer|integrator|operator)\*\*/);
  });
});

test('error.docs leads to the page of the code, from the API, from a page’s report and from other paths', async ({
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
    const page = await server.send('GET', new URL(body.error.docs).pathname);
    expect([page.status, /<h1[^>]*>(.*)<\/h1>/.exec(page.text)?.[1]]).toEqual([200, code]);
  }
});
