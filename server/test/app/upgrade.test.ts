import { expect, it, onTestFinished } from 'vitest';
import { runOrderbeacon } from '../kit/command.js';
import { createEmptyDatabase } from '../kit/database.js';
import { hasRelease, unpackRelease } from '../kit/lastRelease.js';
import { type ServerProcess, startServerProcess } from '../kit/process.js';
import { sendTo, startTestServer } from '../kit/server.js';

type By = 'page' | 'key';
interface Request {
  by: By;
  body: object;
  key?: string;
}

/** Requests of one order each: the answers to all of them, and to each retry, are that order. */
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

it.skipIf(!hasRelease)(
  'before, beside and after the release before, no order is lost or doubled, whichever server it reaches',
  { tags: ['slow'] },
  async () => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.close());
    const env = { ...database.env, ORDERBEACON_RATE_LIMIT: 'off' };
    const { version, program, run } = unpackRelease(env);
    const startOld = () => startServerProcess(env, program);
    const startNew = async () => {
      expect((await runOrderbeacon(['migrate'], env)).code).toBe(0);
      return startTestServer({ databaseUrl: database.env.DATABASE_URL! });
    };
    const stop = async ({ signal, ended }: ServerProcess) => {
      signal('SIGTERM');
      expect((await ended).code).toBe(0);
    };

    let old = await startOld();
    expect(old.output()).toContain(`Orderbeacon ${version} listens`);
    const { id: teamId } = await run('team', 'create', '--name', 'Shop', '--domain', 'shop.example');
    const { key } = await run('key', 'create', '--team', teamId);

    const send = async (url: string, { by, body, key: idempotencyKey }: Request) => {
      const { status, body: answer } = await sendTo(new URL('/svc-api/v1/orders', url), 'POST', {
        headers: {
          'content-type': 'application/json',
          ...(by === 'page' ? { origin: 'https://shop.example' } : { authorization: `Bearer ${key}` }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({ teamId, email: 'ann@mail.example', amount: 3, ...body }),
      });
      return [status, answer.data?.id, answer.data?.isNew];
    };

    let count = 0;
    const made: { requests: Request[]; id: string }[] = [];
    /** Makes an order of each kind, whose requests reach the servers in turn, and repeats all requests so far to each. */
    async function report(...urls: string[]) {
      for (const [kind, requestsOf] of Object.entries(kinds)) {
        const requests = requestsOf(`o-${++count}`);
        const [first, ...later] = requests;
        const [status, id, isNew] = await send(urls[0]!, first!);
        expect([kind, status, isNew]).toEqual([kind, 200, true]);
        for (const [at, request] of later.entries())
          expect(await send(urls[(at + 1) % urls.length]!, request)).toEqual([200, id, false]);
        made.push({ requests, id });
      }
      for (const url of urls)
        for (const { requests, id } of made)
          for (const request of requests) expect(await send(url, request)).toEqual([200, id, false]);
    }

    await report(old.url);
    // Up: the newer server migrates while the older one serves.
    let current = await startNew();
    await report(old.url, current.url);
    await report(current.url, old.url);
    // Down: the older server alone, started on the newer schema.
    await current.close();
    await stop(old);
    old = await startOld();
    await report(old.url);
    // Up again.
    current = await startNew();
    onTestFinished(() => current.close());
    await report(current.url, old.url);
    await stop(old);
    expect(await database.sql`select from placed_order`).toHaveLength(made.length);
  },
);
