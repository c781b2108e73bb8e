import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { recordFound } from '../../../src/core/orders/store/sql/foundOrder.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import { readSilence, silenceMessage } from '../../../src/features/silence/silence.js';
import { watchOrders } from '../../../src/features/silence/watchOrders.js';
import { startWatching, watchTeams } from '../../../src/features/webhooks/startWatching.js';
import type { WatchRule } from '../../../src/host/watch.js';
import { encodeId, newUuid, type Uuid } from '../../../src/values/ids.js';
import { signIn } from '../../kit/console.js';
import { createTestDatabase, type TestDatabase } from '../../kit/database.js';
import { placeOrders } from '../../kit/placeOrder.js';
import { startReceiver } from '../../kit/receiver.js';
import { startTestServer } from '../../kit/server.js';
import { addTestHook, noteFault } from '../webhooks/kit/hooks.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The time of the stop, a Sunday. */
const stoppedAt = new Date('2026-11-22T12:00:00Z');
const after = (ms: number) => new Date(stoppedAt.getTime() + ms);

/** The rules of the watch, without that for refusals. */
const rules: Record<string, WatchRule> = { 'orders.stopped': watchOrders, 'refused.began': async () => [] };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Expression for an id of an order that came at `at`. */
const idAt = (sql: TestDatabase['sql']) => sql`(
  lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || right(md5(random()::text), 15))::uuid`;

/** Adds a team that had an order each three minutes for 30 days, until `stoppedAt`, and a webhook for silences. */
async function setUp({ isTest = false, hasHook = true, hasOrders = true, until = stoppedAt } = {}) {
  const { sql } = database;
  // Each test has other times, at which the teams of other tests must not be checked.
  await sql`update hook set disabled_at = now()`;
  const team = newUuid();
  await createTeam(sql, { id: team, name: 'Ann’s shop', storefrontUrl: 'https://shop.example' });
  const person = newUuid();
  await sql`insert into person (team_id, id) values (${team}, ${person})`;
  const addOrders = (from: Date, to: Date, ofTests = isTest) => sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at)
    select ${team}, ${idAt(sql)}, gen_random_uuid()::text, ${person}, 1, 'USD', 'OTHER', ${ofTests}, 'key', at
    from generate_series(${from}::timestamptz, ${to}::timestamptz, interval '3 minutes') at`;
  if (hasOrders) await addOrders(new Date(until.getTime() - 30 * dayMs), until);
  const hook = hasHook ? await addTestHook(sql, team, { events: ['orders.stopped'] }) : newUuid();
  const check = (ms: number, by = rules) =>
    watchTeams(sql, by, { nowMs: () => after(ms).getTime(), noteFault });
  /** Checks again and again, as servers do, between two times after the stop. */
  async function watch(fromMs: number, toMs: number, everyMs = 10 * minuteMs) {
    for (let ms = fromMs; ms <= toMs; ms += everyMs) await check(ms);
  }
  const notices = () => sql<{ type: string; subjectId: Uuid | null; data: { endedAt: string | null } }[]>`
    select type, subject_id as "subjectId", data from hook_delivery
    where team_id = ${team} order by created_at, id`;
  return {
    sql,
    team,
    hook,
    addOrders,
    watch,
    check,
    notices,
    /** Reads the end of each reported silence; null for the report of its beginning. */
    ends: async () => (await notices()).map(({ data }) => data.endedAt),
  };
}

/** Numbers of orders in the four weeks before, the last week first. They are between the hour of the stop and another one. */
interface Weeks {
  orders: [number, number, number, number];
  toMs: number;
  silentMs?: number;
  since?: Date;
}

it.for<[string, number | null, Weeks]>([
  ['each of the four weeks had 20 orders', 20, { orders: [25, 20, 99, 20], toMs: hourMs }],
  ['a week had 19', null, { orders: [25, 19, 99, 20], toMs: hourMs }],
  ['the shop is new in its fourth week', null, { orders: [99, 99, 99, 0], toMs: hourMs }],
  ['it has lasted 14 minutes', null, { orders: [99, 99, 99, 99], toMs: hourMs, silentMs: 14 * minuteMs }],
  ['it has lasted 15 minutes', 24, { orders: [99, 99, 99, 99], toMs: hourMs, silentMs: 15 * minuteMs }],
  ['20 orders took three days', 20, { orders: [20, 20, 20, 20], toMs: 3 * dayMs, silentMs: 5 * dayMs }],
  ['20 orders took more', null, { orders: [20, 20, 20, 20], toMs: 3 * dayMs + hourMs, silentMs: 5 * dayMs }],
  [
    'a server looked for the last half of it',
    20,
    { orders: [40, 40, 40, 40], toMs: hourMs, since: after(hourMs / 2) },
  ],
])('a silence in which %s has %s usual orders', async ([, usualOrders, weeks]) => {
  const { orders, toMs, silentMs = toMs, since = null } = weeks;
  const { sql, team } = await setUp({ hasOrders: false });
  const times = orders.flatMap((count, week) =>
    Array.from({ length: count }, (_, n) => after(((n + 1) / count) * toMs - (week + 1) * 7 * dayMs)),
  );
  await placeOrders(
    sql,
    team,
    [stoppedAt, ...times].map((createdAt) => ({ createdAt })),
  );
  const read = await readSilence(sql, team, { now: after(silentMs), since });
  expect(read).toEqual({ lastOrderAt: stoppedAt, found: 0, usualOrders });
});

it.for([
  ['UTC', 30],
  ['Europe/Berlin', null],
] as const)(
  'clocks that were changed make a silence only where the shop has none: %s',
  async ([zone, usual]) => {
    const { sql, team } = await setUp({ hasOrders: false });
    await sql`update team set zone = ${zone} where id = ${team}`;
    // The shop sells from 8 to 9 by its clock, which was put back on 25 October.
    const lastOrderAt = new Date('2026-10-25T07:59:00Z');
    const mornings = [1, 2, 3, 4].flatMap((week) =>
      Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2026, 9, 26 - 7 * week, 6, n))),
    );
    await placeOrders(
      sql,
      team,
      [lastOrderAt, ...mornings].map((createdAt) => ({ createdAt })),
    );
    const read = (now: string) => readSilence(sql, team, { now: new Date(now), since: null });
    expect(await read('2026-10-26T06:29:00Z')).toEqual({ lastOrderAt, found: 0, usualOrders: usual });
    expect(await read('2026-10-26T07:29:00Z')).toMatchObject({ usualOrders: usual === null ? 30 : 60 });
  },
);

it('a silence is told once, and its end once', async () => {
  const { watch, notices, addOrders } = await setUp();
  await watch(0, hourMs - minuteMs, 5 * minuteMs);
  expect(await notices()).toEqual([]);
  await watch(hourMs, 5 * hourMs, 5 * minuteMs);
  const stop = {
    type: 'orders.stopped',
    subjectId: null,
    data: {
      teamName: 'Ann’s shop',
      lastOrderAt: '2026-11-22T12:00:00.000Z',
      usualOrders: 20,
      endedAt: null,
      message: expect.stringMatching(
        /^No order since Sunday 12:00 UTC; usually there are at least 20 by now\. /,
      ),
    },
  };
  expect(await notices()).toEqual([stop]);
  await addOrders(after(5 * hourMs + 30_000), after(5 * hourMs + 10 * minuteMs));
  await watch(5 * hourMs + 10 * minuteMs, 6 * hourMs, 5 * minuteMs);
  const end = {
    teamName: 'Ann’s shop',
    lastOrderAt: '2026-11-22T12:00:00.000Z',
    usualOrders: null,
    endedAt: '2026-11-22T17:00:30.000Z',
    message:
      'Orders are coming in again since Sunday 17:00 UTC. Before that there was none since Sunday 12:00 UTC.',
  };
  expect(await notices()).toEqual([stop, { ...stop, data: end }]);
});

it('the next silence is told again', { tags: ['all'] }, async () => {
  const { watch, ends, addOrders } = await setUp();
  await watch(minuteMs, 3 * hourMs);
  await addOrders(after(3 * hourMs), after(5 * hourMs));
  await watch(5 * hourMs, 9 * hourMs);
  expect(await ends()).toEqual([null, '2026-11-22T15:00:00.000Z', null]);
});

it('a hook that is switched on later is told of the silence that lasts, and of none that ended before', async () => {
  const { sql, hook, watch, ends, addOrders } = await setUp();
  const switchHook = (isOn: boolean) =>
    sql`update hook set disabled_at = ${isOn ? null : stoppedAt}::timestamptz where id = ${hook}`;
  await watch(minuteMs, 3 * hourMs);
  expect(await ends()).toEqual([null]);
  await switchHook(false);
  await watch(4 * hourMs, 4 * hourMs);
  await switchHook(true);
  await watch(4 * hourMs + minuteMs, 6 * hourMs);
  expect(await ends()).toEqual([null, null]);
  await switchHook(false);
  await addOrders(after(6 * hourMs), after(30 * hourMs));
  await watch(30 * hourMs, 30 * hourMs);
  await switchHook(true);
  await watch(30 * hourMs + minuteMs, 30 * hourMs + 10 * minuteMs);
  expect(await ends()).toEqual([null, null]);
});

it('a check that several servers make in one minute is made once, so that nothing is told twice', async () => {
  const { check } = await setUp();
  let checks = 0;
  const counting: Record<string, WatchRule> = {
    'refused.began': async () => [],
    'orders.stopped': async () => {
      checks++;
      return [];
    },
  };
  await Promise.all(Array.from({ length: 6 }, () => check(0, counting)));
  expect(checks).toBe(1);
  await check(30_000, counting);
  expect(checks).toBe(1);
  await check(minuteMs, counting);
  expect(checks).toBe(2);
});

it('a time without a server is no silence', async () => {
  const { watch, notices } = await setUp();
  await watch(0, 5 * minuteMs);
  await watch(3 * dayMs, 3 * dayMs + hourMs - minuteMs, 5 * minuteMs);
  // A second silence soon after the first.
  await watch(4 * dayMs, 4 * dayMs + hourMs - minuteMs, 5 * minuteMs);
  expect(await notices()).toEqual([]);
  await watch(4 * dayMs + hourMs, 4 * dayMs + 4 * hourMs, 5 * minuteMs);
  expect(await notices()).toHaveLength(1);
});

it('a clock that jumps ahead and back tells no silence, and hides none', { tags: ['all'] }, async () => {
  const { watch, notices } = await setUp();
  await watch(0, 5 * minuteMs);
  await watch(30 * dayMs, 30 * dayMs + 5 * minuteMs);
  expect(await notices()).toEqual([]);
  await watch(10 * minuteMs, 30 * minuteMs);
  expect(await notices()).toEqual([]);
  await watch(31 * minuteMs, 3 * hourMs, 5 * minuteMs);
  expect(await notices()).toHaveLength(1);
});

it('a silence is neither ended nor begun anew by orders that its shop is asked for, and their number is said', async () => {
  const { sql, team, watch, ends, notices, check } = await setUp();
  await watch(minuteMs, 2 * hourMs);
  expect(await ends()).toEqual([null]);
  // Orders come each hour, dated in the hour before.
  for (let hour = 2; hour < 6; hour++) {
    const createdAt = after(hour * hourMs + 5 * minuteMs);
    await recordFound(sql, team, await placeOrders(sql, team, [{ createdAt }, { createdAt }]));
    await watch(hour * hourMs + 10 * minuteMs, (hour + 1) * hourMs);
  }
  expect(await ends()).toEqual([null]);
  const { lastOrderAt, found, usualOrders } = await readSilence(sql, team, {
    now: after(6 * hourMs),
    since: null,
  });
  expect([lastOrderAt, found]).toEqual([stoppedAt, 8]);
  const stated = silenceMessage({ lastOrderAt: lastOrderAt!, found, usualOrders: usualOrders! }, String);
  expect(stated).toContain('8 of these were found since by asking the shop');
  await placeOrders(sql, team, [{ createdAt: after(7 * hourMs) }]);
  await check(7 * hourMs + minuteMs);
  expect(await ends()).toEqual([null, '2026-11-22T19:00:00.000Z']);
  expect(await notices()).toHaveLength(2);
});

it('a silence is ended by the order that comes, whatever its date', async () => {
  const { sql, team, watch, ends } = await setUp();
  await watch(minuteMs, 2 * hourMs);
  const createdAt = after(-3 * hourMs);
  await placeOrders(sql, team, [{ createdAt, id: newUuid(after(150 * minuteMs).getTime()) }]);
  await watch(151 * minuteMs, 160 * minuteMs);
  expect(await ends()).toEqual([null, '2026-11-22T14:30:00.000Z']);
});

it('orders whose time lies ahead hide no silence', async () => {
  const { watch, notices, addOrders } = await setUp();
  await addOrders(after(30 * dayMs), after(30 * dayMs));
  await watch(minuteMs, 3 * hourMs);
  expect(await notices()).toHaveLength(1);
});

it('test orders neither end a silence nor make one', async () => {
  const live = await setUp();
  await live.addOrders(after(minuteMs), after(4 * hourMs), true);
  await live.watch(minuteMs, 3 * hourMs);
  expect(await live.notices()).toHaveLength(1);
  const tests = await setUp({ isTest: true });
  await tests.watch(minuteMs, 3 * hourMs);
  expect(await tests.notices()).toEqual([]);
});

it('a team without a hook for it is not looked at', async () => {
  const { sql, team, watch, notices } = await setUp({ hasHook: false });
  await addTestHook(sql, team, { events: ['order.created'] });
  await addTestHook(sql, team, { isTest: true });
  const off = await addTestHook(sql, team, {});
  await sql`update hook set disabled_at = now() where id = ${off}`;
  await watch(minuteMs, 3 * hourMs);
  expect(await notices()).toEqual([]);
  expect(await sql`select from hook_watch where team_id = ${team}`).toHaveLength(0);
});

it('a server tells Slack and other hooks by itself, and shows the same in console', async () => {
  const { sql, team, hook } = await setUp({ until: new Date(Date.now() - 3 * hourMs) });
  const receiver = await startReceiver();
  await sql`update hook set url = ${receiver.url} where id = ${hook}`;
  const slack = await addTestHook(sql, team, { url: receiver.url, events: ['orders.stopped'] });
  await sql`update hook set format = 'slack' where id = ${slack}`;
  const server = await startTestServer({ databaseUrl: database.url });
  onTestFinished(() => server.close());
  await expect.poll(() => receiver.received).toHaveLength(2);
  const bodies = receiver.received.map(({ json }) => json);
  const { data, type } = bodies.find((body) => body.type);
  expect(type).toBe('orders.stopped');
  expect(data.message).toMatch(/^No order since .+ UTC; usually there are at least \d+ by now\. Check/);
  expect(bodies).toContainEqual({ text: `Ann’s shop: ${data.message}` });
  await expect
    .poll(() => sql`select from hook_delivery where hook_id = ${hook} and delivered_at is not null`)
    .toHaveLength(1);

  const session = await signIn({ sql, url: server.url }, encodeId('team', team));
  const { text } = await session.get('/console?mode=live');
  const shown = /(No order since [^<]+)</.exec(text)![1]!.trim();
  const since = (sentence: string) =>
    sentence.replace(/since .+?;/, 'since …;').replace(/\d+ by now/, '… by now');
  expect(since(shown)).toBe(since(data.message));
  expect((await session.get('/console?mode=test')).text).not.toContain('No order since');
});

it('the overview of a team whose orders come shows no silence, and needs no hook to show one', async () => {
  const { sql, team, addOrders } = await setUp({
    hasHook: false,
    until: new Date(Date.now() - 3 * hourMs),
  });
  const server = await startTestServer({ databaseUrl: database.url });
  onTestFinished(() => server.close());
  const session = await signIn({ sql, url: server.url }, encodeId('team', team));
  expect((await session.get('/console')).text).toContain('No order since');
  await addOrders(new Date(Date.now() - 60_000), new Date());
  expect((await session.get('/console')).text).not.toContain('No order since');
});

it('a server that stops looks at no further team', async () => {
  const { sql, team } = await setUp();
  const other = newUuid();
  await createTeam(sql, { id: other, name: 'Other', storefrontUrl: 'https://other.example' });
  await addTestHook(sql, other, { events: ['orders.stopped'] });
  const checked: Uuid[] = [];
  let stopped: Promise<void> | undefined;
  const counted: Record<string, WatchRule> = {
    ...rules,
    'orders.stopped': async (_tx, { teamId }) => {
      checked.push(teamId);
      stopped = stop();
      return [];
    },
  };
  const stop = startWatching(sql, counted, { nowMs: () => stoppedAt.getTime(), noteFault });
  await expect.poll(() => checked).not.toEqual([]);
  await stopped;
  expect(checked).toHaveLength(1);
  expect([team, other]).toContain(checked[0]);
});

it('a fault of one rule is noted, takes back what the rule wrote, and does not stop the other one; the next check tells it', async () => {
  const { sql, team, notices } = await setUp();
  await sql`update hook set events = '{orders.stopped,refused.began}' where team_id = ${team}`;
  const fault = new Error('a rule fails');
  const failing: Record<string, WatchRule> = {
    ...rules,
    'refused.began': async (tx) => {
      await tx`insert into hook_refused (team_id, day, kind, name) values (${team}, now(), 'host', 'x')`;
      throw fault;
    },
  };
  const silent: Record<string, WatchRule> = {
    'orders.stopped': async (tx) => tx`select 1 / 0`,
    'refused.began': async () => [{ message: 'refused' }],
  };
  const faults: unknown[] = [];
  const check = (rules: Record<string, WatchRule>, ms: number) =>
    watchTeams(sql, rules, {
      nowMs: () => stoppedAt.getTime() + ms,
      noteFault: (error) => void faults.push(error),
    });
  await check(failing, 2 * hourMs);
  expect(faults).toEqual([fault]);
  expect((await notices()).map(({ type }) => type)).toEqual(['orders.stopped']);
  expect(await sql`select from hook_refused where team_id = ${team}`).toHaveLength(0);
  await check(silent, 2 * hourMs + minuteMs);
  expect(faults).toEqual([fault, expect.objectContaining({ code: '22012' })]);
  expect((await notices()).map(({ type }) => type)).toEqual(['orders.stopped', 'refused.began']);
});
