import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { Subscriber } from '../src/console/liveFeed.js';
import { createLiveOrders } from '../src/console/liveOrders.js';
import { findNewOrders } from '../src/console/sql/findNewOrders.js';
import { pageOrders } from '../src/console/sql/shownOrders.js';
import { newAccessToken } from '../src/teams/accessTokens.js';
import { revokeConsoleSessions } from '../src/teams/sql/consoleSession.js';
import { encodeId, firstUuid, newUuid } from '../src/values/ids.js';
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
  expect(stream.text().split('<tr').at(-1)).toMatch(/\$2\.00.*Browser and backend/);
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

it('a page of one kind of reporter that comes back misses none behind 50 newer orders of another kind', async () => {
  const { server, watch, uuid, teamId, report } = await start();
  const key = await server.addKey(uuid);
  const { body } = await server.reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 1 });
  for (let n = 0; n < 50; n++) await report({ orderId: `o-${n}` });
  const since = { 'last-event-id': String(Date.now() - 60_000) };
  const [byKey, byAnyone] = [watch('?by=key', since), watch('', since)];
  await expect.poll(() => byAnyone.ids().length).toBe(50);
  await expect.poll(byKey.ids).toEqual([body.data.id]);
});

it('long items and refused bodies are read neither every second nor for a list', async () => {
  const { server, uuid, teamId, watch, report } = await start();
  const long = 'x'.repeat(60_000);
  await report({ orderId: 'o-1', items: [{ note: long }] });
  const refused = { teamId, email: 'none', amount: 1, note: long };
  expect((await server.report(refused)).status).toBe(400);
  const all = {
    fromId: firstUuid(0),
    isTest: undefined,
    reportedBy: undefined,
    sessions: [],
    now: new Date(),
  };
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

it('a browser watches with 10 pages, a team with 50, all with 200, and with one more when another has left', async () => {
  const { server } = await start();
  const streamOf = (cookie: string) => openStream(`${server.url}/console/live`, cookie);
  const team = async () => (await server.addTeam()).uuid;
  const teams = [await team(), await team(), await team(), await team()];
  // Signing in so often would be refused.
  const browser = async (uuid: string) => {
    const { token, hash } = newAccessToken(uuid);
    await server.sql`
      insert into console_session (team_id, hash, id, created_at, last_seen_at, expires_at)
      values (${uuid}, ${hash}, ${newUuid()}, now(), now(), now() + interval '1 day')`;
    return `orderbeacon=${token}`;
  };
  const streams: ReturnType<typeof openStream>[] = [];
  let last = '';
  for (const uuid of teams) {
    for (let n = 0; n < 5; n++) {
      last = await browser(uuid);
      const ofBrowser = Array.from({ length: 10 }, () => streamOf(last));
      const statuses = await Promise.all(ofBrowser.map(({ status }) => status));
      expect(new Set(statuses)).toEqual(new Set([200]));
      streams.push(...ofBrowser);
      if (streams.length === 10) expect(await streamOf(last).status).toBe(503);
    }
    if (streams.length === 50) expect(await streamOf(await browser(uuid)).status).toBe(503);
  }
  const stranger = await browser(await team());
  expect(await streamOf(stranger).status).toBe(503);
  streams.at(-1)!.leave();
  await expect.poll(() => streamOf(stranger).status).toBe(200);
});

it('pages that watch the same orders share one statement, and orders that nobody watches cost none', async () => {
  const { server, uuid } = await start();
  const other = await server.addTeam();
  const asked = new Map<string, number>();
  let onAsked = () => {};
  /** Resolves as soon as that many statements were about a team: the next one begins later. */
  const reached = (teamId: string, count: number) =>
    new Promise<void>((resolve) => {
      onAsked = () => asked.get(teamId) === count && resolve();
    });
  let team = '';
  const subscriberOf = (teamId: string): Subscriber => ({
    teamId,
    sessionHash: '',
    isTest: undefined,
    reportedBy: undefined,
    sinceMs: Date.now(),
    send() {},
    end() {},
  });
  // The only thing that is not the server's own: it counts the statements by the team that they are about.
  const subscribe = createLiveOrders(
    async (_team, statement) => {
      const counted = new Proxy(server.sql, {
        apply(sql, self, [strings, ...values]) {
          if (String(strings[0]).includes('findNewOrders'))
            team = values.find((value) => value === uuid || value === other.uuid);
          return Reflect.apply(sql, self, [strings, ...values]);
        },
      });
      const result = await statement(counted);
      asked.set(team, (asked.get(team) ?? 0) + 1);
      onAsked();
      return result;
    },
    { nowMs: Date.now },
    () => false,
  );
  const first = [subscriberOf(uuid), subscriberOf(uuid), subscriberOf(uuid)];
  const twice = reached(uuid, 2);
  const leave = first.map(subscribe);
  await twice;
  for (const unsubscribe of leave) unsubscribe();
  const last = subscriberOf(other.uuid);
  const thrice = reached(other.uuid, 3);
  const leaveLast = subscribe(last);
  await thrice;
  leaveLast();
  expect(asked.get(uuid)).toBe(2);
});

it('a page that opens while another page’s orders are read gets them once and stays open, one of an ended session does not', async () => {
  const { server, uuid, report } = await start();
  const ended: string[] = [];
  const sent: string[] = [];
  const subscriberOf = (name: string, sessionHash: string): Subscriber => ({
    teamId: uuid,
    sessionHash,
    isTest: undefined,
    reportedBy: undefined,
    sinceMs: Date.now(),
    send: () => void sent.push(name),
    end: () => void ended.push(name),
  });
  const addSession = async () => {
    const { hash } = newAccessToken(uuid);
    await server.sql`
      insert into console_session (team_id, hash, id, created_at, last_seen_at, expires_at)
      values (${uuid}, ${hash}, ${newUuid()}, now(), now(), now() + interval '1 day')`;
    return hash;
  };
  const sessions = [await addSession(), await addSession()] as const;
  await report({});
  let open: (() => void) | undefined = () => leave.push(subscribe(subscriberOf('second', sessions[1])));
  const subscribe = createLiveOrders(
    async (_team, statement) => {
      const result = await statement(server.sql);
      open?.();
      open = undefined;
      return result;
    },
    { nowMs: Date.now },
    () => false,
  );
  const leave = [subscribe(subscriberOf('first', sessions[0])), subscribe(subscriberOf('ended', 'none'))];
  await expect.poll(() => ended).toContain('ended');
  expect(sent).toEqual(['first', 'ended', 'second']);
  expect(ended).not.toContain('second');
  for (const unsubscribe of leave) unsubscribe();
});
