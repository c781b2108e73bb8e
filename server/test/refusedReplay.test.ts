import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { runOrderbeacon } from './command.js';
import { createTrigger } from './createTrigger.js';
import { findLockWaits } from './lockWaits.js';
import { replay, waitingOf } from './refused.js';
import { sendTo, startServerForTest, startTestServer } from './server.js';

const executable = fileURLToPath(new URL('../bin/orderbeacon.js', import.meta.url));
const foreign = { origin: 'https://other.example' };

/** A server with refused reports of each kind of identifier, whose domain is allowed by now. */
async function startWithRefused(reports: number) {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam();
  const bodies = Array.from({ length: reports }, (_, n) => ({
    teamId,
    email: `buyer-${n}@mail.example`,
    amount: n,
    ...[{ orderId: `o-${n}` }, { reportId: `r-${n}` }, {}][n % 3],
  }));
  for (let at = 0; at < reports; at += 50)
    await Promise.all(bodies.slice(at, at + 50).map((body) => server.report(body, foreign)));
  expect(await waitingOf(server.sql, uuid)).toHaveLength(reports);
  await addDomain(server.sql, uuid, { entry: 'other.example', isTest: false });
  const amounts = async () => {
    const rows = await server.sql`select amount::int from placed_order where team_id = ${uuid}`;
    return rows.map(({ amount }) => amount).sort((a, b) => a - b);
  };
  const all = Array.from({ length: reports }, (_, n) => n);
  return { ...server, uuid, teamId, bodies, amounts, all };
}

/** The command `refused replay` as a process that can be killed. */
function startReplay(env: Record<string, string>, teamId: string) {
  const args = ['refused', 'replay', '--team', teamId, '--json'];
  const child: ChildProcess = spawn(process.execPath, [executable, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

it('a replay that dies after it stored and before it removed the reports doubles nothing', async () => {
  const server = await startWithRefused(100);
  const { sql, uuid, teamId } = server;
  await inTransaction(sql, async (tx) => {
    // It lets a replay lock rows, and remove none.
    await tx`lock table refused_report in share mode`;
    const { child, ended } = startReplay(server.env, teamId);
    const removing = async () =>
      (await findLockWaits(sql)).filter(({ query }) => query.includes('removeRefused'));
    await expect.poll(removing, { timeout: 60_000 }).toHaveLength(1);
    child.kill('SIGKILL');
    await ended;
  });
  expect(await server.amounts()).toHaveLength(64);
  const left = () =>
    sql`select from pg_stat_activity where query like '%removeRefused%' and state <> 'idle' and pid <> pg_backend_pid()`;
  await expect.poll(left).toEqual([]);
  expect(await sql`select from refused_report where team_id = ${uuid}`).toHaveLength(100);

  const kinds = (await replay(sql, uuid)).map(({ outcome }) => outcome.kind);
  expect(kinds).toEqual([...Array(64).fill('known'), ...Array(36).fill('new')]);
  expect(await server.amounts()).toEqual(server.all);
  expect(await sql`select from refused_report where team_id = ${uuid}`).toEqual([]);
});

it('a replay that is killed again and again at random points ends with each order once', async () => {
  const server = await startWithRefused(320);
  const { sql, uuid, teamId } = server;
  const count = async () => {
    const [{ orders }] = await sql<[{ orders: number }]>`
      select count(*)::int as orders from placed_order where team_id = ${uuid}`;
    return orders;
  };
  /** Kills a replay some milliseconds after it has stored more, unless it has ended. Resolves with its exit code. */
  async function replayUntilKilled() {
    const before = await count();
    const { child, ended } = startReplay(server.env, teamId);
    const isOver = ended.then(() => true);
    while ((await count()) === before && !(await Promise.race([isOver, delay(2, false)])));
    setTimeout(() => child.kill('SIGKILL'), Math.random() * 15);
    return ended;
  }
  await createTrigger(
    sql,
    `create function wait_for_lock() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$`,
    `create trigger wait_for_lock before insert on placed_order for each row
      when (new.amount = 319) execute function wait_for_lock()`,
  );
  const first = await inTransaction(sql, async (tx) => {
    // The first replay cannot end before it is killed, because its last order waits for this lock.
    await tx`select pg_advisory_xact_lock(1)`;
    return { code: await replayUntilKilled() };
  });
  expect(first.code).toBeNull();
  for (let { code } = first; code !== 0; code = await replayUntilKilled()) {
    // What PostgreSQL has not heard of yet may still hold its locks.
    const others = () =>
      sql`select from pg_stat_activity where application_name = 'orderbeacon' and query like '%lockRefused%' and state <> 'idle' and pid <> pg_backend_pid()`;
    await expect.poll(others).toEqual([]);
  }
  await replay(sql, uuid);
  expect(await server.amounts()).toEqual(server.all);
  expect(await sql`select from refused_report where team_id = ${uuid}`).toEqual([]);
});

it('concurrent replays, on two servers’ sides, beside the same reports from browsers, store each order once', async () => {
  const server = await startWithRefused(300);
  const { sql, uuid, teamId } = server;
  const second = await startTestServer({ databaseUrl: server.env.DATABASE_URL! });
  onTestFinished(() => second.close());
  const retries = server.bodies.filter((body) => 'orderId' in body || 'reportId' in body);
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
  const [codes] = await Promise.all([
    Promise.all([1, 2, 3].map(() => startReplay(server.env, teamId).ended)),
    replay(sql, uuid),
    replay(sql, uuid),
    retry(server.url),
    retry(second.url),
  ]);
  expect(codes).toEqual([0, 0, 0]);
  expect(await server.amounts()).toEqual(server.all);
  // What one replay had locked the others left out; nothing is left when all are done.
  expect(await sql`select from refused_report where team_id = ${uuid}`).toEqual([]);
  const dates = await sql`select from placed_order where team_id = ${uuid} and created_at > now()`;
  expect(dates).toEqual([]);
});

it('a replay whose database refuses to store says so, and leaves every report where it was', async () => {
  const server = await startWithRefused(10);
  const { sql, uuid, teamId } = server;
  await sql`alter table placed_order rename to placed_order_away`;
  const { code, stderr } = await runOrderbeacon(['refused', 'replay', '--team', teamId], server.env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^orderbeacon: .+\n$/);
  await sql`alter table placed_order_away rename to placed_order`;
  expect(await waitingOf(sql, uuid)).toHaveLength(10);
  expect(await replay(sql, uuid)).toHaveLength(10);
  expect(await server.amounts()).toEqual(server.all);
});

it('a replay with a bound in time says how many reports it has not tried', async () => {
  const { sql, uuid, amounts, all } = await startWithRefused(70);
  expect((await replay(sql, uuid, {}, { untilMs: 0 })).left).toBe(70);
  expect(await amounts()).toEqual([]);
  expect((await replay(sql, uuid)).left).toBe(0);
  expect(await amounts()).toEqual(all);
});
