// @module-tag all
import { expect, it, onTestFinished } from 'vitest';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import type { HookResult, SendHook } from '../../../src/features/webhooks/send.js';
import { startDelivering } from '../../../src/features/webhooks/startDelivering.js';
import { newUuid, type Uuid } from '../../../src/values/ids.js';
import { createTestDatabase } from '../../kit/database.js';
import { findLockWaits } from '../../kit/lockWaits.js';
import { noteFault } from './kit/hooks.js';

const success: HookResult = { status: 200, error: null, answer: null, retryAfterMs: null, tookMs: 1 };

/** Hangs until the deliveries are stopped. */
const hang = (signal: AbortSignal | undefined) =>
  new Promise<HookResult>((resolve) => signal!.addEventListener('abort', () => resolve(success)));

/** Opens a database with teams whose hooks are called by `send`. The delivery ends with the test. */
async function openTurns(send: SendHook, hooksAtMost?: number) {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { sql } = database;
  return {
    sql,
    async addTeam() {
      const id = newUuid();
      await createTeam(sql, { id, name: 'Shop', storefrontUrl: 'https://shop.example' });
      return id;
    },
    /** Adds hooks of one host, and due deliveries for each of them. */
    addHooks: (team: Uuid, name: string, { hooks = 1, deliveries = 1 } = {}) => sql`
      with added as (
        insert into hook (team_id, id, url, events, is_test, format, secret, allows_private)
        select ${team}, gen_random_uuid(), 'https://slack.example/' || ${name}::text || n, '{order.created}',
          false, 'standard', 'whsec_AAAA', false
        from generate_series(1, ${hooks}::int) n
        returning id
      )
      insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
      select ${team}, gen_random_uuid(), id, 'order.changed', gen_random_uuid(), '{}'
      from added, generate_series(1, ${deliveries}::int)`,
    start(isBusy = () => false) {
      const clock = { nowMs: Date.now };
      onTestFinished(
        startDelivering({
          sql,
          send,
          clock,
          noteFault,
          isBusy,
          ...(hooksAtMost && { hooksAtMost }),
        }),
      );
    },
  };
}

it('a hook gets its turn after as many others as take turns together', async () => {
  let sent = 0;
  const send = async () => {
    sent++;
    return success;
  };
  const { addHooks, addTeam, start } = await openTurns(send, 30);
  const team = await addTeam();
  await addHooks(team, 'first', { hooks: 100 });
  start();
  await expect.poll(() => sent).toBe(100);
  await addHooks(team, 'last');
  await expect.poll(() => sent).toBe(101);
});

it('while orders queue, each of 20 teams’ hooks gets its deliveries, also after it had none', async () => {
  const sent = new Map<string, number>();
  const { addHooks, addTeam, start, sql } = await openTurns(async ({ url }) => {
    sent.set(url, (sent.get(url) ?? 0) + 1);
    return success;
  });
  const addDue = (deliveries: number) => sql`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
    select team_id, gen_random_uuid(), id, 'order.changed', gen_random_uuid(), '{}'
    from hook, generate_series(1, ${deliveries}::int)`;
  for (let n = 0; n < 20; n++) await addHooks(await addTeam(), `quick ${n}`, { deliveries: 1 });
  start(() => true);
  const counts = () => [...sent.values()];
  await expect.poll(counts).toEqual(Array(20).fill(1));
  await addDue(40);
  await expect.poll(counts).toEqual(Array(20).fill(41));
});

it('a hook whose answers are cut is sent one request at a time', async () => {
  let [sent, inFlight, atMost] = [0, 0, 0];
  const { addHooks, addTeam, start } = await openTurns(async () => {
    sent++;
    inFlight++;
    // The first two requests show that the hook answers.
    if (sent > 2) atMost = Math.max(atMost, inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight--;
    return { ...success, isCut: true };
  });
  await addHooks(await addTeam(), 'chunks', { deliveries: 10 });
  start();
  await expect.poll(() => sent).toBe(10);
  expect(atMost).toBe(1);
});

it.each([
  ['hang', 0],
  ['hang, and have answered slowly before', 2],
])('a good hook gets everything while 20 others of its team %s', async (_, answers) => {
  let good = 0;
  let hanging = 0;
  const answered = new Map<string, number>();
  const { addHooks, addTeam, start } = await openTurns(async ({ url, signal }) => {
    if (url.includes('good')) {
      good++;
      return success;
    }
    const count = answered.get(url) ?? 0;
    answered.set(url, count + 1);
    if (count < answers) return { ...success, tookMs: 6_000 };
    hanging++;
    return hang(signal);
  });
  const team = await addTeam();
  await addHooks(team, 'slow', { hooks: 20, deliveries: 20 });
  start();
  await expect.poll(() => hanging).toBe(20);
  await addHooks(team, 'good', { deliveries: 100 });
  await expect.poll(() => good).toBe(100);
  expect(hanging).toBe(20);
});

it('a team gets everything while 60 hooks of three others to the same host hang for ever', async () => {
  let good = 0;
  let hanging = 0;
  const { addHooks, addTeam, start } = await openTurns(async ({ url, signal }) => {
    if (url.includes('good')) {
      good++;
      return success;
    }
    hanging++;
    return hang(signal);
  });
  for (const name of ['a', 'b', 'c']) await addHooks(await addTeam(), name, { hooks: 20, deliveries: 5 });
  start();
  // Each of the three holds as many slots as they all leave free, or one less.
  await expect.poll(() => hanging).toBeGreaterThanOrEqual(36);
  await addHooks(await addTeam(), 'good', { deliveries: 100 });
  await expect.poll(() => good).toBe(100);
  expect(hanging).toBeLessThan(45);
});

it('a hook that fails is sent one request at a time, also when it fails while hooks are listed', async () => {
  let refuse: (answer: HookResult) => void = () => {};
  const refused = new Promise<HookResult>((resolve) => (refuse = resolve));
  let sent = 0;
  const { sql, addHooks, addTeam, start } = await openTurns(({ signal }) =>
    sent++ === 0 ? refused : hang(signal),
  );
  await addHooks(await addTeam(), 'failing', { deliveries: 20 });
  start();
  await expect.poll(() => sent).toBe(1);
  await sql.begin(async (tx) => {
    await tx`lock table hook in access exclusive mode`;
    const listing = [{ query: expect.stringContaining('listDueHooks') }];
    await expect.poll(() => findLockWaits(sql)).toMatchObject(listing);
    refuse({ ...success, status: 500, error: 'The receiver answered 500.' });
  });
  await expect.poll(() => sql`select from hook where failing_since is not null`).toHaveLength(1);
  await expect.poll(() => sent).toBe(2);
});
