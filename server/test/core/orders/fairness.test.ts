// @module-tag all
import type { Order } from '@orderbeacon/sdk/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PreparedReport } from '../../../src/core/orders/report.js';
import { newKey } from '../../../src/core/teams/keys.js';
import { createSenderCache } from '../../../src/core/teams/senders.js';
import { statementsOf } from '../../../src/database/pools.js';
import { createGroupCommit, queueBounds } from '../../../src/database/queue.js';
import type { Uuid } from '../../../src/values/ids.js';
import { createTrigger } from '../../kit/createTrigger.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop } from '../../kit/shop.js';
import { stopClock } from '../../kit/stopClock.js';

describe('by simulation, on a clock of its own', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const known = new Set(['team 0', 'team 1']);
  const report = { keyHash: null } as PreparedReport;
  const stored = {} as Order;

  /** Simulates a server and a database of two cores. A statement takes 2 ms, 0.05 ms per row, and longer if others run. */
  function createServer() {
    let running = 0;
    const statement = async <Result>(rows: unknown[], result: Result): Promise<Result> => {
      running++;
      const ms = (2 + 0.05 * rows.length) * Math.max(1, running / 2);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running--;
      return result;
    };
    const found = (ids: string[]) =>
      statement(
        ids,
        ids.map((id) => ({ id, teamId: known.has(id) ? id : null })),
      );
    const senderCache = createSenderCache(
      { findKeys: found, findTeams: found },
      { ...queueBounds, rowsWaitingOfGroup: 1_000 },
    );
    const orders = createGroupCommit<PreparedReport, Order>(
      (_: Uuid, rows) =>
        statement(
          rows,
          rows.map(() => stored),
        ),
      { ...queueBounds, statementsInFlight: statementsOf.newOrders },
    );
    const submitReport = (teamId: Uuid, sent: PreparedReport): Promise<Order> => {
      const looking = senderCache.requireTeam(teamId);
      return looking ? looking.then(() => orders.submit(teamId, sent)) : orders.submit(teamId, sent);
    };
    return { senderCache, submitReport, load: orders.load };
  }

  /** Measures a real team's reports, 200 a second for 3 s, during a flood: their p99, and the number of refused ones. */
  async function measure(server: ReturnType<typeof createServer>, flood: (ms: number) => void) {
    const tookMs: number[] = [];
    let refused = 0;
    for (let ms = 0; ms < 3_000; ms++) {
      flood(ms);
      if (ms % 5 === 0) {
        const sinceMs = performance.now();
        server.submitReport('team 0', report).then(
          () => tookMs.push(performance.now() - sinceMs),
          () => refused++,
        );
      }
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    tookMs.sort((a, b) => a - b);
    expect(tookMs.length + refused).toBe(600);
    return { p99Ms: tookMs[Math.floor(tookMs.length * 0.99)]!, refused };
  }

  it('10,000 random teams and 10,000 made-up keys a second at most double a real team’s p99, and refuse none of it', {
    tags: ['slow'],
  }, async () => {
    const alone = await measure(createServer(), () => {});
    const server = createServer();
    const outcomes = { made: 0, unavailable: 0 };
    const count = (isKnown: boolean) => {
      if (!isKnown) outcomes.made++;
    };
    const beside = await measure(server, (ms) => {
      for (let n = 0; n < 10; n++) {
        server.submitReport(`made-up ${ms} ${n}`, report).then(
          () => count(true),
          (error) => (error.code === 'unavailable' ? outcomes.unavailable++ : count(false)),
        );
        server.senderCache.teamOf(`key ${ms} ${n}`).then(
          (team) => count(team !== null),
          () => outcomes.unavailable++,
        );
      }
    });
    expect(alone.refused + beside.refused).toBe(0);
    expect(beside.p99Ms).toBeLessThanOrEqual(2 * alone.p99Ms);
    expect(outcomes.made + outcomes.unavailable).toBe(60_000);
    expect(outcomes.made).toBeGreaterThan(30_000);
  });

  it('a real team passes the lane of the unknown once', async () => {
    const server = createServer();
    const first = server.submitReport('team 1', report);
    expect(server.load().rows).toBe(0);
    await vi.advanceTimersByTimeAsync(10);
    expect(await first).toBe(stored);
    void server.submitReport('team 1', report);
    expect(server.load().rows).toBe(1);
    await vi.advanceTimersByTimeAsync(10);
  });
});

describe('on a real server', () => {
  it('made-up keys count to the rate limit of their address on every route, and a known key never', async () => {
    const server = await startServerForTest({
      env: { ORDERBEACON_RATE_LIMIT: '5', ORDERBEACON_TRUST_PROXY: '1' },
    });
    const shop = await openShop(server);
    stopClock();
    const headers = { 'x-forwarded-for': '5.5.5.5' };
    const madeUp = () => ({ key: newKey('live'), headers });
    expect((await shop.reportByKey({}, { headers })).status).toBe(200);
    const statuses = [];
    for (let n = 0; n < 3; n++) {
      statuses.push((await shop.reportByKey({}, madeUp())).status);
      statuses.push((await shop.send('GET', '/svc-api/v1/products/x', undefined, madeUp())).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    const refused = await shop.reportByKey({}, madeUp());
    expect(refused.body.error.code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (let n = 0; n < 7; n++) expect((await shop.reportByKey({}, { headers })).status).toBe(200);
    expect((await shop.report({}, headers)).status).toBe(200);
  });

  it('a key that was revoked is as unknown as a made-up one from its first refusal on', async () => {
    const server = await startServerForTest({ env: { ORDERBEACON_RATE_LIMIT: '3' } });
    const shop = await openShop(server);
    stopClock();
    expect((await shop.reportByKey()).status).toBe(200);
    await shop.sql`update api_key set revoked_at = now() where team_id = ${shop.team}`;
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await shop.reportByKey()).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('a key never takes a turn of another team than its own', async () => {
    const server = await startServerForTest();
    const [shop, other] = [await openShop(server), await openShop(server)];
    await createTrigger(
      server.sql,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'asked'; end $$`,
      `create trigger asked before insert on placed_order for each statement execute function refuse()`,
    );
    const { status, body } = await shop.reportByKey({ teamId: other.teamId });
    expect([status, body.error.code]).toEqual([403, 'team_mismatch']);
  });
});
