import type { Failure } from '@orderbeacon/sdk/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocuments } from '../src/site/docs/documents.js';
import { messageOf, statusOf } from '../src/values/errors.js';
import { startTestServer } from './server.js';

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

describe('error.docs', () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  /** Asserts that a refusal names its page, and that the page is there on the server that refused. */
  async function expectPage({ error }: Failure, code: string) {
    expect([error.code, error.docs]).toEqual([code, `${server.url}/docs/errors/${code}`]);
    const page = await server.send('GET', new URL(error.docs!).pathname);
    expect([page.status, /<h1[^>]*>(.*)<\/h1>/.exec(page.text)?.[1]]).toEqual([200, code]);
  }

  it('leads to the page of the code, from the API, from a page’s report and from other paths', async () => {
    const { teamId } = await server.addTeam('shop.example');
    const report = { teamId, email: 'ann@buyer.example', amount: 1 };
    const origin = { origin: 'https://elsewhere.example' };
    await expectPage((await server.report(report, origin)).body, 'domain_not_allowed');
    await expectPage((await server.report('{', { origin: 'https://shop.example' })).body, 'invalid_json');
    await expectPage((await server.send('GET', '/svc-api/v1/products/x')).body, 'missing_api_key');
    await expectPage((await server.send('PUT', '/svc-api/v1/orders')).body, 'method_not_allowed');
    await expectPage((await server.send('GET', '/nowhere')).body, 'not_found');
  });
});
