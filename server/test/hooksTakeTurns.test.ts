import { expect, it, onTestFinished, vi } from 'vitest';
import type { Sql } from '../src/database/connection/connect.js';
import type { SendHook } from '../src/hooks/hookAnswer.js';
import { startDelivering } from '../src/hooks/startDelivering.js';
import { createTeam } from '../src/teams/sql/team.js';
import { newUuid, type Uuid } from '../src/values/ids.js';
import { createTestDatabase } from './database.js';
import { noteFault } from './hooks.js';

const answered = { status: 200, error: null, answer: null, retryAfterMs: null, tookMs: 1 };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

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
    return answered;
  });
  await addHooks(sql, teamId, 'first', { hooks: 1_000 });
  start();
  await vi.waitFor(() => expect(sent).toBe(1_000), { timeout: 120_000, interval: 100 });
  await addHooks(sql, teamId, 'last');
  await vi.waitFor(() => expect(sent).toBe(1_001), { timeout: 60_000, interval: 100 });
});

it.each([
  ['hang', null],
  ['answer slowly', 3_000],
])(
  'a good hook is told within seconds while 20 others %s',
  async (_, slowMs) => {
    const good: number[] = [];
    const { sql, teamId, start } = await startTurns(async ({ url, signal }) => {
      const sentMs = performance.now();
      if (url.includes('good')) good.push(sentMs);
      else if (slowMs) await sleep(slowMs);
      else await new Promise((resolve) => signal!.addEventListener('abort', resolve));
      return { ...answered, tookMs: performance.now() - sentMs };
    });
    await addHooks(sql, teamId, 'slow', { hooks: 20, deliveries: 200 });
    start();
    // By now those that answer have done so twice.
    await sleep(slowMs ? 7_000 : 2_000);
    const startMs = performance.now();
    await addHooks(sql, teamId, 'good', { deliveries: 200 });
    await vi.waitFor(() => expect(good).toHaveLength(200), { timeout: 15_000, interval: 50 });
    expect(good.at(-1)! - startMs).toBeLessThan(4_000);
  },
  40_000,
);

it('a team is told of everything while 60 hooks of three others hang for ever', async () => {
  const good: string[] = [];
  let hanging = 0;
  const { sql, addTeam, start } = await startTurns(async ({ url, signal }) => {
    if (url.includes('good')) good.push(url);
    else {
      hanging++;
      await new Promise((resolve) => signal!.addEventListener('abort', resolve));
    }
    return answered;
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
