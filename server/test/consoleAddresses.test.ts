import { beforeEach, expect, it } from 'vitest';
import { signIn } from './console.js';
import { sendTo, startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let teamId: string;
let console: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  server = await startServerForTest();
  ({ teamId } = await server.addTeam('shop.example'));
  console = await signIn(server, teamId);
});

/** Reports one order and lets the server refuse another. */
async function reportTwo() {
  const order = { teamId, email: 'ann@buyer.example', amount: 1, orderId: 'o-1' };
  await server.report(order);
  await server.report({ ...order, orderId: 'o-2' }, { origin: 'https://other.example' });
}

it('a range named like a built-in property of objects counts as absent', async () => {
  await reportTwo();
  for (const range of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const { status, text } = await console.get(`/console?range=${range}`);
    expect([range, status]).toEqual([range, 200]);
    expect(text).toContain('Live orders of the last 24 hours');
  }
});

it.each(['0', '253402300800000', '999999999999999'])(
  'a list that goes on at %s ms since 1970 is a page, whatever PostgreSQL can read',
  async (ms) => {
    await reportTwo();
    const place = (prefix: string) => `before=${ms}.${teamId.replace('team', prefix)}`;
    const paths = [
      `/console/orders?${place('ord')}`,
      `/console/orders?mode=test&${place('ord')}`,
      `/console/orders.csv?${place('ord')}`,
      `/console/refused?reason=domain_not_allowed&host=other.example&field=&${place('ref')}`,
    ];
    for (const path of paths) expect([path, (await console.get(path)).status]).toEqual([path, 200]);
  },
);

it.each([
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59-12:00',
  '0',
])('discarding up to the time %s, which no page names, is refused and discards nothing', async (until) => {
  await reportTwo();
  const kind = { reason: 'domain_not_allowed', host: 'other.example', field: '' };
  const sent = { ...kind, until, formToken: await console.formToken() };
  expect((await console.post('/console/refused/discard', sent)).status).toBe(400);
  expect(await server.sql`select from refused_report`).toHaveLength(1);
});

it('an address that somebody types with a slash behind it leads to its page, also behind a proxy that adds a path', async () => {
  server = await startServerForTest({
    env: {
      PUBLIC_URL: 'https://shop.example/orders',
      ORDERBEACON_RATE_LIMIT: 'off',
    },
  });
  for (const path of ['/console', '/docs', '/demo']) {
    const { status, headers } = await sendTo(new URL(`${path}/?range=7d`, server.bindUrl), 'GET');
    expect([status, headers.get('location')]).toEqual([303, `/orders${path}?range=7d`]);
  }
});
