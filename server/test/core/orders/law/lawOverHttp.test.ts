import { expect, onTestFinished } from 'vitest';
import { createRandom } from '../../../kit/random.js';
import { startTestServer, type TestServer } from '../../../kit/server.js';
import { test } from '../../../kit/shop.js';
import { purchase } from './purchases.js';
import { sendAndCompare } from './sendAndCompare.js';

/** Seed of the run. To repeat one: `LAW_SEED=7 npx vitest run …`. */
const seed = Number(process.env.LAW_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Expects the same result of each purchase in several orders of arrival. */
async function holds(
  server: TestServer,
  other: TestServer,
  { purchases, orders, restart }: { purchases: number; orders: number; restart?: () => Promise<TestServer> },
) {
  const servers = [server, other];
  const between =
    restart &&
    (async () => {
      servers[1] = await restart();
    });
  for (let at = 0; at < purchases; at++) {
    const deliveries = purchase(createRandom(seed + at), at);
    for (let order = 0; order < orders; order++) {
      const outcome = await sendAndCompare(
        server,
        servers,
        deliveries,
        seed + at + order,
        order === 0 ? between : undefined,
      );
      const ofCase = { seed: seed + at, order, deliveries };
      expect({ ...ofCase, orders: outcome.stored, lost: outcome.lost, again: outcome.again }).toEqual({
        ...ofCase,
        orders: outcome.said,
        lost: [],
        again: outcome.said,
      });
    }
  }
}

const title = `end as the laws say of all that was said, whatever came first to which of two servers (LAW_SEED=${seed})`;

test(`24 purchases ${title}`, { tags: ['slow'] }, ({ server, beside }) =>
  holds(server, beside, { purchases: 24, orders: 2 }),
);

test('the purchase of which a name was lost once ends as the laws say', async ({ server, beside }) => {
  const deliveries = purchase(createRandom(1_581_310_279), 267);
  for (let order = 0; order < 8; order++) {
    const outcome = await sendAndCompare(server, [server, beside], deliveries, seed + order);
    expect({ seed, order, ...outcome }).toMatchObject({ stored: outcome.said, lost: [] });
  }
});

test(`600 purchases ${title}, one of which starts again`, { tags: ['long'], timeout: 1_800_000 }, async ({
  server,
}) => {
  const open = () => startTestServer({ databaseUrl: server.env.DATABASE_URL! });
  let other = await open();
  onTestFinished(() => other.close());
  const restart = async () => {
    await other.close();
    other = await open();
    return other;
  };
  await holds(server, other, { purchases: 600, orders: 6, restart });
});
