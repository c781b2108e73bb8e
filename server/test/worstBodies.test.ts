import { afterAll, beforeAll, expect, it } from 'vitest';
import { worstBodies } from '../bench/worstBodies.js';
import { checkReport } from '../src/orders/checkReport.js';
import { signIn } from './console.js';
import { startTestServer } from './server.js';

// Nothing is timed here: `npm run bench -w server -- worst` does that.

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
});
afterAll(() => server.close());

const names = Object.keys(worstBodies('team', 'id'));
const bodyOf = (name: string, id: string) => worstBodies(team.teamId, id)[name]!;
const ways: Record<string, (body: string) => ReturnType<typeof server.report>> = {
  page: (body) => server.report(body),
  'host that is not allowed': (body) => server.report(body, { origin: 'https://other.example' }),
  key: (body) => server.reportByKey(key, body),
  enrollment: (body) => server.enroll(key, body),
};

it.each(Object.keys(ways))('each worst body is answered in a few words, by %s', async (way) => {
  for (const name of names) {
    const { status, text, body } = await ways[way]!(bodyOf(name, `${way} ${name}`));
    expect([name, [200, 400, 403, 404].includes(status)]).toEqual([name, true]);
    // 20 issues, or 21 warnings, each with a path of 200 characters at most.
    expect([name, text.length < 8_000]).toEqual([name, true]);
    if (way !== 'page') continue;
    // A page's order is stored whatever its items are.
    const isOrder = /item|prices|field|deep nesting/.test(name) && !/^only/.test(name);
    if (isOrder) expect([name, status, body.data?.isNew]).toEqual([name, 200, true]);
  }
});

it('the console shows, and corrects, each worst body that was refused', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { get, post, formToken } = await signIn(server, teamId);
  const amount = worstBodies(teamId, 'amount')['a deep amount']!;
  expect((await server.report(amount)).status).toBe(400);
  const list = await get('/console/refused?reason=invalid_request&host=shop.example&field=amount');
  expect([list.status, list.text.includes('ann@mail.example')]).toEqual([200, true]);
  const id = /ref_\w{26}/.exec(list.text)![0];
  expect((await get(`/console/refused/${id}`)).status).toBe(200);
  const fields = { formToken: await formToken(), id, amount: '12.50', orderId: 'o-1' };
  expect((await post('/console/refused/correct', fields)).status).toBe(303);
  const orders = await server.sql`select amount, order_id from placed_order where team_id = ${uuid}`;
  expect(orders).toMatchObject([{ amount: '12.5', order_id: 'o-1' }]);
});

it('500 invalid items of a key report are refused for the first 20', () => {
  const { error } = checkReport(JSON.parse(bodyOf('500 invalid items', 'o')), false);
  expect(new Set(error!.issues.map(({ path }) => path.slice(0, 2).join('.')))).toEqual(
    new Set(Array.from({ length: 20 }, (_, at) => `items.${at}`)),
  );
});

it('an invalid item behind valid ones is named by its place', () => {
  const items = [...Array(450).fill({ sku: 'A', nested: [{}] }), { sku: null }];
  const { error } = checkReport({ teamId: 't', email: 'ann@mail.example', amount: 1, items }, false);
  expect(error!.issues.map(({ path }) => path.join('.'))).toEqual(['items.450.sku']);
});
