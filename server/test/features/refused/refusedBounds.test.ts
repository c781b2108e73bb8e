import { expect, it, onTestFinished } from 'vitest';
import { startClock } from '../../../src/database/clock.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { createCleaningRefused, expireRefused } from '../../../src/features/refused/cleanRefused.js';
import { createRefusedKeeper } from '../../../src/features/refused/keepRefused.js';
import type { RefusedBounds } from '../../../src/features/refused/refusedReport.js';
import { listRefused } from '../../../src/features/refused/sql/listRefused.js';
import {
  discardRefused,
  removeSettled,
  restoreRefused,
} from '../../../src/features/refused/sql/removeRefused.js';
import { ApiError } from '../../../src/values/errors.js';
import { startServerForTest, type TestServer } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { patientBounds, withRefused } from './kit/inTests.js';
import { replay } from './kit/refused.js';

const from = (host: string) => ({ origin: host === 'null' ? host : `https://${host}` });
const dayMs = 24 * 60 * 60_000;
const open = async (refused: Partial<RefusedBounds>) =>
  openShop(await startServerForTest(withRefused(refused)));
const keptOf = async (shop: Shop) => (await shop.refused()).map(({ orderId }) => orderId);

/** Reads the numbers of refused reports, by the metric's label `outcome`. */
async function countOutcomes(server: TestServer) {
  const { text } = await server.send('GET', '/metrics');
  const found = [...text.matchAll(/^orderbeacon_refused_reports_total\{outcome="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, outcome, count]) => [outcome, Number(count)]));
}

/** Sends a report that is refused. It is of a host, or of the team's own page or key. */
async function refuse(shop: Shop, sender: string, orderId: string) {
  const bad = { orderId, amount: 'much' };
  if (sender === 'key') await shop.reportByKey(bad);
  else await shop.report(bad, from(sender === 'own' ? shop.domain : sender));
}

// The name of each report is its sender and a number.
it.for<[string, Partial<RefusedBounds>, string[], string[]]>([
  [
    'of one host or key only so many are kept',
    { reportsOfSender: 2 },
    [
      'a.example 0',
      'a.example 1',
      'a.example 2',
      'key 0',
      'key 1',
      'key 2',
      'own 0',
      'null 0',
      'null 1',
      'null 2',
    ],
    ['a.example 0', 'a.example 1', 'key 0', 'key 1', 'own 0', 'null 0', 'null 1'],
  ],
  [
    'of other hosts the newest are kept, and they take no room of domains and keys',
    { otherReports: 3, ownReports: 2 },
    ['own 0', 'key 0', 'a.example 0', 'a.example 1', 'null 0', 'b.example 0', 'xn--bcher-kva.example 0'],
    ['own 0', 'key 0', 'null 0', 'b.example 0', 'xn--bcher-kva.example 0'],
  ],
  [
    'of domains and keys the newest are kept, and they take no room of other hosts',
    { otherReports: 3, ownReports: 2 },
    ['a.example 0', 'own 0', 'key 0', 'own 1', 'key 1'],
    ['a.example 0', 'own 1', 'key 1'],
  ],
  [
    'of one address so many are kept of each domain, and of all other hosts together; keys have no such limit',
    { reportsOfClient: 2 },
    ['a.example 0', 'null 0', 'b.example 0', 'own 0', 'own 1', 'own 2', 'key 0', 'key 1', 'key 2'],
    ['a.example 0', 'null 0', 'own 0', 'own 1', 'key 0', 'key 1', 'key 2'],
  ],
])('%s; the others are counted', async ([_, bounds, sent, kept]) => {
  const shop = await open(bounds);
  for (const name of sent) await refuse(shop, name.split(' ')[0]!, name);
  expect(await keptOf(shop)).toEqual(kept);
  const { kept: entries, counted, evicted } = await countOutcomes(shop.server);
  expect([entries! + counted!, entries! - evicted!]).toEqual([sent.length, kept.length]);
});

it('one address takes its part of the room of a host alone, and the page says how many were not kept', async () => {
  const env = { ORDERBEACON_RATE_LIMIT: 'off', ORDERBEACON_TRUST_PROXY: '1' };
  const refused = { reportsOfSender: 20, reportsOfClient: 2 };
  const shop = await openShop(await startServerForTest({ env, ...withRefused(refused) }));
  const send = (orderId: string, address: string) =>
    shop.report(
      { orderId, amount: 'much' },
      { origin: `https://${shop.domain}`, 'x-forwarded-for': address },
    );
  const made = Array.from({ length: 30 }, (_, n) => `made-${n}`);
  await Promise.all(made.map((orderId) => send(orderId, '2001:db8:0:7::1')));
  // Another address of the same network, and an address that a client itself writes into the header.
  await send('made-30', '2001:db8:0:7::2');
  await send('made-31', '9.9.9.9, 2001:db8:0:7::3');
  for (let n = 0; n < 4; n++) await send(`own-${n}`, `10.0.0.${n % 2}`);
  const kept = await keptOf(shop);
  expect(kept.filter((orderId) => orderId!.startsWith('made'))).toHaveLength(2);
  expect(kept.slice(-4)).toEqual(['own-0', 'own-1', 'own-2', 'own-3']);
  const { read } = await shop.console();
  expect(await read('/console/refused')).toContain('30 more reports were refused since');

  await replay(shop.sql, shop.team, {}, { changes: { amount: 1 } });
  await send('made-32', '2001:db8:0:7::1');
  expect(await keptOf(shop)).toEqual(['made-32']);
});

it('an address has its part of the other hosts again once these reports are gone', async () => {
  const shop = await open({ reportsOfClient: 1 });
  for (const host of ['a.example', 'b.example']) await refuse(shop, host, host);
  expect(await keptOf(shop)).toEqual(['a.example']);
  await discardRefused(shop.sql, shop.team, {});
  for (const host of ['c.example', 'd.example']) await refuse(shop, host, host);
  expect(await keptOf(shop)).toEqual(['c.example']);
});

it('a host that is full leaves room to other teams, and is kept again once it has made room', async () => {
  const shop = await open({ reportsOfSender: 1 });
  for (const orderId of ['o-0', 'o-1']) await refuse(shop, 'own', orderId);
  const other = await openShop(shop.server);
  await refuse(other, shop.domain, 'o-2');
  expect([await keptOf(shop), await keptOf(other)]).toEqual([['o-0'], ['o-2']]);
  await replay(shop.sql, shop.team, {}, { changes: { amount: 1 } });
  await refuse(shop, 'own', 'o-3');
  expect(await keptOf(shop)).toEqual(['o-3']);
});

it('a domain that is allowed meanwhile has the room of domains, also for what it sends again', async () => {
  const shop = await open({ otherReports: 2 });
  await refuse(shop, 'mine.example', 'mine');
  await shop.addDomain('mine.example');
  await refuse(shop, 'mine.example', 'mine');
  for (let n = 0; n < 5; n++) await refuse(shop, `made-up-${n}.example`, `o-${n}`);
  expect(await keptOf(shop)).toEqual(['mine', 'o-3', 'o-4']);
});

it('several servers together keep hardly more than one, whatever comes concurrently', {
  tags: ['all'],
}, async () => {
  const shop = await open({ otherReports: 20 });
  const bounds = { ...patientBounds, otherReports: 20, reportsOfSender: 4 };
  const clock = await startClock(shop.sql);
  onTestFinished(() => clock.stop());
  const keepers = [1, 2, 3].map(() => createRefusedKeeper(shop.sql, () => {}, bounds, clock));
  const error = new ApiError('domain_not_allowed');
  const keeping = Array.from({ length: 300 }, (_, n) => {
    const value = shop.order();
    const sent = { text: JSON.stringify(value), value, keyHash: null, idempotencyKey: null };
    return keepers[n % 3]!.keep(shop.team, { ...sent, error, field: '', host: `host-${n % 30}.example` });
  });
  await Promise.all(keeping);
  // The next report of any server removes those beyond the limit.
  await refuse(shop, 'last.example', 'last');
  expect(await shop.refused()).toHaveLength(20);
});

it('a report that finds no room in the queue is counted and answered, and good orders are stored', async () => {
  const shop = await open({ reportsWaiting: 0 });
  const bad = [0, 1, 2].map(() => shop.report({ amount: 'x' }));
  const answers = await Promise.all([...bad, shop.report()]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
  expect(await shop.refused()).toEqual([]);
  expect(await countOutcomes(shop.server)).toMatchObject({ kept: 0, counted: 0, dropped: 3 });
});

it('what cannot be kept in time is answered with 503, and is kept when it comes again', async () => {
  const shop = await open({ waitAtMostMs: 200 });
  const bad = { orderId: 'o-1', amount: 'x' };
  await inTransaction(shop.sql, async (tx) => {
    await tx`lock table refused_report in exclusive mode`;
    const answer = await shop.report(bad);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('2');
  });
  expect((await shop.report(bad)).status).toBe(400);
  expect(await shop.refused()).toHaveLength(1);
});

test('the same report refused again is one entry with a count, its last reason, and its first date', async ({
  shop,
}) => {
  const report = { teamId: shop.teamId, email: 'ann@mail.example', amount: 1, orderId: 'o-1' };
  const all = await Promise.all(Array.from({ length: 40 }, () => shop.report(report, from('a.example'))));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([403]));
  const [first, ...others] = await shop.refused();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ times: 40, reason: 'domain_not_allowed' });
  // A retry of the shop, whose source has become invalid, is the same order of the same money.
  await shop.report({ ...report, source: 7 }, from('a.example'));
  const [last, ...more] = await shop.refused();
  expect(more).toEqual([]);
  expect(last).toMatchObject({ id: first!.id, times: 41, reason: 'invalid_request', field: 'source' });
  expect(last!.receivedAt).toEqual(first!.receivedAt);
  expect(last!.lastAt.getTime()).toBeGreaterThanOrEqual(first!.lastAt.getTime());
  expect(last!.body).toBe(JSON.stringify(report));
});

test('a stranger who sends another buyer, amount or currency under the same orderId hides nothing', async ({
  shop,
}) => {
  const { teamId } = shop;
  const report = { teamId, email: 'ann@mail.example', amount: 49.9, orderId: 'o-1', currency: 'EUR' };
  const bogus = [
    { ...report, email: 'eve@stranger.example' },
    { ...report, amount: 0 },
    { ...report, amount: '49.9' },
    { ...report, currency: 'USD' },
    { teamId, orderId: 'o-1' },
    { ...report, orderId: { toString: 'o-1' } },
  ];
  for (const each of [...bogus, report]) await shop.report(JSON.stringify(each), from('a.example'));
  // Reports of another host are not the same, either.
  await shop.report(report, from('b.example'));
  const kept = await shop.refused();
  expect(kept.map(({ times }) => times)).toEqual(Array(8).fill(1));
  const own = kept.filter(({ body }) => body === JSON.stringify(report));
  expect(own.map(({ host }) => host)).toEqual(['a.example', 'b.example']);
});

test('a report that is 30 days old is neither listed nor replayed, and is removed', async ({ shop }) => {
  const { sql, team } = shop;
  for (let n = 0; n < 3; n++) await shop.report({ orderId: `o-${n}` }, from('a.example'));
  const thirtyDaysAgo = new Date(Date.now() - 30 * dayMs);
  await sql`
    update refused_report set received_at = ${thirtyDaysAgo} where team_id = ${team} and order_id <> 'o-2'`;
  expect(await shop.refused()).toMatchObject([{ orderId: 'o-2' }]);
  expect(await replay(sql, team)).toHaveLength(1);
  await expireRefused(sql);
  expect(await sql`select order_id from refused_report where team_id = ${team}`).toEqual([
    { order_id: 'o-2' },
  ]);
});

test('a team whose old reports cannot be removed keeps those of no other', async ({ server, shop }) => {
  for (const each of [shop, await openShop(server)]) await refuse(each, 'own', 'o-1');
  let removals = 0;
  const sql = new Proxy(shop.sql, {
    apply(run, self, given) {
      if (String(given[0]).includes('removeExpired') && ++removals === 1)
        return Promise.reject(new Error('locked'));
      return Reflect.apply(run, self, given);
    },
  });
  await expect(expireRefused(sql)).rejects.toThrow('locked');
  expect(removals).toBeGreaterThan(1);
});

test('a discarded report is restored within a day, stays discarded when it is refused again, and is removed after a day', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const names = ['restored', 'refused-again', 'gone'];
  for (const orderId of names) await refuse(shop, 'own', orderId);
  expect(await discardRefused(sql, team, {})).toMatchObject({ reports: 3 });
  expect(await keptOf(shop)).toEqual([]);
  await refuse(shop, 'own', 'refused-again');
  await sql`
    update refused_report set discarded_at = now() - interval '25 hours' where team_id = ${team} and order_id = 'gone'`;
  expect(await keptOf(shop)).toEqual([]);
  expect(await restoreRefused(sql, team, {})).toBe(2);
  await removeSettled(sql, team);
  expect(await keptOf(shop)).toEqual(['restored', 'refused-again']);
  expect(await sql`select from refused_report where team_id = ${team}`).toHaveLength(2);
});

test('a list reads 16,384 characters of a body, and of a longer one shows what could be read when it came', async ({
  shop,
}) => {
  const note = 'x'.repeat(60_000);
  await shop.report({ orderId: 'o-1', amount: 'much', note: note.slice(0, 16_000) });
  await shop.report({ orderId: 'o-2', amount: 'much', note });
  const { read, get } = await shop.console();
  const query = `?reason=invalid_request&host=${shop.domain}&field=amount`;
  expect(await read(`/console/refused${query}`)).toMatch(
    /o-2 ann@buyer.example .*o-1 ann@buyer.example much /,
  );
  const rows = await listRefused(shop.sql, shop.team, { limit: 10, isShort: true });
  expect(rows.map(({ body }) => body.length < 16_384)).toEqual([false, true]);
  expect(rows[0]!.body).toHaveLength(16_384);
  expect((await get(`/console/refused${query}`)).text.length).toBeLessThan(60_000);
});

test('what is settled goes within a minute for teams that this server stores orders of, else within the hour', async ({
  shop,
  server,
}) => {
  const other = await openShop(server);
  const refuse = async ({ report, sql, team }: Shop, orderId: string) => {
    await report({ orderId, amount: 'much' });
    await sql`update refused_report set amount = 49.9, email = 'ann@buyer.example' where team_id = ${team}`;
    await report({ orderId });
  };
  const { round, wake } = createCleaningRefused(shop.sql);
  await refuse(shop, 'o-1');
  await round();
  expect(await shop.refused()).toEqual([]);
  for (const each of [shop, other]) await refuse(each, 'o-2');
  wake(shop.team);
  await round();
  expect([await shop.refused(), await other.refused()]).toMatchObject([[], [{ orderId: 'o-2' }]]);
  for (let minutes = 2; minutes < 60; minutes++) await round();
  expect(await other.refused()).toHaveLength(1);
  await round();
  expect(await other.refused()).toEqual([]);
});
