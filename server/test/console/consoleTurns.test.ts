// @module-tag all
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConsoleTurns } from '../../src/console/turns.js';
import type { Sql } from '../../src/database/connection/connect.js';
import { newUuid } from '../../src/values/ids.js';
import { placeOrders } from '../kit/placeOrder.js';
import { startServerForTest } from '../kit/server.js';
import { openShop, test } from '../kit/shop.js';
import { mostInATurn } from '../kit/turns.js';

describe('statements of the console', () => {
  /** Opens a simulated database, in which the test ends each statement. */
  function open() {
    const inTurn = createConsoleTurns({} as Sql);
    const running: { team: string; end: () => void }[] = [];
    const askFor = (team: string) =>
      inTurn(team, () => new Promise<void>((resolve) => void running.push({ team, end: resolve })));
    async function endFirst() {
      const first = running.shift()!;
      first.end();
      await new Promise((resolve) => setImmediate(resolve));
      return first.team;
    }
    return { askFor, running, endFirst };
  }

  it('of a team that asks for many leave one connection to the others', async () => {
    const { askFor, running, endFirst } = open();
    for (let n = 0; n < 120; n++) void askFor('busy');
    expect(running).toHaveLength(2);
    void askFor('other');
    expect(running.map(({ team }) => team)).toEqual(['busy', 'busy', 'other']);
    while (running.length > 0) await endFirst();
  });

  it('of eighty people who open the overview in one second are all answered', async () => {
    const { askFor, running, endFirst } = open();
    const team = newUuid();
    const answered = Array.from({ length: 80 * 12 }, () => askFor(team));
    while (running.length > 0) await endFirst();
    await expect(Promise.all(answered)).resolves.toHaveLength(960);
  });
});

describe('a download of orders', () => {
  test('is the only one of its team, and leaves its place when it is cancelled', async ({ shop }) => {
    const items = [{ note: '=x'.repeat(10_000) }];
    await placeOrders(shop.sql, shop.team, Array(500).fill({ items }));
    const { cookie } = await shop.console();
    const download = (signal?: AbortSignal) =>
      fetch(`${shop.server.url}/console/orders.csv`, { headers: { cookie }, ...(signal && { signal }) });
    const leaving = new AbortController();
    const first = await download(leaving.signal);
    const second = await download();
    expect([first.status, second.status]).toEqual([200, 503]);
    expect(await second.text()).toContain('Another download of this team is running');
    leaving.abort();
    await expect.poll(async () => (await download()).status).toBe(200);
  });

  test('makes lines of five orders at most before others have their turn', async ({ shop }) => {
    await placeOrders(shop.sql, shop.team, Array(200).fill({ items: [{ note: 'of this test' }] }));
    const { get } = await shop.console();
    const most = await mostInATurn(async (happened) => {
      const { stringify } = JSON;
      const spy = vi.spyOn(JSON, 'stringify').mockImplementation((...args: unknown[]) => {
        const text = Reflect.apply(stringify, JSON, args);
        if (text?.startsWith('[{"note":"of this test"')) happened();
        return text;
      });
      onTestFinished(() => spy.mockRestore());
      expect((await get('/console/orders.csv')).text.split('of this test')).toHaveLength(201);
    });
    expect([1, 2, 3, 4, 5]).toContain(most);
  });

  it('that nobody reads asks for no more than a few batches, and goes on when it is read', async () => {
    let batches = 0;
    const server = await startServerForTest({
      watching: (sql) =>
        new Proxy(sql, {
          apply(target, self, args: [{ raw?: unknown } & string[], ...unknown[]]) {
            if (args[0].raw && args[0][0]!.includes('pageWholeOrders')) batches++;
            return Reflect.apply(target, self, args);
          },
        }),
    });
    const shop = await openShop(server);
    await placeOrders(shop.sql, shop.team, Array(2_000).fill({}));
    await shop.sql`
      update placed_order set items = json_build_array(json_build_object('note', repeat('x', 40000)))
      where team_id = ${shop.team}`;
    const { cookie, home } = await shop.console();
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      request(new URL(`${home}/orders.csv`, server.url), { headers: { cookie } }, resolve)
        .on('error', reject)
        .end(),
    );
    let asked = -1;
    await expect
      .poll(
        () => {
          const isStill = asked === batches;
          asked = batches;
          return isStill;
        },
        { interval: 500 },
      )
      .toBe(true);
    expect(asked).toBeLessThan(10);
    let bytes = 0;
    for await (const piece of answer) bytes += piece.length;
    expect([batches, bytes > 2_000 * 40_000]).toEqual([21, true]);
  });
});
