import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import type { ClaimedDelivery } from '../src/hooks/hookDelivery.js';
import {
  claimDeliveries,
  listDueHooks,
  releaseDeliveries,
  writeOutcomes,
} from '../src/hooks/sql/dueDelivery.js';
import { listOldHooks, removeOldDeliveries } from '../src/hooks/sql/oldDelivery.js';
import { tell } from '../src/hooks/sql/tell.js';
import { reportOrders } from '../src/orders/sql/reportOrders.js';
import { stampReport } from '../src/orders/stampReport.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { createTeam } from '../src/teams/sql/team.js';
import { firstUuid, newUuid, type Uuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { type Explained, explainAll, mostRows } from './explained.js';
import { addTestHook, deliveryIdAt } from './hooks.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let hook: { teamId: Uuid; id: Uuid };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const teamId = newUuid();
  await createTeam(database.sql, { id: teamId, name: 'Shop', storefrontUrl: 'https://shop.example' });
  await addDomain(database.sql, teamId, { entry: 'shop.example', isTest: false });
  hook = { teamId, id: await addTestHook(database.sql, teamId) };
});

/** Adds deliveries that have been due for some seconds, each for longer than the next one. */
const addDue = (count: number) => database.sql`
  insert into hook_delivery (team_id, id, hook_id, type, subject_id, next_at)
  select ${hook.teamId}, ${deliveryIdAt(database.sql, database.sql`now()`)}, ${hook.id}, 'order.created',
    gen_random_uuid(), now() - (${count}::int - n) * interval '1 millisecond'
  from generate_series(1, ${count}::int) n`;

const claim = (limit: number) => claimDeliveries(database.sql, hook, limit);

const outcomeOf = (delivery: ClaimedDelivery) => ({
  delivery,
  verdict: 'success' as const,
  status: 200,
  error: null,
  answer: 'thanks',
  tookMs: 5,
  nextInMs: null,
  retryInMs: null,
  attemptedAt: new Date(),
  nextAt: null,
  deliveredAt: new Date(),
});

it('gives no delivery to two servers that claim concurrently, and the longest due first', async () => {
  await addDue(200);
  const oldest = await database.sql<{ id: Uuid }[]>`
    select id from hook_delivery where hook_id = ${hook.id} order by next_at limit 20`;
  const idsOf = (rows: { id: Uuid }[]) => rows.map(({ id }) => id).sort();
  const first = await claim(20);
  expect(idsOf(first)).toEqual(idsOf(oldest));
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(20)))).flat();
  const rest = await claim(100);
  expect(new Set(idsOf([...first, ...claimed, ...rest])).size).toBe(200);
  expect([claimed.length, rest.length]).toEqual([160, 20]);
  expect(await claim(1)).toEqual([]);
});

it('lets a delivery be claimed again when its lease has ended, and then ignores what the first claim says', async () => {
  await addDue(1);
  // In one transaction it is the same time all along.
  const first = await inTransaction(database.sql, async (tx) => {
    const [claimed] = await claimDeliveries(tx, hook, 1);
    const [lease] = await tx<[{ endsAt: Date }]>`
      select next_at as "endsAt" from hook_delivery where hook_id = ${hook.id}`;
    const bringForward = (ms: number) => tx`
      update hook_delivery set next_at = ${new Date(lease.endsAt.getTime() - ms)} where hook_id = ${hook.id}`;
    await bringForward(59_999);
    expect(await claimDeliveries(tx, hook, 1)).toEqual([]);
    await bringForward(60_000);
    return claimed;
  });
  const [second] = await claim(1);
  expect(second).toMatchObject({ id: first!.id, attempts: 2 });
  await writeOutcomes(database.sql, hook.teamId, [outcomeOf(first!)]);
  await releaseDeliveries(database.sql, hook.teamId, [first!]);
  const read = () => database.sql`select attempts, status from hook_delivery where hook_id = ${hook.id}`;
  expect(await read()).toEqual([{ attempts: 2, status: null }]);
  await writeOutcomes(database.sql, hook.teamId, [outcomeOf(second!)]);
  expect(await read()).toEqual([{ attempts: 2, status: 200 }]);
});

it('tells 20 hooks of 256 orders in one transaction', async () => {
  const { sql } = database;
  for (let added = 1; added < 20; added++) await addTestHook(sql, hook.teamId);
  const occurrences = Array.from({ length: 256 }, () => ({
    subjectId: newUuid(),
    data: null,
    isTest: false,
  }));
  await sql.begin((tx) => tell(tx as never, hook.teamId, 'order.created', occurrences));
  const [row] = await sql`select count(*)::int from hook_delivery where team_id = ${hook.teamId}`;
  expect(row!.count).toBe(5_120);
});

// Where the tables are distributed, `reportOrders` does not store.
it.skipIf(inject('isCitus'))(
  'reads few rows to claim, write, release and remove, and to store an order, while 100,000 deliveries wait',
  async () => {
    const { sql } = database;
    await addDue(100_000);
    await sql`vacuum analyze hook_delivery`;
    const plans: Explained[] = [];
    const explained = explainAll(sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
    await listDueHooks(explained, [], 100);
    const claimed = await claimDeliveries(explained, hook, 25);
    expect(claimed).toHaveLength(25);
    await writeOutcomes(explained, hook.teamId, claimed.slice(0, 10).map(outcomeOf));
    await releaseDeliveries(explained, hook.teamId, claimed.slice(10));
    const oldest = firstUuid(Date.now() - 30 * 86_400_000);
    await listOldHooks(explained, oldest);
    await removeOldDeliveries(explained, hook, oldest);
    const report = { teamId: '', email: 'ann@mail.example', amount: 5, orderId: 'a' };
    const sender = { keyHash: null, host: 'shop.example', idempotencyKey: undefined, idMs: Date.now() };
    const stamp = { ...sender, teamId: hook.teamId, createdAt: new Date().toISOString() };
    await reportOrders(explained, hook.teamId, [stampReport({ report, extra: null }, stamp, 'secret')]);
    expect(plans.map(({ name }) => name)).toEqual([
      'listDueHooks',
      'claimDeliveries',
      'writeOutcomes',
      'releaseDeliveries',
      'listOldHooks',
      'removeOldDeliveries',
      'reportOrders',
    ]);
    for (const { name, plan } of plans)
      expect([name, mostRows(plan) <= 50, plan]).toEqual([name, true, plan]);
    const [told] = await sql`
    select count(*)::int from hook_delivery join placed_order on placed_order.id = subject_id
    where hook_id = ${hook.id}`;
    expect(told!.count).toBe(1);
  },
);

it.skipIf(inject('isCitus'))(
  'reads few rows of 5,000 that PostgreSQL has not analyzed yet, as in the first minute of a flood',
  async () => {
    const { sql } = database;
    await sql`truncate hook_delivery`;
    await addDue(5_000);
    const plans: Explained[] = [];
    const explained = explainAll(sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
    const claimed = await claimDeliveries(explained, hook, 25);
    expect(claimed).toHaveLength(25);
    await writeOutcomes(explained, hook.teamId, claimed.map(outcomeOf));
    expect(plans).toHaveLength(2);
    for (const { name, plan } of plans)
      expect([name, mostRows(plan) <= 50, plan]).toEqual([name, true, plan]);
    const counted = await sql`
    select count(next_at)::int as waiting, count(delivered_at)::int as delivered from hook_delivery`;
    expect(counted).toEqual([{ waiting: 4_975, delivered: 25 }]);
  },
);
