// @module-tag all
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { addDomain } from '../../../src/core/teams/sql/domain.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { createTrigger } from '../../kit/createTrigger.js';
import { createTestDatabase } from '../../kit/database.js';
import { type ServerProcess, startServerProcess } from '../../kit/process.js';
import { startReceiver } from '../../kit/receiver.js';
import { sendTo } from '../../kit/server.js';
import { addTestHook } from './kit/hooks.js';

const writers = 16;

/**
 * Rehearses deliveries under faults. Writers report orders of two teams and both modes to two servers, which are killed. A
 * receiver fails, hangs and hangs up. Expects that every acknowledged order is sent, and none that was rolled back, or is of
 * another team or mode.
 */
async function rehearse(orders: number, kills: number) {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { sql } = database;
  // A third of the attempts fail, and some get no answer or half of one.
  const receiver = await startReceiver((response, call, number) => {
    if (number % 200 === 150) return;
    if (number % 20 === 7) return void response.destroy();
    if (number % 20 === 11) return void response.socket!.end('HTTP/1.1 2');
    const isGood = number % 3 !== 0;
    if (isGood) succeeded.add(`${call.path} ${call.json.data.orderId}`);
    response.writeHead(isGood ? 200 : 500).end();
  });
  const succeeded = new Set<string>();
  const base = receiver.url.replace(/\/hook$/, '');
  // This buyer makes a report fail, with all that its statement has stored and enqueued by then.
  await createTrigger(
    sql,
    `create function fail() returns trigger language plpgsql as $$ begin
       raise exception 'rolled back' using errcode = 'check_violation';
     end $$`,
    `create trigger fail before insert on person for each row when (new.email like '%-bad@%')
       execute function fail()`,
  );

  async function addTeam(name: string) {
    const uuid = newUuid();
    await createTeam(sql, { id: uuid, name, storefrontUrl: 'https://shop.example' });
    await addDomain(sql, uuid, { entry: 'live.example', isTest: false });
    await addDomain(sql, uuid, { entry: 'test.example', isTest: true });
    for (const mode of ['live', 'test'])
      await addTestHook(sql, uuid, { url: `${base}/${name}/${mode}`, isTest: mode === 'test' });
    return { name, teamId: encodeId('team', uuid) };
  }
  const teams = [await addTeam('one'), await addTeam('other')];

  const env = { ...database.env, ORDERBEACON_RATE_LIMIT: 'off' };
  const startBoth = () => Promise.all([startServerProcess(env), startServerProcess(env)]);
  let servers: ServerProcess[] = await startBoth();
  const acknowledged = new Set<string>();
  let next = 0;

  async function write(): Promise<void> {
    for (let number = next++; number < orders; number = next++) {
      const { name, teamId } = teams[number % 2]!;
      const mode = number % 5 === 0 ? 'test' : 'live';
      const isBad = number % 30 === 29;
      const orderId = `${name}-${mode}-${number}${isBad ? '-bad' : ''}`;
      const report = { teamId, orderId, email: `${orderId}@buyer.example`, amount: 5 };
      for (let attempt = 0; ; attempt++) {
        const status = await sendTo(
          new URL('/svc-api/v1/orders', servers[(number + attempt) % 2]!.url),
          'POST',
          {
            headers: { 'content-type': 'application/json', origin: `https://${mode}.example` },
            body: JSON.stringify(report),
          },
        ).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200) acknowledged.add(`/${name}/${mode} ${orderId}`);
        if (status === 200 || (isBad && attempt > 5)) break;
        await sleep(50);
      }
    }
  }

  const writing = Promise.all(Array.from({ length: writers }, write));
  for (let kill = 1; kill <= kills; kill++) {
    await expect.poll(() => next, { timeout: 600_000 }).toBeGreaterThan((orders * kill) / (kills + 2));
    for (const server of servers) server.signal('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
    // Claims of a dead server would hold for a minute.
    await sql`update hook_delivery set next_at = now() where next_at is not null`;
    servers = await startBoth();
  }
  await writing;
  const pending = async () => {
    // The second and later delays of the schedule are minutes and hours.
    await sql`update hook_delivery set next_at = now() where next_at > now() + interval '61 seconds'`;
    const [row] = await sql<[{ count: number }]>`
        select count(*)::int from hook_delivery where next_at is not null`;
    return row.count;
  };
  await expect.poll(pending, { timeout: 1_200_000, interval: 500 }).toBe(0);

  const good = [...acknowledged].filter((name) => !name.endsWith('-bad'));
  expect(good).toHaveLength(orders - Math.floor(orders / 30));
  expect(good).toHaveLength(acknowledged.size);
  expect(good.filter((name) => !succeeded.has(name))).toEqual([]);
  const sent = new Set(receiver.received.map(({ path, json }) => `${path} ${json.data.orderId}`));
  expect([...sent].filter((name) => !acknowledged.has(name))).toEqual([]);
  const [{ lost }] = await sql<[{ lost: number }]>`
      select count(*)::int as lost from hook_delivery where delivered_at is null`;
  expect(lost).toBe(0);
}

it('every acknowledged order is sent, though both servers are killed', { tags: ['slow'] }, () =>
  rehearse(150, 1),
);

it(
  'every one of 10,000 acknowledged orders is sent, though both servers are killed six times',
  { tags: ['long'] },
  () => rehearse(10_000, 6),
);
