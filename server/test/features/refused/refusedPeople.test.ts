import { expect } from 'vitest';
import { features } from '../../../src/app/features.js';
import { eraseBuyer } from '../../../src/commands/eraseBuyer.js';
import { findSecret } from '../../../src/database/installation.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { lockRefused } from '../../../src/features/refused/sql/listRefused.js';
import { removeRefused } from '../../../src/features/refused/sql/removeRefused.js';
import { install } from '../../../src/host/install.js';
import { personUuid } from '../../../src/values/ids.js';
import { documentOf } from '../../kit/command.js';
import { listenersOf } from '../../kit/listeners.js';
import { findLockWaits } from '../../kit/lockWaits.js';
import { type Shop, test } from '../../kit/shop.js';

const foreign = { origin: 'https://other.example' };

const json = async (shop: Shop, ...args: string[]) => documentOf(await shop.command(...args, '--json'));

const erase = async ({ sql, team }: Shop, email: string) =>
  eraseBuyer(
    sql,
    team,
    { id: personUuid(await findSecret(sql), team, email), email },
    { listeners: listenersOf(sql), parts: install(features).people },
  );

/** Lists the buyers of a shop who are not erased. */
const buyersOf = ({ sql, team }: Shop) =>
  sql`select email from person where team_id = ${team} and email is not null`;

test('somebody who is known by refused reports alone is exported and erased, and nobody else; one without an email stays its 30 days', async ({
  shop,
}) => {
  const ann = { teamId: shop.teamId, email: ' Ann@Buyer.example ', amount: 1, orderId: 'o-1' };
  await shop.report(ann, foreign);
  // A body without an email that mentions one. It is removed after its 30 days.
  await shop.report({ ...ann, email: 'Ann or Bob, ann@buyer.example' });
  await shop.reportByKey({ email: 'none' }, { idempotencyKey: 'ann@buyer.example/7' });
  await shop.report({ email: 'joann@buyer.example', name: 'ann@buyer.example' }, foreign);
  await shop.report({ email: 'Jo or Bob, joann@buyer.example' }, foreign);
  const of = ['--email', 'ann@buyer.example'];

  const exported = await json(shop, 'person', 'export', ...of);
  expect(exported).toMatchObject({
    id: expect.stringMatching(/^ppl_/),
    email: 'ann@buyer.example',
    name: null,
    createdAt: null,
    subscriptions: [],
    orders: [],
    refused: [{ reason: 'domain_not_allowed', body: JSON.stringify(ann) }],
  });
  const { id, email, name } = exported;
  const erased = await json(shop, 'person', 'erase', ...of);
  expect(erased).toEqual({ id, email, name, orders: 0, subscriptions: 0, refused: 1, sourceEvents: 0 });
  // One report has the hash of its Idempotency-Key.
  expect(await shop.refused()).toHaveLength(4);
  expect(
    await shop.sql`select from refused_report r where team_id = ${shop.team} and r::text like '%ann@buyer.example/7%'`,
  ).toEqual([]);
  const again = await shop.command('person', 'erase', ...of);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('no person with the email')]);
});

test('an erased buyer’s orders bring nothing back: their refused retries are not kept', async ({ shop }) => {
  const report = { email: 'ann@buyer.example', orderId: 'o-1' };
  expect((await shop.report(report)).status).toBe(200);
  await erase(shop, report.email);
  for (const email of [report.email, 'eve@stranger.example'])
    expect((await shop.report({ ...report, email })).body.error.code).toBe('order_conflict');
  for (const each of [report, { ...report, orderId: 'o-2' }]) {
    expect((await shop.report(each, foreign)).body.error.code).toBe('domain_not_allowed');
    expect((await shop.report({ ...each, amount: -1 })).body.error.code).toBe('invalid_request');
  }
  expect((await shop.refused()).map(({ orderId }) => orderId)).toEqual(['o-2', 'o-2']);
  expect(await buyersOf(shop)).toEqual([]);
});

test('a refused retry of an erased buyer’s order that only a reportId or an Idempotency-Key names is not kept', async ({
  shop,
}) => {
  const report = { email: 'ann@buyer.example', orderId: undefined };
  const senders = [
    (amount: number) => shop.report({ ...report, reportId: 'r-ann@buyer.example', amount }),
    (amount: number) => shop.reportByKey({ ...report, amount }, { idempotencyKey: 'k-ann%40buyer.example' }),
  ];
  for (const send of senders) expect((await send(1)).status).toBe(200);
  await erase(shop, report.email);
  for (const send of senders) expect((await send(-1)).body.error.code).toBe('invalid_request');
  expect(await shop.refused()).toEqual([]);
});

test('an erased buyer of a test keeps no live order of the same ids from being kept', async ({ shop }) => {
  await shop.addDomain('localhost', { isTest: true });
  const tester = { orderId: 'o-1', email: 'tester@buyer.example' };
  await shop.report(tester, { origin: 'http://localhost' });
  await erase(shop, tester.email);
  await shop.report({ orderId: 'o-1' }, foreign);
  expect(await shop.refused()).toMatchObject([{ orderId: 'o-1', email: 'ann@buyer.example' }]);
});

test('a replay that has begun is waited for, and what it stores is erased too', { tags: ['all'] }, async ({
  shop,
}) => {
  const { sql, team } = shop;
  const report = { email: 'ann@buyer.example', orderId: 'o-1' };
  await shop.report(report, foreign);
  await shop.addDomain('other.example');
  const waiting = async () =>
    (await findLockWaits(sql)).filter(({ query }) => query.includes('removeRefused'));
  const erasing = await inTransaction(sql, async (tx) => {
    const [entry] = await lockRefused(tx, team, { after: null, limit: 64 });
    const started = erase(shop, report.email);
    await expect.poll(waiting).toHaveLength(1);
    // Another connection stores the replay's order.
    expect((await shop.report(report, foreign)).status).toBe(200);
    await removeRefused(tx, team, [entry!.id]);
    return { started };
  });
  expect(await erasing.started).toMatchObject({ orders: 1, removed: { refused: 0 } });
  expect(await buyersOf(shop)).toEqual([]);
  expect(await sql`select from refused_report where team_id = ${team}`).toEqual([]);
});
