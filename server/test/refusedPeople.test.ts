import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eraseBuyer } from '../src/commands/eraseBuyer.js';
import { findSecret } from '../src/database/installation.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { lockRefused, removeRefused } from '../src/refused/sql/replayRefused.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { readEmail } from '../src/values/email.js';
import { personUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { createTestDatabase } from './database.js';
import { findLockWaits } from './lockWaits.js';
import { waitingOf } from './refused.js';
import { startServerForTest } from './server.js';
import { temporaryFolder } from './temporaryFolder.js';

const foreign = { origin: 'https://other.example' };

async function json(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await runOrderbeacon([...args, '--json'], env);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

it('somebody who is known by refused reports alone is exported and erased, and nobody else', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const ann = { teamId, email: ' Ann@Buyer.example ', amount: 1, orderId: 'o-1' };
  await server.report(ann, foreign);
  // An email that is none, in a body that mentions it.
  await server.report({ ...ann, email: 'Ann or Bob, ann@buyer.example' });
  await server.report(
    { teamId, email: 'joann@buyer.example', amount: 1, name: 'ann@buyer.example' },
    foreign,
  );
  await server.report({ teamId, email: 'Jo or Bob, joann@buyer.example', amount: 1 }, foreign);
  const of = (email: string) => ['--team', teamId, '--email', email];

  const exported = await json(server.env, 'person', 'export', ...of('ann@buyer.example'));
  expect(exported).toMatchObject({
    id: expect.stringMatching(/^ppl_/),
    email: 'ann@buyer.example',
    name: null,
    createdAt: null,
    subscriptions: [],
    orders: [],
    refused: [{ reason: 'invalid_request' }, { reason: 'domain_not_allowed', body: JSON.stringify(ann) }],
  });
  const erased = await json(server.env, 'person', 'erase', ...of('ann@buyer.example'));
  expect(erased).toEqual({
    id: exported.id,
    email: 'ann@buyer.example',
    name: null,
    orders: 0,
    subscriptions: 0,
    refused: 2,
  });
  expect(await waitingOf(server.sql, uuid)).toHaveLength(2);
  const again = await runOrderbeacon(['person', 'erase', ...of('ann@buyer.example')], server.env);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('no person with the email')]);
  // The figures stay.
  const count = async () => (await server.sql`select sum(reports)::int as reports from refused_count`)[0];
  await expect.poll(count).toEqual({ reports: 4 });
});

it.each([
  ['ann@buyer.example', '"Ann \\u003Cann@buyer.example\\u003e"'],
  ['ann@buyer.example', '"bob@buyer.example,\\nann@buyer.example"'],
  ['ann@buyer.example', '"Mx <Ann\\u0040buyer.example>"'],
  ['ann+1@buyer.example', '"Mx <ann\\u002B1@buyer.example>"'],
  ['zoë@bücher.example', '"Mx <zo\\u00eb@b\\u00FCcher.example>"'],
  ['zoë@bücher.example', '"Mx <ZO\\u00cb@b\\u00dccher.example>"'],
  ['zoë@bücher.example', '"Mx <ZOË@BÜCHER.example>"'],
  ['😀@buyer.example', '"Mx <😀@buyer.example>"'],
  ['😀@buyer.example', '"Mx <\\ud83d\\ude00@buyer.example>"'],
])('a buyer %s is found in a body that writes the email as %s, and nobody else', async (written, sent) => {
  const email = readEmail(written)!;
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  await server.report(`{"teamId":"${teamId}","amount":1,"orderId":"o-1","email":[${sent}]}`);
  await server.report(`{"teamId":"${teamId}","amount":1,"orderId":"o-2","email":["Mx <x${written}>"]}`);
  expect(await waitingOf(server.sql, uuid)).toHaveLength(2);
  const id = personUuid(await findSecret(server.sql), uuid, email);
  expect(await eraseBuyer(server.sql, uuid, { id, email })).toMatchObject({ refused: 1 });
  expect(await waitingOf(server.sql, uuid)).toMatchObject([{ orderId: 'o-2' }]);
});

it('an erased buyer’s orders bring nothing back: their refused retries are not kept', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const report = { teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' };
  expect((await server.report(report)).status).toBe(200);
  const id = personUuid(await findSecret(server.sql), uuid, report.email);
  await eraseBuyer(server.sql, uuid, { id, email: report.email });
  for (const email of [report.email, 'eve@stranger.example']) {
    expect((await server.report({ ...report, email })).body.error.code).toBe('order_conflict');
  }
  const others = { ...report, orderId: 'o-2' };
  for (const each of [report, others]) {
    expect((await server.report(each, foreign)).body.error.code).toBe('domain_not_allowed');
    expect((await server.report({ ...each, amount: -1 })).body.error.code).toBe('invalid_request');
  }
  expect((await waitingOf(server.sql, uuid)).map(({ orderId }) => orderId)).toEqual(['o-2', 'o-2']);
  const [counted] = await server.sql`select sum(reports)::int as reports from refused_count`;
  expect(counted).toEqual({ reports: 4 });
  expect(await server.sql`select from person where email is not null`).toEqual([]);
});

it.each([
  ['reportId', { reportId: 'r-1' }, undefined],
  ['Idempotency-Key', {}, 'k-1'],
])(
  'a refused retry of an erased buyer’s order that only a %s names is not kept',
  async (_name, more, retryKey) => {
    const server = await startServerForTest();
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const report = { teamId, email: 'ann@buyer.example', amount: 1, ...more };
    const byKey = { authorization: `Bearer ${key}`, 'idempotency-key': retryKey! };
    const send = (body: object) => server.report(body, retryKey ? byKey : undefined);
    expect((await send(report)).status).toBe(200);
    const id = personUuid(await findSecret(server.sql), uuid, report.email);
    await eraseBuyer(server.sql, uuid, { id, email: report.email });
    expect((await send({ ...report, amount: -1 })).body.error.code).toBe('invalid_request');
    expect(await waitingOf(server.sql, uuid)).toEqual([]);
  },
);

it('a replay that has begun is waited for, and what it stores is erased too', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam();
  const email = 'ann@buyer.example';
  await server.report({ teamId, email, amount: 1, orderId: 'o-1' }, foreign);
  await addDomain(server.sql, uuid, { entry: 'other.example', isTest: false });
  const id = personUuid(await findSecret(server.sql), uuid, email);
  const waiting = async () =>
    (await findLockWaits(server.sql)).filter(({ query }) => query.includes('eraseRefused'));
  const erasing = await inTransaction(server.sql, async (tx) => {
    const [entry] = await lockRefused(tx, uuid, { after: null, limit: 64 });
    const started = eraseBuyer(server.sql, uuid, { id, email });
    await expect.poll(waiting).toHaveLength(1);
    // The replay's order is stored by another connection.
    expect((await server.report({ teamId, email, amount: 1, orderId: 'o-1' }, foreign)).status).toBe(200);
    await removeRefused(tx, uuid, [entry!.id]);
    return { started };
  });
  expect(await erasing.started).toMatchObject({ orders: 1, refused: 0 });
  expect(await server.sql`select from person where email is not null`).toEqual([]);
  expect(await server.sql`select from refused_report`).toEqual([]);
});

it('a backup brings refused reports and their counts back, and they are replayed there', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam();
  const body = `{"teamId":"${teamId}","email":"ann@buyer.example","amount":1,"name":"a\\n\u2028\\u00e9"}`;
  await server.report(body, foreign);
  await server.report(body.replace('amount', 'amount_'), foreign);
  const rows = (sql: typeof server.sql) => sql`
    select r::text from refused_report r union all select r::text from refused_count r order by 1`;
  await expect.poll(() => rows(server.sql)).toHaveLength(4);
  const before = await rows(server.sql);
  // A Citus cluster is backed up while nobody has it open.
  await server.leaveDatabase();
  const file = join(temporaryFolder(), 'backup.gz');
  expect((await runOrderbeacon(['backup', file], server.env)).code).toBe(0);

  const other = await createTestDatabase();
  onTestFinished(() => other.close());
  expect((await runOrderbeacon(['restore', file], other.env)).code).toBe(0);
  const restored = await json(other.env, 'refused', 'list', '--team', teamId);
  expect(restored).toMatchObject([{ reason: 'invalid_request' }, { reason: 'domain_not_allowed', body }]);
  expect(await rows(other.sql)).toEqual(before);
  await json(other.env, 'domain', 'add', '--team', teamId, 'other.example');
  expect(await json(other.env, 'refused', 'replay', '--team', teamId)).toMatchObject([
    { id: restored[1].id, outcome: 'new' },
    { id: restored[0].id, outcome: 'refused', code: 'invalid_request' },
  ]);
  expect(await waitingOf(other.sql, uuid)).toHaveLength(1);
});
