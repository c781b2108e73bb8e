import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { hashKey } from '../../../src/core/teams/keys.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { poolSizes } from '../../../src/database/pools.js';
import { findLockWaits } from '../../kit/lockWaits.js';
import { executable } from '../../kit/process.js';
import { sendTo, startServerForTest } from '../../kit/server.js';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { mostParsedInATurn } from '../../kit/turns.js';
import { placeRefused, replay } from './kit/refused.js';

const foreign = { origin: 'https://other.example' };

/** Has reports with each kind of identifier refused, and then allows their domain. */
async function refuse(shop: Shop, reports: number) {
  const { sql, team, teamId } = shop;
  const bodies = Array.from({ length: reports }, (_, n) => ({
    teamId,
    email: `buyer-${n}@mail.example`,
    amount: n,
    ...[{ orderId: `o-${n}` }, { reportId: `r-${n}` }, {}][n % 3],
  }));
  // 40 requests of one address may wait.
  for (let at = 0; at < reports; at += 30)
    await Promise.all(bodies.slice(at, at + 30).map((body) => shop.report(JSON.stringify(body), foreign)));
  const left = () => sql`select from refused_report where team_id = ${team}`;
  expect(await left()).toHaveLength(reports);
  await shop.addDomain('other.example');
  return {
    bodies,
    left,
    /** Reads the amounts of the stored orders. */
    amounts: async () =>
      (await sql`select amount::int from placed_order where team_id = ${team} order by 1`).map(
        ({ amount }) => amount,
      ),
    all: Array.from({ length: reports }, (_, n) => n),
    kinds: async () => (await replay(sql, team)).map(({ outcome }) => outcome.kind),
  };
}

/** Starts the command `refused replay` as a process that can be killed. */
function startReplay({ server, teamId }: Shop) {
  const args = ['refused', 'replay', '--team', teamId, '--json'];
  const child: ChildProcess = spawn(process.execPath, [executable, ...args], {
    env: { PATH: process.env.PATH, ...server.env },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

/** Opens a shop on a separate database, for tests that lock or break a table. */
const openAlone = async () => openShop(await startServerForTest());

test('a replay that dies after it stored and before it removed the reports doubles nothing', {
  tags: ['all'],
}, async () => {
  const shop = await openAlone();
  const { sql } = shop;
  const { all, amounts, kinds, left } = await refuse(shop, 100);
  await inTransaction(sql, async (tx) => {
    // The lock allows a replay to lock rows, but not to remove any.
    await tx`lock table refused_report in share mode`;
    const { child, ended } = startReplay(shop);
    const removing = async () =>
      (await findLockWaits(sql)).filter(({ query }) => query.includes('removeRefused'));
    await expect.poll(removing).toHaveLength(1);
    child.kill('SIGKILL');
    await ended;
  });
  expect(await amounts()).toHaveLength(64);
  const dying = () =>
    sql`select from pg_stat_activity where query like '%removeRefused%' and state <> 'idle' and pid <> pg_backend_pid()`;
  await expect.poll(dying).toEqual([]);
  expect(await left()).toHaveLength(100);
  expect(await kinds()).toEqual([...Array(64).fill('known'), ...Array(36).fill('new')]);
  expect(await amounts()).toEqual(all);
  expect(await left()).toEqual([]);
});

test('concurrent replays beside the same reports from browsers, on two servers, store each order once', {
  tags: ['all'],
}, async ({ beside, shop }) => {
  const { all, amounts, bodies, kinds, left } = await refuse(shop, 90);
  const retries = bodies.filter((body) => 'orderId' in body || 'reportId' in body);
  const retry = async (url: string) => {
    const answers = await Promise.all(
      retries.map((body) =>
        sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
          headers: { 'content-type': 'text/plain', ...foreign },
          body: JSON.stringify(body),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(retries.length).fill(200));
  };
  const ended = startReplay(shop).ended;
  await Promise.all([kinds(), kinds(), retry(shop.server.url), retry(beside.url)]);
  expect(await ended).toBe(0);
  expect(await amounts()).toEqual(all);
  // Each replay leaves out the reports that another one has locked. After all of them no report is left.
  expect(await left()).toEqual([]);
  const ahead = (await shop.stored()).filter(({ createdAt }) => createdAt > new Date());
  expect(ahead).toEqual([]);
});

test('a replay whose database refuses to store says so, and leaves every report where it was', async () => {
  const shop = await openAlone();
  const { all, amounts, kinds, left } = await refuse(shop, 10);
  await shop.sql`alter table placed_order rename to placed_order_away`;
  const { code, stderr } = await shop.command('refused', 'replay');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^orderbeacon: .+\n$/);
  await shop.sql`alter table placed_order_away rename to placed_order`;
  expect(await left()).toHaveLength(10);
  expect(await kinds()).toHaveLength(10);
  expect(await amounts()).toEqual(all);
});

test('a kept report of a key whose createdAt was ahead of it is stored once that time has come', async ({
  shop,
}) => {
  const createdAt = new Date(Date.now() - 1_000);
  const keyHash = hashKey(await shop.liveKey());
  const body = JSON.stringify(shop.order({ createdAt }));
  await placeRefused(shop.sql, shop.team, 1, () => ({ key_hash: keyHash, host: '', body }));
  const [replayed] = await replay(shop.sql, shop.team);
  expect(replayed!.entry.receivedAt < createdAt).toBe(true);
  expect(await shop.stored()).toMatchObject([{ createdAt }]);
});

test('a kept report of a key that says no date leaves the date to the page, also if it is replayed', async ({
  shop,
}) => {
  const order = { email: 'bob@buyer.example', currency: 'EUR', source: 'STRIPE', orderId: 'r-1' };
  expect((await shop.reportByKey({ ...order, amount: 'no amount' })).status).toBe(400);
  const { sql, team } = shop;
  await sql`update refused_report set received_at = received_at - interval '1 hour' where team_id = ${team}`;
  await replay(sql, team, {}, { changes: { amount: 7 } });
  const [replayed] = await shop.stored();
  expect(Date.now() - replayed!.createdAt.getTime()).toBeGreaterThan(3_000_000);
  await shop.report({ ...order, amount: 7 });
  const [both] = await shop.stored();
  expect(both).toMatchObject({ id: replayed!.id, reportedBy: 'both' });
  expect(Date.now() - both!.createdAt.getTime()).toBeLessThan(3_000_000);
});

test('of reports that are replayed one is read in a turn of the event loop', async ({ shop }) => {
  const { amounts, all, bodies } = await refuse(shop, 70);
  const texts = new Set(bodies.map((body) => JSON.stringify(body)));
  const most = await mostParsedInATurn(texts, async () => {
    await replay(shop.sql, shop.team);
  });
  expect([most, await amounts()]).toEqual([1, all]);
});

test('a corrected report whose key was revoked says that another key has to report its order', async ({
  shop,
}) => {
  await shop.reportByKey({ amount: 'x' });
  await shop.sql`update api_key set revoked_at = now() where team_id = ${shop.team}`;
  const [kept] = await shop.refused();
  const [replayed] = await replay(shop.sql, shop.team, { ids: [kept!.id] }, { changes: { amount: 5 } });
  expect(replayed!.outcome).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('The API key has since been revoked. Report this order with a key that'),
  });
  expect(await shop.stored()).toEqual([]);
});

test('with the fewest connections, the console stores reports whose orders are known by now', async () => {
  const server = await startServerForTest({ sizes: poolSizes(0) });
  const shop = await openShop(server);
  const { left } = await refuse(shop, 1);
  await shop.report({ orderId: 'o-0', email: 'buyer-0@mail.example', amount: 0 });
  const { press } = await shop.console();
  expect(await press('/console/refused/allow', { host: 'other.example' })).toContain('already stored');
  expect(await left()).toEqual([]);
});
