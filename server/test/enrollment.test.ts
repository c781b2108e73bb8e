import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeId, encodeId, newUuid } from '../src/values/ids.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let key: string;
let sequenceId: string;

beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
  sequenceId = await addSequence(team.uuid);
});
afterAll(() => server.close());

async function addSequence(teamUuid: string) {
  const id = newUuid();
  await server.sql`insert into sequence (team_id, id, name) values (${teamUuid}, ${id}, 'Welcome')`;
  return encodeId('seq', id);
}

/** Adds a person by an order, as a shop does. */
async function buy(teamId: string, email: string): Promise<string> {
  return (await server.report({ teamId, email, amount: 1 })).body.data.peopleId;
}

const subscriptions = () => server.sql`select * from subscription where team_id = ${team.uuid}`;

it('a buyer is enrolled, and enrolling again gives the same subscription', async () => {
  const peopleId = await buy(team.teamId, 'ann@buyer.example');
  const first = await server.enroll(key, { email: ' Ann@Buyer.example ', sequenceId });
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
  expect((await server.enroll(key, { email: 'ann@buyer.example', sequenceId })).body).toEqual(first.body);
  const rows = await subscriptions();
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    id: decodeId('sub', first.body.data.subscriptionId),
    person_id: decodeId('ppl', peopleId),
    sequence_id: decodeId('seq', sequenceId),
  });
});

it('50 concurrent enrollments make one subscription', async () => {
  await buy(team.teamId, 'crowd@buyer.example');
  const other = await addSequence(team.uuid);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => server.enroll(key, { email: 'crowd@buyer.example', sequenceId: other })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200));
  expect(new Set(answers.map((answer) => answer.body.data.subscriptionId)).size).toBe(1);
  const rows =
    await server.sql`select from subscription where team_id = ${team.uuid} and sequence_id = ${decodeId('seq', other)!}`;
  expect(rows).toHaveLength(1);
});

it('40 different concurrent enrollments each get their own answer, and a revoked key enrolls nobody', async () => {
  const dead = await server.addKey(team.uuid);
  expect((await server.enroll(dead, { email: 'no@buyer.example', sequenceId })).status).toBe(404);
  await server.sql`update api_key set revoked_at = now() where team_id = ${team.uuid} and last_four = ${dead.slice(-4)}`;
  const emails = Array.from({ length: 40 }, (_, n) => `many${n}@buyer.example`);
  const people = await Promise.all(emails.map((email) => buy(team.teamId, email)));
  const other = await addSequence(team.uuid);
  const answers = await Promise.all(
    emails.map((email, n) => {
      if (n % 5 === 4) return server.enroll(dead, { email, sequenceId: other });
      return server.enroll(key, {
        email: n % 5 === 3 ? `not-${email}` : email,
        sequenceId: n % 5 === 2 ? encodeId('seq', newUuid()) : n % 5 === 1 ? sequenceId : other,
      });
    }),
  );
  const of = (rest: number) => answers.filter((_, n) => n % 5 === rest);
  for (const [rest, status, code] of [
    [2, 404, 'sequence_not_found'],
    [3, 404, 'person_not_found'],
    [4, 401, 'invalid_api_key'],
  ] as const) {
    expect(of(rest).map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(8).fill([status, code]),
    );
  }
  const stored = (await subscriptions()).map((row) => [row.id, row.sequence_id, row.person_id].join());
  for (const [n, { body }] of answers.entries()) {
    if (n % 5 > 1) continue;
    const { subscriptionId, peopleId, sequenceId } = body.data;
    expect(peopleId).toBe(people[n]);
    const ids = [decodeId('sub', subscriptionId), decodeId('seq', sequenceId), decodeId('ppl', peopleId)];
    expect(stored).toContain(ids.join());
  }
  expect(stored.filter((row) => row.includes(decodeId('seq', other)!))).toHaveLength(8);
});

it('an unknown person or sequence and one of another team get the same answer, byte for byte', async () => {
  const other = await server.addTeam('shop.example');
  await buy(other.teamId, 'theirs@buyer.example');
  await buy(team.teamId, 'ours@buyer.example');
  const theirSequence = await addSequence(other.uuid);
  const unknownSequence = encodeId('seq', newUuid());
  const pairs = [
    [
      'person_not_found',
      { email: 'theirs@buyer.example', sequenceId },
      { email: 'nobody@buyer.example', sequenceId },
    ],
    [
      'sequence_not_found',
      { email: 'ours@buyer.example', sequenceId: theirSequence },
      { email: 'ours@buyer.example', sequenceId: unknownSequence },
    ],
    [
      'sequence_not_found',
      { email: 'ours@buyer.example', sequenceId: 'nonsense' },
      { email: 'ours@buyer.example', sequenceId: unknownSequence },
    ],
  ] as const;
  for (const [code, theirs, unknown] of pairs) {
    const [a, b] = [await server.enroll(key, theirs), await server.enroll(key, unknown)];
    expect([a.status, a.body.error.code]).toEqual([404, code]);
    expect(a.text.replace(a.body.requestId, '')).toBe(b.text.replace(b.body.requestId, ''));
  }
});

it.each([
  [{}, 'email'],
  [{ email: 'x', sequenceId: 's' }, 'email'],
  [{ email: 'a@b.example' }, 'sequenceId'],
  [{ email: 'a@b.example', sequenceId: 5 }, 'sequenceId'],
  [{ email: 'a@b.example', sequenceId: 'nul\u0000' }, 'sequenceId'],
])('%j is refused, naming %s, and enrolls nobody', async (body, field) => {
  const before = (await subscriptions()).length;
  const answer = await server.enroll(key, body);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toContain(field);
  expect(await subscriptions()).toHaveLength(before);
});

it('text/plain is refused here: keys do not belong in browsers', async () => {
  const answer = await server.send('POST', '/svc-api/v1/sequences/enroll', {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
    body: JSON.stringify({ email: 'ann@buyer.example', sequenceId }),
  });
  expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media_type']);
});
