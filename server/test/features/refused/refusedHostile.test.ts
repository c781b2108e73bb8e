import type { Issue } from '@orderbeacon/sdk/contract';
import { expect } from 'vitest';
import { groupRefused } from '../../../src/features/refused/sql/groupRefused.js';
import { type Shop, test } from '../../kit/shop.js';
import { replay } from './kit/refused.js';

const foreign = { origin: 'https://other.example' };
const correction = { email: 'ann@mail.example', amount: 2, orderId: 'o', currency: 'USD' };

const replayed = async ({ sql, team }: Shop, changes?: object) =>
  (await replay(sql, team, {}, changes ? { changes } : {})).map(({ outcome }) =>
    outcome.kind === 'refused' ? outcome.code : outcome.kind,
  );

// Bodies that are JSON and name the team. Their bytes are kept, whatever they contain.
test.for<[string, (teamId: string) => string]>([
  [
    'NUL',
    (id) =>
      `{"teamId":"${id}","email":"a\\u0000@b.example","orderId":"\\u0000","amount":1,"currency":"\\u0000"}`,
  ],
  [
    'lone surrogates',
    (id) => `{"teamId":"${id}","email":"\\ud800@b.example","orderId":"\\udfff","\\ud800":1,"amount":1}`,
  ],
  ['__proto__', (id) => `{"__proto__":{"teamId":1},"teamId":"${id}","email":"a","amount":1,"constructor":1}`],
  ['the same field twice', (id) => `{"email":"x","teamId":"","amount":"1","amount":-1,"teamId":"${id}"}`],
  ['deep nesting', (id) => `{"teamId":"${id}","email":${'['.repeat(2_000)}${']'.repeat(2_000)},"amount":{}}`],
  ['a deep orderId', (id) => `{"teamId":"${id}","orderId":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  [
    'huge numbers',
    (id) => `{"teamId":"${id}","email":"a@b.example","amount":1e400,"orderId":123456789012345678901}`,
  ],
  ['a huge amount', (id) => `{"teamId":"${id}","email":"a","amount":1e308}`],
  ['a tiny amount', (id) => `{"teamId":"${id}","email":"a","amount":5e-324}`],
  ['SQL and HTML', (id) => `{"teamId":"${id}","email":"'; drop table person; --","amount":"<script>"}`],
  ['white space and escapes', (id) => `\n\t {"te\\u0061mId" : "${id}" , "email":"a"\r\n,"amount":1 } \n`],
])('a body with %s is kept byte for byte, and can be corrected', async ([_, bodyOf], { shop }) => {
  const body = bodyOf(shop.teamId);
  const answer = await shop.report(body);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  const kept = await shop.refused();
  expect(kept.map(({ body, host }) => ({ body, host }))).toEqual([{ body, host: shop.domain }]);
  expect(await groupRefused(shop.sql, shop.team)).toHaveLength(1);
  expect(await replayed(shop)).toEqual(['invalid_request']);
  expect(await replayed(shop, correction)).toEqual(['new']);
});

test.for(['email', 'amount', 'currency', 'orderId', 'createdAt', 'changedAt'])(
  'a list of 5,000 lists as %s is refused as such, and the console shows it',
  async (field, { shop }) => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const body = JSON.stringify({ ...shop.order({ currency: 'EUR' }), [field]: 'deep' }).replace(
      '"deep"',
      deep,
    );
    const { status, body: answer } = await shop.reportByKey(body);
    expect([status, answer.error.issues]).toMatchObject([400, [{ path: field }]]);
    expect((await shop.report(body)).status).toBeLessThan(500);
    const { cookie } = await shop.console();
    const page = await shop.server.send('GET', `/console/${shop.teamId}/refused`, { headers: { cookie } });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(field)]);
  },
);

test('a list of 5,000 lists as the user of an API key of WooCommerce is refused', async ({ server }) => {
  const body = `{"user_id":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const headers = { 'content-type': 'application/json' };
  const { status } = await server.send('POST', '/svc-api/v1/woocommerce/key', { headers, body });
  expect(status).toBeLessThan(500);
});

test('a key report’s invalid items, by names of its own, are kept with their issues', async ({ shop }) => {
  const items = '[{},{"\\ud800":"\\u0000","a\\u0000":1e400}]';
  const body = `{"teamId":"${shop.teamId}","email":"a@b.example","amount":1,"items":${items}}`;
  expect((await shop.reportByKey(body)).status).toBe(400);
  const [entry] = await shop.refused();
  expect(entry!.issues.map(({ path }: Issue) => path)).toEqual(expect.arrayContaining(['items.1.\ufffd']));
  expect(entry!.field).toBe('items.*');
});

test.for([
  ['NUL', 'a\\u0000'],
  ['a lone surrogate', '\\ud800'],
  ['an emoji that the shortened path cuts', `${'x'.repeat(191)}😀`],
] as const)(
  'an item field with %s in its name keeps no other report from being replayed',
  async ([_, name], { shop }) => {
    await shop.report({}, foreign);
    const items = `[{"${name}":"\\u0000"}]`;
    const bad = `{"teamId":"${shop.teamId}","email":"a@b.example","amount":1,"items":${items}}`;
    expect((await shop.reportByKey(bad)).status).toBe(400);
    await shop.addDomain('other.example');
    expect(await replayed(shop)).toEqual(['new', 'invalid_request']);
    const [left, ...others] = await shop.refused();
    expect([left!.body, left!.reason, others]).toEqual([bad, 'invalid_request', []]);
    expect(left!.issues.every(({ path }: Issue) => path.isWellFormed() && !path.includes('\0'))).toBe(true);
  },
);

test.for(['[]', 'null', '7'])(
  'a key report whose body is %s is kept, and can be corrected',
  async (body, { shop }) => {
    expect((await shop.reportByKey(body)).body.error.code).toBe('invalid_request');
    expect(await replayed(shop, correction)).toEqual(['new']);
  },
);
