import { expect } from 'vitest';
import { decodeId, encodeId, newUuid } from '../../../src/values/ids.js';
import { test as base, openShop, type Shop } from '../../kit/shop.js';

async function addSequence({ sql, team }: Shop) {
  const id = newUuid();
  await sql`insert into sequence (team_id, id, name) values (${team}, ${id}, 'Welcome')`;
  return encodeId('seq', id);
}

const test = base.extend('sequenceId', ({ shop }) => addSequence(shop));

/** Adds a person by an order. */
async function buy(shop: Shop, email: string): Promise<string> {
  return (await shop.report({ email })).body.data.peopleId;
}

const subscriptions = ({ sql, team }: Shop) => sql`select * from subscription where team_id = ${team}`;

test('a buyer is enrolled, and enrolling again gives the same subscription', async ({ shop, sequenceId }) => {
  const peopleId = await buy(shop, 'ann@buyer.example');
  const first = await shop.enroll({ email: ' Ann@Buyer.example ', sequenceId });
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    success: true,
    data: {
      enrolled: true,
      subscriptionId: expect.stringMatching(/^sub_[0-9a-z]{26}$/),
      peopleId,
      sequenceId,
    },
  });
  expect((await shop.enroll({ email: 'ann@buyer.example', sequenceId })).body).toEqual(first.body);
  const rows = await subscriptions(shop);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    id: decodeId('sub', first.body.data.subscriptionId),
    person_id: decodeId('ppl', peopleId),
    sequence_id: decodeId('seq', sequenceId),
  });
});

test('40 different concurrent enrollments each get their own answer, and a revoked key enrolls nobody', async ({
  shop,
  sequenceId,
}) => {
  const { server, sql, team } = shop;
  const dead = await server.addKey(team);
  expect((await shop.enroll({ email: 'no@buyer.example', sequenceId }, { key: dead })).status).toBe(404);
  await sql`update api_key set revoked_at = now() where team_id = ${team} and last_four = ${dead.slice(-4)}`;
  const other = await addSequence(shop);
  const emails = Array.from({ length: 40 }, (_, n) => `many${n}@buyer.example`);
  const people = await Promise.all(emails.map((email) => buy(shop, email)));
  const ways = [
    { given: (email: string) => ({ email, sequenceId: other }), code: undefined },
    { given: (email: string) => ({ email, sequenceId }), code: undefined },
    {
      given: (email: string) => ({ email, sequenceId: encodeId('seq', newUuid()) }),
      code: 'sequence_not_found',
    },
    { given: (email: string) => ({ email: `not-${email}`, sequenceId: other }), code: 'person_not_found' },
    { given: (email: string) => ({ email, sequenceId: other }), key: dead, code: 'invalid_api_key' },
  ];
  const wayOf = (n: number) => ways[n % ways.length]!;
  const answers = await Promise.all(emails.map((email, n) => shop.enroll(wayOf(n).given(email), wayOf(n))));
  expect(answers.map(({ body }) => body.error?.code)).toEqual(emails.map((_, n) => wayOf(n).code));
  const stored = (await subscriptions(shop)).map((row) => [row.id, row.sequence_id, row.person_id].join());
  expect(stored).toHaveLength(16);
  for (const [n, { body }] of answers.entries()) {
    if (!body.success) continue;
    const { subscriptionId, peopleId, sequenceId: into } = body.data;
    expect([peopleId, into]).toEqual([people[n], wayOf(n).given('').sequenceId]);
    const ids = [decodeId('sub', subscriptionId), decodeId('seq', into), decodeId('ppl', peopleId)];
    expect(stored).toContain(ids.join());
  }
});

test('an unknown person or sequence and one of another team get the same answer, byte for byte', async ({
  shop,
  sequenceId,
}) => {
  const others = await openShop(shop.server);
  await buy(others, 'theirs@buyer.example');
  const email = 'ours@buyer.example';
  await buy(shop, email);
  const unknown = { email, sequenceId: encodeId('seq', newUuid()) };
  for (const [code, one, other] of [
    [
      'person_not_found',
      { email: 'theirs@buyer.example', sequenceId },
      { email: 'no@body.example', sequenceId },
    ],
    ['sequence_not_found', { email, sequenceId: await addSequence(others) }, unknown],
    ['sequence_not_found', { email, sequenceId: 'nonsense' }, unknown],
  ] as const) {
    const [a, b] = [await shop.enroll(one), await shop.enroll(other)];
    expect([a.status, a.body.error.code]).toEqual([404, code]);
    expect(a.text.replace(a.body.requestId, '')).toBe(b.text.replace(b.body.requestId, ''));
  }
});

test.for([
  [{}, 'email'],
  [{ email: 'x', sequenceId: 's' }, 'email'],
  [{ email: 'a@b.example' }, 'sequenceId'],
  [{ email: 'a@b.example', sequenceId: 5 }, 'sequenceId'],
  [{ email: 'a@b.example', sequenceId: null }, 'sequenceId'],
  [{ email: 'a@b.example', sequenceId: 'nul\u0000' }, 'sequenceId'],
] as const)('%j is refused, naming %s, and enrolls nobody', async ([body, field], { shop }) => {
  const answer = await shop.enroll(body);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toContain(field);
  expect(answer.text).not.toContain('can be left out');
  expect(await subscriptions(shop)).toEqual([]);
});
