import { expect } from 'vitest';
import { readDoneSteps } from '../../src/console/sql/doneSteps.js';
import { encodeId } from '../../src/values/ids.js';
import { placeOrders } from '../kit/placeOrder.js';
import { type Shop, test } from '../kit/shop.js';

const local = { origin: 'http://localhost:3000' };

/** Opens a shop whose merchant has tried it only on localhost, with one stored order and one refused report. */
async function tryLocally(shop: Shop): Promise<void> {
  await shop.sql`delete from domain where team_id = ${shop.team}`;
  await shop.addDomain('localhost', { isTest: true });
  expect((await shop.report({ orderId: 'tried' }, local)).body.data.isTest).toBe(true);
  expect((await shop.report({ orderId: 'bad', amount: 'much' }, local)).status).toBe(400);
}

test('steps, counts and alarms of a try on localhost are those of test mode alone', async ({ shop }) => {
  await tryLocally(shop);
  const { read, get } = await shop.console();
  const live = await read('/console');
  expect(live).toContain('Your first order is 3 steps away.');
  expect(live).not.toMatch(/do(es)? not count yet|Refused 1/);
  expect(await read('/console/setup/keys')).toContain('Setup 0 of 2 steps done InstallNo page has reported');
  expect(await read('/console/refused')).toContain('No refused reports need attention.');

  const tests = await read('/console?mode=test');
  expect(tests).toMatch(/Refused 1 .*1 test order does not count yet\./);
  expect(tests).toContain('Newest orders');
  expect(await read('/console/setup/keys?mode=test')).toContain('Setup 2 of 2 steps done');
  expect(await read('/console/refused?mode=test')).toContain('amount is not valid: “much”');
  const [row] = await shop.sql<{ id: string }[]>`select id from refused_report where team_id = ${shop.team}`;
  const path = `/console/refused/${encodeId('ref', row!.id)}`;
  expect((await get(path)).headers.get('location')).toMatch(/\?mode=test$/);
});

test('a refused report has the mode of its key or host, and live if neither is known', async ({ shop }) => {
  const bad = { amount: 'much' };
  await shop.reportByKey({ ...bad, orderId: 'key' });
  await shop.reportByKey({ ...bad, orderId: 'test key' }, { key: await shop.testKey() });
  await shop.report({ ...bad, orderId: 'page' });
  await shop.report({ orderId: 'stranger' }, { origin: 'https://stranger.example' });
  await shop.report({ orderId: 'private' }, { origin: 'http://192.168.0.7' });
  await shop.addDomain('staging.example', { isTest: true });
  await shop.report({ ...bad, orderId: 'staging' }, { origin: 'https://staging.example' });
  const modes = async () =>
    Object.fromEntries((await shop.refused()).map(({ orderId, isTest }) => [orderId, isTest]));
  expect(await modes()).toEqual({
    key: false,
    'test key': true,
    page: false,
    stranger: false,
    private: true,
    staging: true,
  });
  // The same report again, after its host has got the other mode.
  await shop.addDomain('staging.example');
  await shop.report({ ...bad, orderId: 'staging' }, { origin: 'https://staging.example' });
  expect(await modes()).toMatchObject({ staging: false });
});

test('a button of a group does what it says with the reports of its mode alone', async ({ shop }) => {
  const orders = (mode: 'live' | 'test') =>
    shop.sql`select from refused_report where team_id = ${shop.team} and is_test = ${mode === 'test'} and discarded_at is null`;
  for (const key of [await shop.liveKey(), await shop.testKey()])
    await shop.reportByKey({ orderId: 'o', amount: '49,90', currency: 'EUR' }, { key });
  const { press } = await shop.console();
  const group = { reason: 'invalid_request', host: '', field: 'amount' };
  expect(await press('/console/refused/correct-all?mode=test', group)).toContain('1 test order is stored.');
  expect([(await orders('live')).length, (await orders('test')).length]).toEqual([1, 0]);
  const until = new Date(Date.now() + 1_000).toISOString();
  expect(await press('/console/refused/discard?mode=test', { ...group, until })).toContain(
    'Nothing was left',
  );
  expect(await press('/console/refused/correct-all', group)).toContain('1 live order is stored.');
});

test('the count of Setup is of the steps that it lists', async ({ shop }) => {
  await shop.report();
  const { read, get, submit } = await shop.console();
  expect(await read('/console/setup/keys')).toContain('Setup 2 of 2 steps done');
  await submit('/console/setup/sources', { kind: 'stripe', secret: '' });
  expect(await read('/console/setup/keys')).toContain('Setup 2 of 3 steps done');
  const { text } = await get('/console/setup/keys');
  const [steps] = /<ol class="timeline">.*?<\/ol>/.exec(text)!;
  expect([steps.match(/<li class="good">/g)?.length, steps.match(/<li class="warn">/g)?.length]).toEqual([
    2, 1,
  ]);
});

test('below 2,000 orders of the other mode a first order is not seen, so no steps are shown', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const createdAt = new Date();
  await placeOrders(
    sql,
    team,
    Array.from({ length: 1_999 }, () => ({ createdAt })),
  );
  expect(await readDoneSteps(sql, team, true)).toMatchObject({ hasOrder: false });
  await placeOrders(sql, team, [{ createdAt }]);
  expect(await readDoneSteps(sql, team, true)).toMatchObject({ hasOrder: true });
});
