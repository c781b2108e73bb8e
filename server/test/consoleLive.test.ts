import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createLiveOrders, type Subscriber } from '../src/console/liveOrders.js';
import { findNewOrders } from '../src/console/sql/findNewOrders.js';
import { pageOrders } from '../src/console/sql/shownOrders.js';
import { revokeConsoleSessions } from '../src/teams/sql/consoleSession.js';
import { encodeId, firstUuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

/** Opens a stream of events as a browser does, and keeps all that comes. */
function openStream(url: string, cookie: string, headers: Record<string, string> = {}) {
  let text = '';
  let isEnded = false;
  let leave = () => {};
  const status = new Promise<number>((resolve, reject) => {
    const sent = request(url, { headers: { cookie, ...headers } }, (response) => {
      resolve(response.statusCode!);
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('close', () => {
        isEnded = true;
      });
    });
    sent.on('error', reject);
    sent.end();
    leave = () => void sent.destroy();
    onTestFinished(() => leave());
  });
  return {
    status,
    text: () => text,
    ids: () => [...text.matchAll(/<tr id="(ord_\w+)"/g)].map(([, id]) => id!),
    isEnded: () => isEnded,
    leave: () => leave(),
  };
}

async function start() {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam('shop.example');
  const { cookie } = await signIn(server, teamId);
  const watch = (query = '', headers?: Record<string, string>) =>
    openStream(`${server.url}/console/live${query}`, cookie, headers);
  const report = async (more: object) => {
    const { body } = await server.report({ teamId, email: 'ann@buyer.example', amount: 1, ...more });
    return body.data as { id: string };
  };
  return { server, teamId, uuid, cookie, watch, report };
}

it('an order that is reported appears in the stream, once, and again when a backend changes it', async () => {
  const { server, teamId, uuid, watch, report } = await start();
  const stream = watch();
  await expect.poll(stream.text).toContain('event: hello');
  const order = await report({ orderId: 'o-1' });
  await expect.poll(stream.ids).toEqual([order.id]);
  await server.reportByKey(await server.addKey(uuid), {
    teamId,
    email: 'ann@buyer.example',
    amount: 2,
    orderId: 'o-1',
  });
  await expect.poll(stream.ids).toEqual([order.id, order.id]);
  expect(stream.text().split('<tr').at(-1)).toMatch(/\$2\.00.*Page and key/);
  const second = await report({ orderId: 'o-2' });
  await expect.poll(stream.ids).toEqual([order.id, order.id, second.id]);
});

it('a page that comes back is told of what it has missed since its last event', async () => {
  const { server, watch, report } = await start();
  await report({ orderId: 'o-1' });
  // As if it had been reported ten minutes ago, while the page was away.
  const tenMinutesAgo = Date.now() - 10 * 60_000;
  const id = firstUuid(tenMinutesAgo);
  await server.sql`update placed_order set id = ${id}`;
  const fresh = watch();
  const back = watch('', { 'last-event-id': String(tenMinutesAgo - 60_000) });
  await expect.poll(back.ids).toEqual([encodeId('ord', id)]);
  const next = await report({ orderId: 'o-2' });
  await expect.poll(fresh.ids).toContain(next.id);
});

it('a stream shows the orders of its team, its mode and its kind of reporter alone', async () => {
  const { server, watch, report, uuid, teamId } = await start();
  const other = await server.addTeam('shop.example');
  await server.sql`insert into domain (team_id, entry, is_test) values (${uuid}, 'test.example', true)`;
  const streams = {
    all: watch(),
    live: watch('?mode=live'),
    test: watch('?mode=test'),
    key: watch('?by=key'),
  };
  const stranger = await server.report({ teamId: other.teamId, email: 'ann@buyer.example', amount: 1 });
  expect(stranger.status).toBe(200);
  const live = await report({ orderId: 'live' });
  const test = (
    await server.report({ teamId, email: 'ann@buyer.example', amount: 1 }, { origin: 'https://test.example' })
  ).body.data;
  const key = (
    await server.reportByKey(await server.addKey(uuid), { teamId, email: 'ann@buyer.example', amount: 1 })
  ).body.data;
  const seen = () =>
    Object.fromEntries(Object.entries(streams).map(([name, { ids }]) => [name, ids().sort()]));
  await expect.poll(seen).toEqual({
    all: [live.id, test.id, key.id].sort(),
    live: [live.id, key.id].sort(),
    test: [test.id],
    key: [key.id],
  });
});

it('long items and refused bodies are read neither every second nor for a list', async () => {
  const { server, uuid, teamId, watch, report } = await start();
  const long = 'x'.repeat(60_000);
  await report({ orderId: 'o-1', items: [{ note: long }] });
  const refused = { teamId, email: 'none', amount: 1, note: long };
  expect((await server.report(refused)).status).toBe(400);
  const all = { fromId: firstUuid(0), isTest: undefined, sessions: [], now: new Date() };
  const newest = await findNewOrders(server.sql, uuid, all);
  expect([newest.orders.length, newest.refused.length]).toEqual([1, 1]);
  const listed = await pageOrders(server.sql, uuid, {}, { before: null, limit: 9, lookAtMost: 9 });
  expect(listed).toHaveLength(1);
  expect(JSON.stringify([newest, listed]).length).toBeLessThan(5_000);
  // The stream shows the refused report all the same, once.
  const stream = watch();
  await expect.poll(stream.text).toContain('event: refused');
  await report({ orderId: 'o-2' });
  await expect.poll(() => stream.ids().length).toBe(2);
  expect(stream.text().split('event: refused')).toHaveLength(2);
});

it('a revoked session’s stream ends, and so do all when the server stops', async () => {
  const { server, uuid, teamId, watch } = await start();
  const stream = watch();
  await expect.poll(stream.text).toContain('event: hello');
  await revokeConsoleSessions(server.sql, uuid);
  await expect.poll(stream.isEnded).toBe(true);
  const { cookie } = await signIn(server, teamId);
  const last = openStream(`${server.url}/console/live`, cookie);
  await expect.poll(last.text).toContain('event: hello');
  const stopped = server.stop();
  await expect.poll(last.isEnded).toBe(true);
  await stopped;
});

it('200 pages watch at once, and one more does when another has left', async () => {
  const { watch } = await start();
  const streams: ReturnType<typeof watch>[] = [];
  // In groups of 50, because only so many requests may wait for the check of their session.
  for (let n = 0; n < 4; n++) {
    streams.push(...Array.from({ length: 50 }, () => watch()));
    expect(new Set(await Promise.all(streams.map(({ status }) => status)))).toEqual(new Set([200]));
  }
  expect(await watch().status).toBe(503);
  streams[0]!.leave();
  await expect.poll(() => watch().status).toBe(200);
});

it('pages that watch the same orders share one statement, and orders that nobody watches cost none', async () => {
  const { server, uuid } = await start();
  const other = await server.addTeam();
  const asked = new Map<string, number>();
  let team = '';
  const subscriberOf = (teamId: string): Subscriber => ({
    teamId,
    sessionHash: '',
    isTest: undefined,
    sinceMs: Date.now(),
    send() {},
    end() {},
  });
  // The only thing that is not the server's own: it counts the statements by the team that they are about.
  const live = createLiveOrders(
    async (statement) => {
      const counted = new Proxy(server.sql, {
        apply(sql, self, [strings, ...values]) {
          if (String(strings[0]).includes('findNewOrders'))
            team = values.find((value) => value === uuid || value === other.uuid);
          return Reflect.apply(sql, self, [strings, ...values]);
        },
      });
      const result = await statement(counted);
      asked.set(team, (asked.get(team) ?? 0) + 1);
      return result;
    },
    () => false,
  );
  const first = [subscriberOf(uuid), subscriberOf(uuid), subscriberOf(uuid)];
  for (const subscriber of first) live.subscribe(subscriber);
  await expect.poll(() => asked.get(uuid)).toBe(2);
  for (const subscriber of first) live.unsubscribe(subscriber);
  const last = subscriberOf(other.uuid);
  live.subscribe(last);
  await expect.poll(() => asked.get(other.uuid)).toBe(3);
  live.unsubscribe(last);
  expect(asked.get(uuid)).toBeLessThanOrEqual(3);
});
