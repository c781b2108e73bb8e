import { afterAll, beforeAll, expect, it } from 'vitest';
import { groupRefused } from '../src/refused/sql/listRefused.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { replay, waitingOf } from './refused.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const foreign = { origin: 'https://other.example' };

/** Bodies that are JSON and name the team; whatever they say, the bytes are kept. */
const hostile: [string, (teamId: string) => string][] = [
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
  ['a negative amount', (id) => `{"teamId":"${id}","email":"a@b.example","amount":-5}`],
  ['SQL and HTML', (id) => `{"teamId":"${id}","email":"'; drop table person; --","amount":"<script>"}`],
  ['white space and escapes', (id) => `\n\t {"te\\u0061mId" : "${id}" , "email":"a"\r\n,"amount":1 } \n`],
];

it.each(hostile)('a body with %s is kept byte for byte', async (_, bodyOf) => {
  const { uuid, teamId } = await server.addTeam('other.example');
  const body = bodyOf(teamId);
  const answer = await server.report(body, foreign);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  const [entry, ...others] = await waitingOf(server.sql, uuid);
  expect(others).toEqual([]);
  expect(entry!.body).toBe(body);
  expect(entry!.host).toBe('other.example');
  expect(await groupRefused(server.sql, uuid)).toHaveLength(1);
  const [again] = await replay(server.sql, uuid);
  expect(again!.outcome).toMatchObject({ kind: 'refused', code: 'invalid_request' });
  const correction = { email: 'ann@mail.example', amount: 2, orderId: 'o', currency: 'USD' };
  const [stored] = await replay(server.sql, uuid, {}, { changes: correction });
  expect(stored!.outcome.kind).toBe('new');
});

it('a key report’s invalid items, by names of its own, are kept with their issues', async () => {
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const body = `{"teamId":"${teamId}","email":"a@b.example","amount":1,"items":[{},{"\\ud800":"\\u0000","a\\u0000":1e400}]}`;
  expect((await server.reportByKey(key, body)).status).toBe(400);
  const [entry] = await waitingOf(server.sql, uuid);
  expect(entry!.issues!.map(({ path }) => path)).toEqual(expect.arrayContaining(['items.1.\ufffd']));
  expect(entry!.field).toBe('items.*');
});

it.each([
  ['NUL', 'a\\u0000'],
  ['a lone surrogate', '\\ud800'],
  ['an emoji that the shortened path cuts', `${'x'.repeat(191)}😀`],
])('an item field with %s in its name keeps no other report from being replayed', async (_, name) => {
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const order = { teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' };
  await server.report(order, foreign);
  const bad = `{"teamId":"${teamId}","email":"a@b.example","amount":1,"items":[{"${name}":"\\u0000"}]}`;
  expect((await server.reportByKey(key, bad)).status).toBe(400);
  await addDomain(server.sql, uuid, { entry: 'other.example', isTest: false });
  const outcomes = (await replay(server.sql, uuid)).map(({ outcome }) => outcome.kind);
  expect(outcomes).toEqual(['new', 'refused']);
  const [left, ...others] = await waitingOf(server.sql, uuid);
  expect([left!.body, left!.reason, others]).toEqual([bad, 'invalid_request', []]);
  expect(left!.issues!.every(({ path }) => path.isWellFormed() && !path.includes('\0'))).toBe(true);
});

it.each([
  [[], 'invalid_request'],
  [null, 'invalid_request'],
  [7, 'invalid_request'],
])('a key report whose body is %j is kept for the key’s team, and can be corrected', async (body, code) => {
  const { uuid } = await server.addTeam();
  const key = await server.addKey(uuid);
  expect((await server.reportByKey(key, JSON.stringify(body))).body.error.code).toBe(code);
  const changes = { email: 'ann@mail.example', amount: 2 };
  expect((await replay(server.sql, uuid, {}, { changes }))[0]!.outcome.kind).toBe('new');
});

/** Bodies over 64 KiB with a byte or a sign at the very place where they are cut. */
const cut: [string, (before: string) => string | Buffer, object][] = [
  ['in the middle of a character', (before) => `${before},"name":"${'é'.repeat(40_000)}"}`, { amount: '1' }],
  ['in the middle of four bytes', (before) => `${before},"name":"x${'😀'.repeat(20_000)}"}`, { amount: '1' }],
  ['after NUL bytes', (before) => `${before},"a":"\0\0${'x'.repeat(70_000)}"}`, { amount: '1' }],
  [
    'after bytes that are no UTF-8',
    (before) => Buffer.concat([Buffer.from(`${before},"a":"`), Buffer.alloc(70_000, 0xff)]),
    { amount: '1' },
  ],
  [
    'in a number',
    (before) => `${before},"currency":"EUR","orderId":"o","big":${'1'.repeat(70_000)}}`,
    { amount: '1', currency: 'EUR', orderId: 'o' },
  ],
  [
    'in items',
    (before) => `${before},"items":[{"a":"]}\\"${'{['.repeat(40_000)}"}],"currency":"EUR"}`,
    { amount: '1', currency: 'USD' },
  ],
  [
    'after nested fields',
    (before) => `${before},"x":{"y":["}",{"z":"]"}]},"orderId":"o","s":"${'s'.repeat(70_000)}"}`,
    { amount: '1', orderId: 'o' },
  ],
  ['in a nested field', (before) => `${before},"x":${'['.repeat(70_000)}`, { amount: '1' }],
];

it.each(cut)(
  'a body that is cut %s is kept, and its order stored where its money is there',
  async (_, bodyOf, read) => {
    const { uuid, teamId } = await server.addTeam();
    const body = bodyOf(`{"teamId":"${teamId}","email":"ann@mail.example","amount":1`);
    const answer = await server.report(body, foreign);
    expect(answer.body.error.code).toBe('payload_too_large');
    const found = await waitingOf(server.sql, uuid);
    expect(found).toMatchObject([{ isCut: true, ...read }]);
    const sent = Buffer.from(body).toString().replaceAll('\0', '');
    expect(found[0]!.body.length).toBeGreaterThan(16_000);
    expect(sent.startsWith(found[0]!.body)).toBe(true);
    await addDomain(server.sql, uuid, { entry: 'other.example', isTest: false });
    if (!('orderId' in read)) {
      // Its reportId may be in the part that is lost: stored under another one, the order would be doubled.
      expect((await replay(server.sql, uuid))[0]!.outcome).toMatchObject({ code: 'payload_too_large' });
    }
    const [stored] = await replay(
      server.sql,
      uuid,
      {},
      'orderId' in read ? {} : { changes: { orderId: 'o' } },
    );
    expect(stored!.outcome.kind).toBe('new');
  },
);
