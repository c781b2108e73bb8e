import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDomain } from '../../../src/core/teams/sql/domain.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { addRefused } from '../../../src/features/refused/sql/keepRefused.js';
import { watchRefused } from '../../../src/features/refused/watchRefused.js';
import { watchTeams } from '../../../src/features/webhooks/startWatching.js';
import { newUuid, type Uuid } from '../../../src/values/ids.js';
import { createTestDatabase, type TestDatabase } from '../../kit/database.js';
import { test } from '../../kit/shop.js';
import { addTestHook, noteFault } from '../webhooks/kit/hooks.js';

const dayMs = 24 * 60 * 60_000;
const noon = new Date('2026-11-22T12:00:00Z').getTime();
const rules = { 'orders.stopped': async () => [], 'refused.began': watchRefused };
/** A host that is not allowed in the team. */
const foreign = (n: number) => ({ reason: 'domain_not_allowed', host: `host-${n}.example`, field: '' });
const badAmount = { reason: 'invalid_request', host: 'shop.example', field: 'amount' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

interface Refusal {
  reason: string;
  host: string;
  field: string;
  /** Hash of an API key; missing for a page. */
  keyHash?: string;
}

/** Adds a team with two domains. */
async function addTeam() {
  const { sql } = database;
  // Each test has other times, at which the teams of other tests must not be checked.
  await sql`update hook set disabled_at = now()`;
  const team = newUuid();
  await createTeam(sql, { id: team, name: 'Ann’s shop', storefrontUrl: 'https://shop.example' });
  for (const entry of ['shop.example', 'other.example']) await addDomain(sql, team, { entry, isTest: false });
  /** Keeps reports as refused at a time, each a new one. */
  async function keep(ms: number, ...refusals: Refusal[]) {
    const made = {
      issues: null,
      isOwn: false,
      isTest: false,
      body: '{}',
      times: 1,
      receivedAt: new Date(ms).toISOString(),
    };
    const none = {
      statement: null,
      keyHash: null,
      idempotencyKey: null,
      sdkVersion: null,
      email: null,
      currency: null,
    };
    const nameless = { ...none, orderId: null, reportId: null, amount: null };
    await addRefused(
      sql,
      team,
      refusals.map((one) => ({ ...made, ...nameless, ...one, id: newUuid(), identity: newUuid() })),
    );
  }
  const check = (ms: number) => watchTeams(sql, rules, { nowMs: () => ms, noteFault });
  return {
    sql,
    team,
    keep,
    check,
    /** Keeps reports as refused, and then checks as servers do. */
    async refuse(ms: number, ...refusals: Refusal[]) {
      await keep(ms, ...refusals);
      await check(ms);
      await check(ms + 60_000);
    },
    notices: () => noticesOf(sql, team),
  };
}

/** Adds a team whose webhook is notified of refusals. */
async function setUp() {
  const added = await addTeam();
  await addTestHook(added.sql, added.team, { events: ['refused.began'] });
  return added;
}

/** Lists the events of refusals for the webhooks of a team. */
async function noticesOf(sql: Sql, team: Uuid) {
  const rows = await sql<{ data: { host: string | null; field: string | null; reason: string | null } }[]>`
    select data from hook_delivery where team_id = ${team} and type = 'refused.began' order by created_at, id`;
  return rows.map(({ data }) => data);
}

it('a host that begins to be refused is told once, with the fix', async () => {
  const { refuse, notices } = await setUp();
  await refuse(noon, foreign(1));
  const first = {
    teamName: 'Ann’s shop',
    reason: 'domain_not_allowed',
    host: 'host-1.example',
    field: null,
    reports: 1,
    message:
      'Reports begin to be refused: host-1.example is not among your domains. 1 report so far. In the console, under Refused: If it is your shop, allow it: each order counts from the time when it came. If not, discard them.',
  };
  expect(await notices()).toEqual([first]);
  await refuse(noon + 5 * 60_000, foreign(1));
  for (let day = 1; day < 20; day++) await refuse(noon + day * dayMs, foreign(1));
  expect(await notices()).toEqual([first]);
});

it('a host is told again when it was not refused for a week', async () => {
  const { refuse, notices } = await setUp();
  await refuse(noon, foreign(1));
  await refuse(noon + 7 * dayMs, foreign(1));
  expect(await notices()).toHaveLength(1);
  await refuse(noon + 16 * dayMs, foreign(1));
  expect(await notices()).toHaveLength(2);
});

it('a field that begins to be refused is told once, whichever of the team’s hosts or keys sends it', async () => {
  const { refuse, notices } = await setUp();
  await refuse(noon, badAmount, { ...badAmount, host: 'other.example' });
  await refuse(noon + dayMs, { ...badAmount, host: '' });
  await refuse(noon + dayMs + 5 * 60_000, { ...badAmount, field: 'email' });
  await refuse(noon + dayMs + 70 * 60_000, {
    reason: 'order_differs',
    host: 'shop.example',
    field: 'amount',
  });
  expect((await notices()).map(({ reason, field }) => `${reason} ${field}`)).toEqual([
    'invalid_request amount',
    'invalid_request email',
    'order_differs amount',
  ]);
  expect((await notices())[0]).toMatchObject({
    reports: 2,
    message: expect.stringContaining('amount is missing'),
  });
});

it('what a key sends wrong within an hour is told once, with the most frequent reason, and the rest after it', async () => {
  const { refuse, notices } = await setUp();
  const wrong = (field: string, keyHash = 'one') => ({ reason: 'invalid_request', host: '', field, keyHash });
  await refuse(noon, wrong('amount'), wrong('email'), wrong('email'), wrong('orderId'));
  expect(await notices()).toMatchObject([
    {
      reason: 'invalid_request',
      field: 'email',
      reports: 4,
      message: expect.stringMatching(
        /^Reports begin to be refused: Your backend: email is .* 2 reports so far, and 2 for other reasons\. In/,
      ),
    },
  ]);
  for (const [minutes, field] of [
    [10, 'currency'],
    [20, 'items'],
    [30, 'createdAt'],
  ] as const)
    await refuse(noon + minutes * 60_000, wrong(field));
  // Another key, and the shop’s own pages, do not wait for it.
  await refuse(noon + 40 * 60_000, wrong('source', 'two'), { ...badAmount, field: 'name' });
  expect((await notices()).slice(1).map(({ field }) => field)).toEqual(
    expect.arrayContaining(['source', 'name']),
  );
  expect(await notices()).toHaveLength(3);
  await refuse(noon + 70 * 60_000, wrong('items'));
  expect((await notices()).slice(3)).toMatchObject([{ field: 'items', reports: 4 }]);
  await refuse(noon + 140 * 60_000, wrong('items'));
  expect(await notices()).toHaveLength(4);
});

it('a stranger who sends a field first hides nothing of the team’s own pages', async () => {
  const { refuse, notices } = await setUp();
  await refuse(noon - dayMs, { ...badAmount, host: 'evil.example' });
  await refuse(noon, badAmount);
  expect((await notices()).map(({ host }) => host)).toEqual(['evil.example', 'shop.example']);
});

it('a host that is allowed meanwhile is not told as a field', async () => {
  const { sql, team, refuse, notices } = await setUp();
  await refuse(noon, foreign(1));
  await addDomain(sql, team, { entry: 'host-1.example', isTest: false });
  await refuse(noon + 60_000 * 5, foreign(1));
  expect(await notices()).toHaveLength(1);
});

it('made-up hosts are told ten times a day, and once more that there are others', {
  tags: ['all'],
}, async () => {
  const { refuse, notices } = await setUp();
  const hosts = Array.from({ length: 300 }, (_, n) => foreign(n));
  for (let at = 0; at < 300; at += 60) await refuse(noon + at * 1_000 * 60, ...hosts.slice(at, at + 60));
  const first = await notices();
  expect(first).toHaveLength(11);
  expect(first.filter(({ host }) => host === null)).toEqual([
    {
      teamName: 'Ann’s shop',
      reason: null,
      host: null,
      field: null,
      reports: 50,
      message:
        'Reports of more hosts begin to be refused today than are reported one by one. The console shows all under Refused.',
    },
  ]);
  // A field of the team's own pages is reported nevertheless.
  await refuse(noon + 6 * 60 * 60_000, badAmount);
  expect((await notices()).slice(11)).toMatchObject([{ field: 'amount' }]);
  // On the next day none of the others is reported, and new ones are.
  await refuse(noon + dayMs, ...hosts.slice(0, 60), foreign(1_000));
  expect((await notices()).slice(12)).toMatchObject([{ host: 'host-1000.example' }]);
});

it('a refusal just before midnight is told after it', async () => {
  const { keep, refuse, notices } = await setUp();
  const midnight = noon + dayMs / 2;
  await keep(midnight - 1, foreign(1));
  await refuse(midnight + 30 * 60_000, foreign(1));
  expect(await notices()).toMatchObject([{ host: 'host-1.example', reports: 2 }]);
});

it('a host whose reports were stored or discarded meanwhile is told again after a week, and not before', {
  tags: ['all'],
}, async () => {
  const { sql, team, refuse, notices } = await setUp();
  for (let day = 0; day <= 9; day++) {
    await refuse(noon + day * dayMs, foreign(1));
    expect([day, (await notices()).length]).toEqual([day, day < 9 ? 1 : 2]);
    await sql`delete from refused_report where team_id = ${team}`;
  }
});

test('a report that a page sends is told as refused', async ({ shop }) => {
  const { sql, team } = shop;
  await addTestHook(sql, team, { events: ['refused.began'] });
  expect((await shop.report({ amount: 'much' })).status).toBe(400);
  // A minute from now, because the server may have checked the team in this minute.
  await watchTeams(sql, rules, { nowMs: () => Date.now() + 60_000, noteFault });
  const notices = { reason: 'invalid_request', host: shop.domain, field: 'amount', reports: 1 };
  expect(await noticesOf(sql, team)).toMatchObject([notices]);
});
