import { expect } from 'vitest';
import { hourMs } from '../../../src/values/time.js';
import type { TestServer } from '../../kit/server.js';
import { test } from '../../kit/shop.js';
import { describeHistory } from './kit/simulatedShops/describeHistory.js';
import { makeHistory } from './kit/simulatedShops/history.js';
import { createPlay } from './kit/simulatedShops/playHistory.js';
import { shopKinds } from './kit/simulatedShops/shopKinds.js';
import { shrinkHistory } from './kit/simulatedShops/shrinkHistory.js';

/** Settings of a run. `SHOP_SEED=7 npx vitest run … -t woocommerce` repeats one shop. `SHOPS=100` adds the next 99. */
const { SHOP_SEED, SHOPS, SHOP_FAILURES = '3' } = process.env;
const seed = Number(SHOP_SEED ?? Math.floor(Math.random() * 2 ** 30));

/** Plays the histories of shops, and expects that each is stored as the shop has it. */
async function liveThrough(name: string, most: number, servers: [TestServer, TestServer]) {
  const kind = shopKinds[name]!;
  const shops = Number(SHOPS ?? (SHOP_SEED === undefined ? most : 1));
  // A page's report is at most three days old, and a history is shorter than that.
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 60 * hourMs;
  const play = await createPlay(servers, kind, startMs);
  const complaints: string[] = [];
  let failed = 0;
  for (let at = 0; at < shops; at++) {
    const history = makeHistory(kind, seed + at, startMs);
    if ((await play(history)) === null) continue;
    if (++failed > Number(SHOP_FAILURES)) continue;
    const smallest = await shrinkHistory(history, async (each) => (await play(each)) !== null);
    complaints.push(
      `${name}, SHOP_SEED=${seed + at}\n${describeHistory(kind, smallest, startMs)}\n${await play(smallest)}`,
    );
  }
  expect(`${failed} of ${shops} shops\n${complaints.join('\n\n')}`).toBe(`0 of ${shops} shops\n`);
}

test.for(Object.keys(shopKinds))(
  'what is stored of shops of %s is what they hold',
  async (name, { server, beside }) => {
    await liveThrough(name, 12, [server, beside]);
  },
);

test.for(Object.keys(shopKinds))(
  'what is stored of thousands of shops of %s is what they hold',
  { tags: ['long'] },
  async (name, { server, beside }) => {
    await liveThrough(name, 2_000, [server, beside]);
  },
);
