import { expect, it, onTestFinished, vi } from 'vitest';
import type { Sql } from '../src/database/connection/connect.js';
import type { HookAnswer, SendHook } from '../src/hooks/hookAnswer.js';
import { startDelivering } from '../src/hooks/startDelivering.js';
import { createTeam } from '../src/teams/sql/team.js';
import { newUuid, type Uuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { noteFault } from './hooks.js';
import { findLockWaits } from './lockWaits.js';

const success = { status: 200, error: null, answer: null, retryAfterMs: null, tookMs: 1 };

/** A database with a team, and deliveries to its hooks through `send`. */
async function startTurns(send: SendHook) {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { sql } = database;
  const read = { order: async () => ({}), enrollment: async () => ({}) };
  const addTeam = async () => {
    const id = newUuid();
    await createTeam(sql, { id, name: 'Shop', storefrontUrl: 'https://shop.example' });
    return id;
  };
  const start = () => {
    const stop = startDelivering({ sql, read, send, clock: { nowMs: Date.now }, noteFault });
    onTestFinished(stop);
  };
  return { sql, teamId: await addTeam(), addTeam, start };
}

/** Adds hooks of different hosts, and for each of them deliveries that are due. */
function addHooks(sql: Sql, teamId: Uuid, name: string, { hooks = 1, deliveries = 1 } = {}) {
  return sql`
    with added as (
      insert into hook (team_id, id, url, events, is_test, format, secret, allows_private)
      select ${teamId}, gen_random_uuid(), 'https://' || ${name}::text || n || '.example/', '{order.created}', false,
        'standard', 'whsec_AAAA', false
      from generate_series(1, ${hooks}::int) n
      returning id
    )
    insert into hook_delivery (team_id, id, hook_id, type, subject_id)
    select ${teamId}, gen_random_uuid(), id, 'order.created', gen_random_uuid()
    from added, generate_series(1, ${deliveries}::int)`;
}

it('a hook gets its turn after a thousand others were told', async () => {
  let sent = 0;
  const { sql, teamId, start } = await startTurns(async () => {
    sent++;
    return success;
  });
  await addHooks(sql, teamId, 'first', { hooks: 1_000 });
  start();
  await vi.waitFor(() => expect(sent).toBe(1_000), { timeout: 120_000, interval: 100 });
  await addHooks(sql, teamId, 'last');
  await vi.waitFor(() => expect(sent).toBe(1_001), { timeout: 60_000, interval: 100 });
});

it.each([
  // A new hook has one place until it has answered.
  ['hang', 0, 20],
  // Slow ones share 25 places: a team takes no more than it leaves free.
  ['hang, who have answered slowly before', 2, 13],
])('a good hook is told of everything while 20 others %s', async (_, answers, places) => {
  let good = 0;
  let hanging = 0;
  const answered = new Map<string, number>();
  const { sql, teamId, start } = await startTurns(async ({ url, signal }) => {
    if (url.includes('good')) {
      good++;
      return success;
    }
    const count = answered.get(url) ?? 0;
    answered.set(url, count + 1);
    if (count < answers) return { ...success, tookMs: 3_000 };
    hanging++;
    await new Promise((resolve) => signal!.addEventListener('abort', resolve));
    return success;
  });
  await addHooks(sql, teamId, 'slow', { hooks: 20, deliveries: 200 });
  start();
  await vi.waitFor(() => expect(hanging).toBe(places), { timeout: 60_000, interval: 50 });
  await addHooks(sql, teamId, 'good', { deliveries: 200 });
  await vi.waitFor(() => expect(good).toBe(200), { timeout: 60_000, interval: 50 });
  expect(hanging).toBe(places);
});

it('a hook that fails while hooks are listed is not taken for a good one, with several attempts concurrently', async () => {
  let refuse: (answer: HookAnswer) => void = () => {};
  const refused = new Promise<HookAnswer>((resolve) => (refuse = resolve));
  let sent = 0;
  const { sql, teamId, start } = await startTurns(async ({ signal }) => {
    if (sent++ === 0) return refused;
    await new Promise((resolve) => signal!.addEventListener('abort', resolve));
    return success;
  });
  await addHooks(sql, teamId, 'failing', { deliveries: 20 });
  start();
  await vi.waitFor(() => expect(sent).toBe(1), { timeout: 60_000, interval: 50 });
  await sql.begin(async (tx) => {
    await tx`lock table hook in access exclusive mode`;
    await expect
      .poll(() => findLockWaits(sql))
      .toMatchObject([{ query: expect.stringContaining('listDueHooks') }]);
    refuse({ ...success, status: 500, error: 'The receiver answered 500.' });
  });
  const failing = () => sql`select from hook where failing_since is not null`;
  await vi.waitFor(async () => expect(await failing()).toHaveLength(1), { timeout: 60_000, interval: 50 });
  expect(sent).toBe(2);
});

it('a team is told of everything while 60 hooks of three others hang for ever', async () => {
  const good: string[] = [];
  let hanging = 0;
  const { sql, addTeam, start } = await startTurns(async ({ url, signal }) => {
    if (url.includes('good')) good.push(url);
    else {
      hanging++;
      await new Promise((resolve) => signal!.addEventListener('abort', resolve));
    }
    return success;
  });
  for (const name of ['a', 'b', 'c'])
    await addHooks(sql, await addTeam(), name, { hooks: 20, deliveries: 20 });
  start();
  // Each of the three holds as many places as all of them leave free, or one less.
  await vi.waitFor(() => expect(hanging).toBeGreaterThanOrEqual(36), { timeout: 60_000, interval: 50 });
  await addHooks(sql, await addTeam(), 'good', { deliveries: 300 });
  await vi.waitFor(() => expect(good).toHaveLength(300), { timeout: 60_000, interval: 50 });
  expect(hanging).toBeLessThan(45);
});
