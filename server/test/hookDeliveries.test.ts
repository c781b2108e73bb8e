import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeHook } from '../src/hooks/removeHook.js';
import {
  countPending,
  findDeliveries,
  listDeliveries,
  resendDelivery,
  resendPiece,
} from '../src/hooks/sql/delivery.js';
import { createHook, listHooks } from '../src/hooks/sql/hook.js';
import { forgetSubjects } from '../src/hooks/sql/subject.js';
import { createTeam } from '../src/teams/sql/team.js';
import { newUuid, nilUuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { type Explained, explainAll } from './explained.js';
import { deliveryIdAt } from './hooks.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let teamId: string;
let hookId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  teamId = newUuid();
  await createTeam(database.sql, { id: teamId, name: 'Shop', storefrontUrl: 'https://shop.example' });
  hookId = await addHook();
});

async function addHook() {
  const id = newUuid();
  await createHook(database.sql, teamId, {
    id,
    url: 'https://receiver.example/orders',
    events: ['order.created', 'order.changed'],
    isTest: false,
    format: 'standard',
    secret: 'whsec_x',
    allowsPrivate: false,
  });
  return id;
}

/** Adds deliveries, a second after each other, of the state that `set` makes of new ones. */
async function addDeliveries(count: number, set = '', hook = hookId) {
  await database.sql`insert into hook_delivery (team_id, id, hook_id, type, subject_id, created_at, next_at)
    select ${teamId}, ${deliveryIdAt(database.sql, database.sql`at`)}, ${hook}, 'order.created', gen_random_uuid(), at, at
    from generate_series(1, ${count}) as n, lateral (select now() - n * interval '1 second') as time (at)`;
  if (set) await database.sql.unsafe(`update hook_delivery set ${set} where hook_id = '${hook}'`);
}

const failed = "attempts = 3, attempted_at = now(), status = 500, error = 'It answered 500.', answer = 'no'";
const delivered = 'attempts = 1, status = 200, next_at = null, delivered_at = now()';

it('a hook is stored as it was given', async () => {
  const [hook] = await listHooks(database.sql, teamId);
  expect(hook).toMatchObject({ id: hookId, events: ['order.created', 'order.changed'], disabledAt: null });
});

it('deliveries are listed by page, the newest first, each once, also where many have one time or one id', async () => {
  const other = await addHook();
  await addDeliveries(40);
  await database.sql`insert into hook_delivery (team_id, id, hook_id, type)
    select team_id, id, ${other}, type from hook_delivery where hook_id = ${hookId} order by id limit 10`;
  await addDeliveries(20, '', other);
  const listed: string[] = [];
  let page = await listDeliveries(database.sql, teamId, { limit: 7 });
  for (
    ;
    page.length > 0;
    page = await listDeliveries(database.sql, teamId, { limit: 7, before: page.at(-1) })
  ) {
    listed.push(...page.map(({ id, hookId }) => `${id} ${hookId}`));
  }
  const stored = await database.sql`select id, hook_id from hook_delivery where team_id = ${teamId}
    order by id desc, hook_id desc`;
  expect(listed).toHaveLength(70);
  expect(listed).toEqual(stored.map(({ id, hook_id }) => `${id} ${hook_id}`));
  expect(await listDeliveries(database.sql, teamId, { hookId: other, limit: 50 })).toHaveLength(30);
});

it('a delivery that failed is sent again as if it were new; one that is due within a minute is left alone', async () => {
  await addDeliveries(1, `${failed}, next_at = null`);
  const [listed] = await listDeliveries(database.sql, teamId, { onlyFailed: true, limit: 1 });
  expect(await resendDelivery(database.sql, teamId, listed!)).toBe(true);
  const [again] = await findDeliveries(database.sql, teamId, listed!.id);
  expect(again).toMatchObject({
    attempts: 0,
    status: null,
    error: null,
    answer: null,
    nextAt: expect.any(Date),
  });
  expect(await resendDelivery(database.sql, teamId, listed!)).toBe(false);
  expect(await resendDelivery(database.sql, newUuid(), listed!)).toBe(false);
  await database.sql`update hook_delivery set next_at = now() + interval '1 minute', attempts = 1`;
  expect(await resendDelivery(database.sql, teamId, listed!)).toBe(false);
  // Its hook was off for so long that it is not due any more.
  await database.sql`update hook_delivery set next_at = now() - interval '73 hours'`;
  expect(await resendDelivery(database.sql, teamId, listed!)).toBe(true);
});

it('all that failed since a time are sent again, piece by piece, but those of erased buyers, and nothing else', async () => {
  await addDeliveries(2_500, `${failed}, next_at = now() + interval '5 hours'`);
  const erased = await database.sql`update hook_delivery set subject_id = null where id in (
    select id from hook_delivery where hook_id = ${hookId} order by id desc limit 100)`;
  expect(erased.count).toBe(100);
  const other = await addHook();
  await addDeliveries(10, delivered, other);
  const [{ since }] = await database.sql<[{ since: Date }]>`
    select max(created_at) - interval '2399 seconds' as since from hook_delivery where hook_id = ${hookId}`;
  const counts: number[] = [];
  for (let after: string | null = nilUuid; after; ) {
    const { count, last } = await resendPiece(database.sql, teamId, { hookId, since, after });
    counts.push(count);
    after = last;
  }
  const [{ due }] = await database.sql<[{ due: number }]>`select count(*)::int as due from hook_delivery
    where team_id = ${teamId} and next_at <= now()`;
  expect(counts.slice(0, 2)).toEqual([1_000, 1_000]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(due);
  expect(due).toBe(2_300);
  expect(await resendPiece(database.sql, teamId, { hookId: other, since })).toEqual({ count: 0, last: null });
  expect(await countPending(database.sql, teamId)).toEqual([{ hookId, deliveries: 1_001 }]);
});

it('a hook is removed with its deliveries, and those of another stay; with little time it is off first', async () => {
  const other = await addHook();
  await addDeliveries(2_500);
  await addDeliveries(5, '', other);
  const left = async () =>
    (await database.sql`select hook_id from hook_delivery where team_id = ${teamId}`).length;
  expect(await removeHook(database.sql, teamId, hookId, 0)).toBe(false);
  expect(await left()).toBe(1_505);
  const hooks = await listHooks(database.sql, teamId);
  expect(hooks.find(({ id }) => id === hookId)).toMatchObject({
    disabledAt: expect.any(Date),
    disabledReason: null,
  });
  expect(await removeHook(database.sql, teamId, hookId)).toBe(true);
  expect(await left()).toBe(5);
  expect((await listHooks(database.sql, teamId)).map(({ id }) => id)).toEqual([other]);
});

it('of 100,000 deliveries a page, a count and a search for failures read few rows', async () => {
  const { sql } = database;
  await addDeliveries(100_000, "next_at = now() + interval '1 day'");
  await sql`update hook_delivery set error = 'It answered 500.' where id in (
    select id from hook_delivery where team_id = ${teamId} order by id limit 100)`;
  await sql`vacuum analyze hook_delivery`;
  const plans: Explained[] = [];
  const explained = explainAll(sql, plans, 'explain (analyze, costs off, timing off, buffers off)');
  const [newest] = await listDeliveries(explained, teamId, { limit: 51 });
  await listDeliveries(explained, teamId, { limit: 51, before: newest });
  await listDeliveries(explained, teamId, { limit: 51, onlyFailed: true });
  await listDeliveries(explained, teamId, { limit: 51, hookId, since: new Date(0) });
  await countPending(explained, teamId);
  await findDeliveries(explained, teamId, newest!.id);
  await forgetSubjects(explained, teamId, [newest!.id, newest!.subjectId!]);
  await resendPiece(explained, teamId, { hookId, since: new Date(0) });
  expect(plans).toHaveLength(9);
  for (const { name, plan } of plans) {
    const rows = [...plan.matchAll(/actual (?:time=\S+ )?rows=([\d.]+)/g)].map(([, count]) => Number(count));
    const removed = [...plan.matchAll(/Rows Removed by \w+: (\d+)/g)].map(([, count]) => Number(count));
    expect([name, Math.max(...rows, ...removed) <= 1_001, plan]).toEqual([name, true, plan]);
  }
});
