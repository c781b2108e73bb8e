import { expect } from 'vitest';
import { createRandom } from '../../../kit/random.js';
import type { TestServer } from '../../../kit/server.js';
import { test } from '../../../kit/shop.js';
import { hear } from './hear.js';
import { purchase } from './purchases.js';

/** To try the same again: `LAW_SEED=7 npx vitest run …`. */
const seed = Number(process.env.LAW_SEED ?? Math.floor(Math.random() * 2 ** 31));
async function holds(
  server: TestServer,
  servers: readonly TestServer[],
  from: number,
  purchases: number,
  orders: number,
) {
  for (let at = 0; at < purchases; at++) {
    const said = purchase(createRandom(from + at), at);
    for (let order = 0; order < orders; order++) {
      const heard = await hear(server, servers, said, from + at + order);
      expect({ seed: from + at, order, said, stored: heard.stored }).toEqual({
        seed: from + at,
        order,
        said,
        stored: heard.said,
      });
    }
  }
}

const title = `end as the laws say of all that was said, whatever came first to which of two servers (LAW_SEED=${seed})`;

test(`24 purchases ${title}`, ({ server, beside }) => holds(server, [server, beside], seed, 24, 2));

test(`600 purchases ${title}`, { tags: ['long'], timeout: 600_000 }, ({ server, beside }) =>
  holds(server, [server, beside], seed, 600, 6),
);
