import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate } from '../src/database/migrate.js';
import { issueKey } from '../src/teams/issueKey.js';
import { createTeam } from '../src/teams/sql/team.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { createBareCluster, createEmptyDatabase } from './database.js';
import { runProcess, startServerProcess } from './process.js';
import { unpackReleaseBefore } from './releaseBefore.js';
import { sendTo, startServerBeside } from './server.js';

const ordersPath = '/svc-api/v1/orders';

/** A request that a caller repeats as it is until it is answered. */
interface RepeatedRequest {
  path?: string;
  body: object;
  headers?: Record<string, string>;
  by: 'page' | 'key' | 'foreign page';
}

/**
 * Requests of one order each, of every kind that a release knows: the answers to all of them, and to each retry, are one
 * order, or one subscription, or one refusal.
 */
const kinds: Record<string, (name: string) => RepeatedRequest[]> = {
  'a page with an orderId': (name) => [{ by: 'page', body: { orderId: name, reportId: `ob:${name}` } }],
  'a page without': (name) => [{ by: 'page', body: { reportId: `ob:${name}` } }],
  'a key with an orderId': (name) => [{ by: 'key', body: { orderId: name } }],
  'a key with an Idempotency-Key': (name) => [{ by: 'key', body: {}, headers: { 'idempotency-key': name } }],
  'a key with a reportId': (name) => [{ by: 'key', body: { reportId: name } }],
  'a key with both': (name) => [
    { by: 'key', body: { orderId: name }, headers: { 'idempotency-key': name } },
    { by: 'key', body: {}, headers: { 'idempotency-key': name } },
  ],
  'a page, then a key': (name) => [
    { by: 'page', body: { orderId: name, amount: 1, visitorId: 'v-1' } },
    { by: 'key', body: { orderId: name, amount: 2, name: 'Ann' }, headers: { 'idempotency-key': name } },
    { by: 'key', body: { amount: 2 }, headers: { 'idempotency-key': name } },
  ],
  'a key, then a page': (name) => [
    { by: 'key', body: { orderId: name, amount: 2 }, headers: { 'idempotency-key': name } },
    { by: 'page', body: { orderId: name, amount: 1, visitorId: 'v-1' } },
  ],
  'a stranger’s page, then a key': (name) => [
    { by: 'page', body: { orderId: name, amount: 1, email: 'eve@mail.example' } },
    { by: 'key', body: { orderId: name, amount: 2 } },
  ],
  'a key with two Idempotency-Keys': (name) => [
    { by: 'key', body: { orderId: name }, headers: { 'idempotency-key': `${name}-1` } },
    { by: 'key', body: { orderId: name }, headers: { 'idempotency-key': `${name}-2` } },
  ],
};

it('beside, before and after the release before no report is lost or doubled, whichever server it reaches', async () => {
  const { version, program } = unpackReleaseBefore();
  const database = inject('isCitus') ? await createBareCluster() : await createEmptyDatabase();
  onTestFinished(() => database.close());
  const { sql } = database;
  if (inject('isCitus')) {
    const { code, stderr } = await runProcess(['migrate', '--distribute'], database.env, '', { program });
    expect([code, stderr]).toEqual([0, '']);
  }
  const startOld = () =>
    startServerProcess({ ...database.env, ORDERBEACON_RATE_LIMIT: 'off', ORDERBEACON_DEMO: 'off' }, program);
  const startNew = async () => {
    await migrate(sql);
    return startServerBeside(database.env.DATABASE_URL!);
  };
  const stopOld = async ({ signal, ended }: Awaited<ReturnType<typeof startOld>>) => {
    signal('SIGTERM');
    expect((await ended).code).toBe(0);
  };

  let old = await startOld();
  expect(old.output()).toContain(`Orderbeacon ${version} listens`);
  const team = newUuid();
  const teamId = encodeId('team', team);
  await createTeam(sql, { id: team, name: 'Test', storefrontUrl: 'https://shop.example' });
  await sql`insert into domain (team_id, entry, is_test) values (${team}, 'shop.example', false)`;
  const { key } = await issueKey(sql, team, { mode: 'live', name: null });

  const trust: Record<RepeatedRequest['by'], Record<string, string>> = {
    page: { origin: 'https://shop.example' },
    'foreign page': { origin: 'https://other.example' },
    key: { authorization: `Bearer ${key}` },
  };
  const send = ({ by, body, headers, path = ordersPath }: RepeatedRequest, url: string) =>
    sendTo(new URL(path, url), 'POST', {
      headers: { 'content-type': 'application/json', ...trust[by], ...headers },
      body: JSON.stringify({ teamId, email: 'ann@mail.example', amount: 3, ...body }),
    });

  let count = 0;
  let refused = 0;
  const made: { what: string; requests: RepeatedRequest[]; id: string }[] = [];

  /** Makes an order of each kind, whose requests reach the servers in turn. */
  async function makeOrders(urls: string[]) {
    for (const [kind, requestsOf] of Object.entries(kinds)) {
      const requests = requestsOf(`o-${++count}`);
      const answers = [];
      for (const [at, request] of requests.entries())
        answers.push(await send(request, urls[at % urls.length]!));
      const what = `${kind} (${count})`;
      expect([what, ...answers.map(({ status }) => status)]).toEqual([what, ...answers.map(() => 200)]);
      expect([what, ...answers.map(({ body }) => body.data.isNew)]).toEqual([
        what,
        ...answers.map((_, at) => at === 0),
      ]);
      const id = answers[0]!.body.data.id;
      expect([what, new Set(answers.map(({ body }) => body.data.id))]).toEqual([what, new Set([id])]);
      // After a key has named another buyer, a retry of the stranger's page is a conflict.
      made.push({ what, requests: kind.startsWith('a stranger') ? requests.slice(1) : requests, id });
    }
    const foreign: RepeatedRequest = { by: 'foreign page', body: { orderId: `refused-${++refused}` } };
    for (const url of urls) expect((await send(foreign, url)).status).toBe(403);
  }

  /** Repeats every request so far to each server. */
  async function retryAll(urls: string[]) {
    for (const url of urls) {
      for (const { what, requests, id } of made) {
        for (const request of requests) {
          const { status, body } = await send(request, url);
          expect([what, url, status, body.data?.id, body.data?.isNew]).toEqual([what, url, 200, id, false]);
        }
      }
      const { status, body } = await send(enrollment, url);
      expect([status, body.data?.subscriptionId]).toEqual([200, subscriptionId]);
    }
  }

  await makeOrders([old.url]);
  const sequence = newUuid();
  await sql`insert into sequence (team_id, id, name) values (${team}, ${sequence}, 'Welcome')`;
  const enrollment: RepeatedRequest = {
    path: '/svc-api/v1/sequences/enroll',
    by: 'key',
    body: { email: 'ann@mail.example', sequenceId: encodeId('seq', sequence) },
  };
  const { subscriptionId } = (await send(enrollment, old.url)).body.data;
  await retryAll([old.url]);

  // Up: the newer server migrates while the older one serves.
  let current = await startNew();
  await makeOrders([old.url, current.url]);
  await makeOrders([current.url, old.url]);
  await retryAll([current.url, old.url]);

  // Down: the older server alone, started on the newer schema.
  await current.close();
  await stopOld(old);
  old = await startOld();
  await makeOrders([old.url]);
  await retryAll([old.url]);

  // Up again.
  current = await startNew();
  onTestFinished(() => current.close());
  await makeOrders([current.url]);
  await retryAll([current.url, old.url]);
  await stopOld(old);

  expect(await sql`select from placed_order`).toHaveLength(made.length);
  expect(await sql`select from subscription`).toHaveLength(1);
  const kept = async (reason: string) => {
    const rows = await sql<{ orderId: string }[]>`
      select order_id as "orderId" from refused_report where reason = ${reason}`;
    return rows.map(({ orderId }) => orderId).sort();
  };
  expect(await kept('domain_not_allowed')).toEqual(
    Array.from({ length: refused }, (_, at) => `refused-${at + 1}`).sort(),
  );
  // The amounts of their pages are not those of their keys. Such a report is kept after its answer.
  const differing = made.filter(({ what }) => /^a (page, then a key|key, then a page)/.test(what));
  await expect
    .poll(() => kept('order_differs'))
    .toEqual(differing.map(({ requests }) => (requests[0]!.body as { orderId: string }).orderId).sort());
  expect(await sql`select from refused_report`).toHaveLength(refused + differing.length);
});
