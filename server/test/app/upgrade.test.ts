import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { wooOrder } from '../features/sources/kit/wooCommerceSamples.js';
import { documentOf, runOrderbeacon } from '../kit/command.js';
import { createEmptyDatabase } from '../kit/database.js';
import { hasRelease, refusesOlder, unpackRelease } from '../kit/lastRelease.js';
import { type ServerProcess, startServerProcess } from '../kit/process.js';
import { startReceiver } from '../kit/receiver.js';
import { sendTo, startTestServer } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

type By = 'page' | 'key';
interface Request {
  by: By;
  body: object;
  key?: string;
}

/** Requests of one order each. The answers to all of them, and to each retry, are that order. */
const kinds: Record<string, (name: string) => Request[]> = {
  'a page with an orderId': (name) => [{ by: 'page', body: { orderId: name, reportId: `ob:${name}` } }],
  'a page without one': (name) => [{ by: 'page', body: { reportId: `ob:${name}` } }],
  'a key with an Idempotency-Key': (name) => [{ by: 'key', body: {}, key: name }],
  'a page, then a key': (name) => [
    { by: 'page', body: { orderId: name, visitorId: 'v-1' } },
    { by: 'key', body: { orderId: name, name: 'Ann' }, key: name },
  ],
  'a key, then a page': (name) => [
    { by: 'key', body: { orderId: name }, key: name },
    { by: 'page', body: { orderId: name, visitorId: 'v-1' } },
  ],
  'a payment, then its id of the shop': (name) => [
    { by: 'key', body: { orderId: `pi_${name}` } },
    { by: 'key', body: { orderId: `pi_${name}`, name: 'Ann' } },
  ],
};

/** Data of a team beside its orders, by the command that lists it. */
const lists = ['product', 'person', 'sequence', 'source', 'domain'];
const products = [{ title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price: 24.95 }];

function temporaryFile(text: string): string {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, text);
  return path;
}

it.skipIf(!hasRelease)(
  'a server of the release before is stopped first; then no order is lost or doubled, and its words, refunds and other data are what they were, also in a restored backup',
  { tags: ['slow'] },
  async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.close());
    const PUBLIC_URL = 'https://orders.example';
    const env = { ...database.env, ORDERBEACON_RATE_LIMIT: 'off', PUBLIC_URL };
    const { version, program, run } = unpackRelease(env);
    const stop = async ({ signal, ended }: ServerProcess) => {
      signal('SIGTERM');
      expect((await ended).code).toBe(0);
    };
    const old = await startServerProcess(env, program);
    expect(old.output()).toContain(`Orderbeacon ${version} listens`);
    const { id: teamId } = await run('team', 'create', '--name', 'Shop', '--domain', 'shop.example');
    const of = ['--team', teamId];
    const { key } = await run('key', 'create', ...of);
    await run('product', 'import', ...of, temporaryFile(JSON.stringify(products)));
    await run('person', 'add', ...of, '--email', 'cy@mail.example', '--name', 'Cy');
    await run('sequence', 'create', ...of, '--name', 'Welcome');
    const secret = temporaryFile('a secret of the shop');
    const source = await run('source', 'add', ...of, 'woocommerce', '--secret-file', secret);
    const { pathname } = new URL(source.url);

    const ask = async (url: string, method: 'GET' | 'POST', path: string, by: By, body?: object, more = {}) =>
      sendTo(new URL(path, url), method, {
        headers: {
          'content-type': 'application/json',
          ...(by === 'page' ? { origin: 'https://shop.example' } : { authorization: `Bearer ${key}` }),
          ...more,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const send = async (url: string, { by, body, key: idempotencyKey }: Request) => {
      const sent = { teamId, email: 'ann@mail.example', amount: 3, ...body };
      const header = idempotencyKey && { 'idempotency-key': idempotencyKey };
      const { status, body: answer } = await ask(url, 'POST', '/svc-api/v1/orders', by, sent, header || {});
      return [status, answer.data?.id, answer.data?.isNew];
    };
    const refund = async (url: string, orderId: string, refundId: string) =>
      (await ask(url, 'POST', '/svc-api/v1/orders/refunds', 'key', { orderId, refundId, amount: 1 })).body
        .data;
    const say = async (url: string, payload: object) => {
      const text = JSON.stringify(payload);
      const signature = createHmac('sha256', 'a secret of the shop').update(text).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'x-wc-webhook-topic': 'order.updated',
        'x-wc-webhook-signature': signature,
      };
      const { status } = await sendTo(new URL(pathname, url), 'POST', { headers, body: text });
      expect(status).toBe(200);
    };
    const read = async (url: string, id: string) =>
      (await ask(url, 'GET', `/svc-api/v1/orders/${encodeURIComponent(id)}`, 'key')).body.data;

    const made: { requests: Request[]; id: string }[] = [];
    for (const [kind, requestsOf] of Object.entries(kinds)) {
      const requests = requestsOf(`o-${made.length}`);
      const [first, ...later] = requests;
      const [status, id, isNew] = await send(old.url, first!);
      expect([kind, status, isNew]).toEqual([kind, 200, true]);
      for (const request of later) expect(await send(old.url, request)).toEqual([200, id, false]);
      made.push({ requests, id });
    }
    // Orders of a shop: one paid with a refund, one erased, and two that share a number; and a refund that waits.
    const refunds = [{ id: 9, reason: '', total: '-10.00' }];
    const erased = { billing: { email: 'deleted@site.invalid' }, date_modified_gmt: '2026-03-02T10:00:00' };
    const orders = [wooOrder(71, { refunds }), wooOrder(72), wooOrder(73), wooOrder(74, { number: '73' })];
    for (const order of [...orders, wooOrder(72, erased)]) await say(old.url, order);
    await refund(old.url, 'o-3', 'r-placed');
    await refund(old.url, 'late', 'r-waiting');
    const soldAt = '2026-03-01T10:00:00.000Z';
    await send(old.url, { by: 'key', body: { orderId: 'dated', createdAt: soldAt } });
    const ids = [...made.map(({ id }) => id), '71', '72', '73', 'o-3'];
    const before = await Promise.all(ids.map((id) => read(old.url, id)));
    const listed = await Promise.all(lists.map((name) => run(name, 'list', ...of)));
    const backup = join(temporaryFolder(), 'backup');
    await run('backup', backup);
    /** Expects the listed data in a database of this release. */
    async function expectListed(by: Record<string, string>) {
      for (const [at, name] of lists.entries()) {
        const rows = documentOf(await runOrderbeacon([name, 'list', ...of, '--json'], by));
        expect(rows).toEqual(listed[at].map((row: object) => expect.objectContaining(row)));
      }
    }

    const isRefused = await refusesOlder(database.sql);
    const early = await runOrderbeacon(['migrate'], env);
    expect([early.code, early.stderr.includes('stop all of them first')]).toEqual([
      Number(isRefused),
      isRefused,
    ]);
    expect(await Promise.all(ids.map((id) => read(old.url, id)))).toEqual(before);
    await stop(old);

    expect((await runOrderbeacon(['migrate'], env)).code).toBe(0);
    await expectListed(env);
    const restored = await createEmptyDatabase();
    onTestFinished(() => restored.close());
    expect((await runOrderbeacon(['restore', backup], restored.env)).code).toBe(0);
    await expectListed({ ...env, ...restored.env });
    const receiver = await startReceiver();
    const current = await startTestServer({ databaseUrl: database.env.DATABASE_URL! });
    onTestFinished(() => current.close());
    await runOrderbeacon(['hook', 'add', ...of, receiver.url, '--allow-private'], env);
    const { url } = current;
    expect(await Promise.all(ids.map((id) => read(url, id)))).toEqual(before);
    // Repeated statements change nothing: no webhook is sent, and each order stays the same.
    for (const { requests, id } of made)
      for (const request of requests) expect(await send(url, request)).toEqual([200, id, false]);
    // The shop sends its orders as they are now.
    for (const order of [orders[0]!, wooOrder(72, erased), ...orders.slice(2)]) await say(url, order);
    expect(await refund(url, 'o-3', 'r-placed')).toMatchObject({ isNew: false });
    expect(await Promise.all(ids.map((id) => read(url, id)))).toEqual(before);
    expect(await database.sql`select type from hook_delivery`).toEqual([]);
    // A page's report does not restore an erased buyer, and a refund that waited finds its order.
    await send(url, { by: 'page', body: { orderId: '72', email: 'ann@shop.example' } });
    expect(await read(url, '72')).toMatchObject({ email: before[ids.indexOf('72')].email, name: null });
    await send(url, { by: 'key', body: { orderId: 'late' } });
    expect(await read(url, 'late')).toMatchObject({
      refundedAmount: 1,
      refunds: [{ refundId: 'r-waiting' }],
    });
    // The date that a backend said stays if a page reports the order, too.
    await send(url, { by: 'page', body: { orderId: 'dated' } });
    expect(await read(url, 'dated')).toMatchObject({ createdAt: soldAt, reportedBy: 'both' });
    expect(await database.sql`select from placed_order`).toHaveLength(made.length + 6);
  },
);
