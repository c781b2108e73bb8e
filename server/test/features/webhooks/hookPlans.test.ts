// @module-tag all
import { expect, inject, it, onTestFinished } from 'vitest';
import { prepareReport } from '../../../src/core/orders/receive/prepareReport.js';
import { createReportOrders } from '../../../src/core/orders/store/sql/reportOrders.js';
import { addDomain } from '../../../src/core/teams/sql/domain.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { countPending, listDeliveries } from '../../../src/features/webhooks/sql/delivery.js';
import {
  claimDeliveries,
  listDueHooks,
  releaseDeliveries,
  writeAttempts,
} from '../../../src/features/webhooks/sql/dueDelivery.js';
import { listOldHooks, removeDeliveries } from '../../../src/features/webhooks/sql/oldDelivery.js';
import { resendFailed } from '../../../src/features/webhooks/sql/resendDelivery.js';
import { forgetSubjects } from '../../../src/features/webhooks/sql/subject.js';
import { firstUuid, newUuid } from '../../../src/values/ids.js';
import { createTestDatabase } from '../../kit/database.js';
import { type Explained, explainAll, mostRows } from '../../kit/explained.js';
import { listenersOf } from '../../kit/listeners.js';
import { addDue, addTestHook, attemptOf } from './kit/hooks.js';

const many = 20_000;

/** Opens a hook with this many due deliveries, and a pool that explains its statements. */
async function openHook(deliveries: number) {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { sql } = database;
  const teamId = newUuid();
  await createTeam(sql, { id: teamId, name: 'Shop', storefrontUrl: 'https://shop.example' });
  await addDomain(sql, teamId, { entry: 'shop.example', isTest: false });
  const hook = { teamId, id: await addTestHook(sql, teamId) };
  await addDue(sql, hook, deliveries);
  const plans: Explained[] = [];
  const explained = explainAll(sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
  /** Fails if a statement has read more rows, or is not among these. */
  function expectFewRows(names: string[], atMost: number) {
    expect(plans.map(({ name }) => name)).toEqual(names);
    for (const { name, plan } of plans)
      expect([name, mostRows(plan) <= atMost, plan]).toEqual([name, true, plan]);
  }
  return { sql, teamId, hook, explained, expectFewRows };
}

async function reportOrder(explained: Sql, teamId: string) {
  const report = { teamId: '', email: 'ann@mail.example', amount: 5, orderId: 'a' };
  const sender = { keyHash: null, host: 'shop.example', idempotencyKey: undefined, idMs: Date.now() };
  const reportSender = { ...sender, teamId, createdAt: new Date().toISOString() };
  const reportOrders = createReportOrders(listenersOf(explained));
  await reportOrders(explained, teamId, [prepareReport({ report, extra: null }, reportSender, 'secret')]);
}

// If the tables are distributed, `reportOrders` does not store orders.
it.skipIf(inject('isCitus'))(
  'while many deliveries wait, few rows are read to claim, write, release and remove, and to store an order',
  async () => {
    const { sql, teamId, hook, explained, expectFewRows } = await openHook(many);
    await sql`vacuum analyze hook_delivery`;
    await listDueHooks(explained, [], 100);
    const claimed = await claimDeliveries(explained, hook, 25);
    expect(claimed).toHaveLength(25);
    await writeAttempts(explained, teamId, claimed.slice(0, 10).map(attemptOf));
    await releaseDeliveries(explained, teamId, claimed.slice(10));
    const oldest = firstUuid(Date.now() - 30 * 86_400_000);
    await listOldHooks(explained, oldest);
    await removeDeliveries(explained, hook, oldest);
    await reportOrder(explained, teamId);
    const deliveries = ['claimDeliveries', 'writeAttempts', 'releaseDeliveries'];
    const old = ['listOldHooks', 'removeDeliveries'];
    expectFewRows(['listDueHooks', ...deliveries, ...old, 'reportOrders'], 50);
    const notices = await sql`select from hook_delivery join placed_order on placed_order.id = subject_id`;
    expect(notices).toHaveLength(1);
  },
);

it('of many deliveries the last ones, a count, a search for failures and an erasure read few rows', async () => {
  const { sql, teamId, hook, explained, expectFewRows } = await openHook(many);
  await sql`update hook_delivery set next_at = now() + interval '1 day'`;
  await sql`update hook_delivery set error = 'It answered 500.' where id in (
    select id from hook_delivery order by id limit 100)`;
  await sql`vacuum analyze hook_delivery`;
  const [newest] = await listDeliveries(explained, teamId, { limit: 51 });
  await listDeliveries(explained, teamId, { limit: 51, onlyFailed: true });
  await listDeliveries(explained, teamId, { limit: 51, hookId: hook.id });
  await countPending(explained, teamId);
  await forgetSubjects(explained, teamId, [newest!.id, newest!.subjectId!]);
  await resendFailed(explained, teamId, { hookId: hook.id, untilMs: Number.POSITIVE_INFINITY });
  const lists = Array(3).fill('listDeliveries');
  const others = ['countPending', 'forgetSubjects', 'forgetSubjects', 'resendPiece'];
  expectFewRows([...lists, ...others], 1_001);
});

it.skipIf(inject('isCitus'))(
  'few rows are read of 5,000 that PostgreSQL has not analyzed yet, as in the first minute of a flood',
  async () => {
    const { sql, teamId, hook, explained, expectFewRows } = await openHook(5_000);
    const claimed = await claimDeliveries(explained, hook, 25);
    expect(claimed).toHaveLength(25);
    await writeAttempts(explained, teamId, claimed.map(attemptOf));
    expectFewRows(['claimDeliveries', 'writeAttempts'], 50);
    const counted = await sql`
      select count(next_at)::int as waiting, count(delivered_at)::int as delivered from hook_delivery`;
    expect(counted).toEqual([{ waiting: 4_975, delivered: 25 }]);
  },
);
