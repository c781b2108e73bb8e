import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase } from '../kit/database.js';
import { hasRelease, unpackRelease } from '../kit/lastRelease.js';
import { runProcess, type ServerProcess, startServerProcess } from '../kit/process.js';
import { startReceiver } from '../kit/receiver.js';
import { sendTo } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const products = [{ title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 }];

it.skipIf(!hasRelease)(
  'a database of the last release is migrated while pages and keys report on: each order is there once, each webhook told once, and all that was there still is',
  { tags: ['all', 'slow'] },
  async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.close());
    const env = {
      ...database.env,
      ORDERBEACON_RATE_LIMIT: 'off',
      // Without it the addresses of sources would have the port of the running server.
      PUBLIC_URL: 'https://orders.example',
    };
    const { program, run } = unpackRelease(env);
    const now = async (...args: string[]) => JSON.parse((await runProcess([...args, '--json'], env)).stdout);
    const stop = async ({ signal, ended }: ServerProcess) => {
      signal('SIGTERM');
      expect((await ended).code).toBe(0);
    };

    // Data of each kind, made by the last release.
    const old = await startServerProcess(env, program);
    const folder = temporaryFolder();
    const file = (name: string, content = '') => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const { id: teamId } = await run('team', 'create', '--name', 'Shop', '--domain', 'shop.example');
    const of = ['--team', teamId];
    const { key } = await run('key', 'create', ...of);
    const { key: testKey } = await run('key', 'create', ...of, '--test');
    const { id: sequenceId } = await run('sequence', 'create', ...of, '--name', 'Welcome');
    await run('product', 'import', ...of, file('products.json', JSON.stringify(products)));
    await run('person', 'add', ...of, '--email', 'cy@buyer.example', '--name', 'Cy');
    await run('source', 'add', ...of, 'woocommerce');
    const receiver = await startReceiver();
    await run('hook', 'add', ...of, receiver.url, '--allow-private');

    const post = async (url: string, path: string, body: object, by?: string) => {
      const headers = {
        'content-type': 'application/json',
        ...(by === undefined ? { origin: 'https://shop.example' } : { authorization: `Bearer ${by}` }),
      };
      const answer = await sendTo(new URL(`/svc-api/v1/${path}`, url), 'POST', {
        headers,
        body: JSON.stringify(body),
      });
      return [answer.status, answer.body.data ?? answer.body.error] as const;
    };
    const order = (orderId: string) => ({
      teamId,
      email: `${orderId}@buyer.example`,
      amount: 30,
      currency: 'EUR',
      orderId,
    });
    const firsts: [string, object, string?][] = [
      ['orders', order('page')],
      ['orders', order('key'), key],
      ['orders', order('both')],
      ['orders', { ...order('both'), name: 'Bo' }, key],
      ['orders', order('test'), testKey],
      ['orders', order('gone')],
      ['orders/refunds', { teamId, orderId: 'key', refundId: 'r-1', amount: 10 }, key],
      ['orders/refunds', { teamId, orderId: 'later', refundId: 'r-2', amount: 5 }, key],
      ['sequences/enroll', { teamId, sequenceId, email: 'cy@buyer.example' }, key],
    ];
    for (const [path, body, by] of firsts) expect((await post(old.url, path, body, by))[0]).toBe(200);
    expect((await post(old.url, 'orders', { ...order('bad'), email: 'none' }))[0]).toBe(400);
    const created = () => receiver.received.filter(({ json }) => json.type === 'order.created');
    // No event is sent about an order whose buyer was erased before.
    await expect.poll(() => created().length, { timeout: 20_000 }).toBe(4);
    await run('person', 'erase', ...of, '--email', 'gone@buyer.example');
    const lists = [
      ['order', 'list', '--limit', '100000'],
      ['person', 'list'],
      ['product', 'list'],
      ['sequence', 'list'],
      ['source', 'list'],
      ['domain', 'list'],
    ];
    const listed = async (by: typeof run) => {
      const all = [];
      for (const list of lists) all.push(await by(...list, ...of));
      return all;
    };
    await expect.poll(async () => (await run('refused', 'list', ...of)).length).toBe(1);
    const before = await listed(run);
    const backup = join(folder, 'old.backup');
    await run('backup', backup);

    // Pages and keys keep reporting, repeating and refunding, whichever server runs.
    let urls = [old.url];
    let isOver = false;
    const statuses = new Map<number, number>();
    const acknowledged = new Set<string>();
    const refunded = new Set<string>();
    async function load(worker: number) {
      for (let n = 0; !isOver; n++) {
        const url = urls[(n + worker) % urls.length]!;
        const orderId = `w${worker}-${n}`;
        const requests: [string, object, string?][] = [
          ['orders', order(orderId), n % 2 ? key : undefined],
          ['orders', order(orderId), n % 3 ? undefined : key],
          ...(n % 5
            ? []
            : [
                ['orders/refunds', { teamId, orderId, refundId: `r-${orderId}`, amount: 1 }, key] as [
                  string,
                  object,
                  string,
                ],
              ]),
        ];
        for (const [path, body, by] of requests) {
          // A server that has just ended cannot be reached.
          const [status] = await post(url, path, body, by).catch(() => [0]);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 200) (path === 'orders' ? acknowledged : refunded).add(orderId);
        }
      }
    }
    const workers = [0, 1, 2, 3].map(load);
    const during = async (ms = 1_500) => {
      const count = acknowledged.size;
      await delay(ms);
      await expect.poll(() => acknowledged.size).toBeGreaterThan(count + 20);
    };
    await during();
    expect(await runProcess(['migrate'], env)).toMatchObject({ code: 1 });
    await during();
    await stop(old);
    expect(await runProcess(['migrate'], env)).toMatchObject({ code: 0 });
    const current = await startServerProcess(env);
    urls = [current.url];
    await during();
    isOver = true;
    await Promise.all(workers);
    expect([...statuses.keys()].filter((status) => ![0, 200, 503].includes(status))).toEqual([]);

    // Each order is stored once, with its buyer.
    const stored = await database.sql<{ orderId: string; email: string | null }[]>`
      select order_id as "orderId", p.email from placed_order o
      left join person p on p.team_id = o.team_id and p.id = o.person_id where order_id like 'w%'`;
    const emails = new Map(stored.map(({ orderId, email }) => [orderId, email]));
    expect(emails.size).toBe(stored.length);
    expect([...acknowledged].filter((id) => emails.get(id) !== `${id}@buyer.example`)).toEqual([]);
    const orders: Record<string, unknown>[] = await now('order', 'list', ...of, '--limit', '100000');
    const known = new Map(orders.map((each) => [each.orderId, each]));
    for (const id of refunded) expect(known.get(id)).toMatchObject({ refundedAmount: 1 });
    // Each live order has one event, which has one id.
    const live = orders.filter(({ isTest }) => !isTest);
    const received = () => new Set(created().map(({ json }) => json.data.id));
    await expect.poll(() => received().size, { timeout: 60_000 }).toBe(live.length);
    expect(new Set(created().map(({ headers }) => headers['webhook-id'])).size).toBe(live.length);
    // Data of before the upgrade is still there.
    const after = await listed(now);
    for (const [at, rows] of before.entries())
      expect(after[at]).toEqual(
        expect.arrayContaining(rows.map((row: object) => expect.objectContaining(row))),
      );

    // A backup of the last release can be restored into a database of this one.
    const restored = await createEmptyDatabase();
    onTestFinished(() => restored.close());
    const into = { ...env, ...restored.env };
    expect(await runProcess(['restore', backup], into)).toMatchObject({ code: 0 });
    for (const [at, list] of lists.entries()) {
      const rows = JSON.parse((await runProcess([...list, ...of, '--json'], into)).stdout);
      expect(rows).toEqual(before[at].map((row: object) => expect.objectContaining(row)));
    }
    await stop(current);
  },
);
