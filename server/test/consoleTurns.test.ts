import { describe, expect, it } from 'vitest';
import { createAsk } from '../src/console/ask.js';
import type { Sql } from '../src/database/connection/connect.js';
import { newUuid } from '../src/values/ids.js';
import { placeOrders } from './placeOrder.js';
import { test } from './shop.js';

describe('statements of the console', () => {
  /** The database with which each statement ends when it is told to. */
  function open() {
    const ask = createAsk({} as Sql);
    const running: { team: string; end: () => void }[] = [];
    const askFor = (team: string) =>
      ask(team, () => new Promise<void>((resolve) => void running.push({ team, end: resolve })));
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

  it('of several teams take turns', async () => {
    const { askFor, running, endFirst } = open();
    for (let n = 0; n < 120; n++) void askFor('busy');
    for (const team of ['one', 'two', 'three']) void askFor(team);
    const ended: string[] = [];
    while (ended.length < 8) ended.push(await endFirst());
    expect(new Set(ended)).toEqual(new Set(['busy', 'one', 'two', 'three']));
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
});
