import { expect } from 'vitest';
import { type Shop, test } from '../../kit/shop.js';

/** Reports an order as the pages of some browsers do, one after the other. */
async function reportBy(shop: Shop, order: object, browsers: readonly object[]) {
  const ids: string[] = [];
  for (const browser of browsers) ids.push((await shop.report({ ...order, ...browser })).body.data.id);
  expect(new Set(ids).size).toBe(1);
  return ids[0]!;
}

const overview = async (shop: Shop, mode = 'live') => (await shop.console()).read(`/console?mode=${mode}`);
const page = async (shop: Shop, id: string) => (await shop.console()).read(`/console/orders/${id}`);

test('a page that reports one order for every buyer is found: the order says by how many browsers, and the overview warns', async ({
  shop,
}) => {
  const constant = { orderId: 'A-7', email: 'own@buyer.example' };
  const id = await reportBy(shop, constant, [{ visitorId: 'v1' }, { visitorId: 'v2' }]);
  await expect.poll(() => page(shop, id)).toContain('Reported by 2 browsers');
  expect(await overview(shop)).not.toContain('have reported order');
  await reportBy(shop, constant, [{ visitorId: 'v3' }, { visitorId: 'v3' }]);
  await expect.poll(() => page(shop, id)).toContain('Reported by 3 browsers');
  expect(await overview(shop)).toContain('3 browsers have reported order A-7.');
  expect(await overview(shop, 'test')).not.toContain('A-7');
  expect((await (await shop.console()).get('/console')).text).toContain(`/orders/${id}`);
});

test('browsers without a visitor are told apart by their addresses, and none of these is stored', async ({
  shop,
}) => {
  const order = { orderId: 'A-8', email: 'own@buyer.example' };
  const from = (address: string) => shop.report(order, { 'x-forwarded-for': address });
  const { id } = (await from('198.51.100.1')).body.data;
  for (const address of ['198.51.100.2', '198.51.100.3', '198.51.100.3', '198.51.100.4']) await from(address);
  await expect.poll(() => page(shop, id)).toContain('Reported by 3 browsers');
  const [row] =
    await shop.sql`select reports, cardinality(browsers) as browsers from order_repeat where team_id = ${shop.team}`;
  expect(row).toMatchObject({ reports: 4, browsers: 3 });
});

test('a buyer’s own reloads, and what a backend repeats, are no reports of other browsers', async ({
  shop,
}) => {
  const order = { orderId: 'A-9', email: 'own@buyer.example' };
  const id = await reportBy(shop, order, [{ visitorId: 'v1' }, { visitorId: 'v1' }, { visitorId: 'v1' }]);
  await shop.reportByKey(order);
  await shop.reportByKey(order);
  // Reports are counted after their answers, in order. When this one is counted, those before it are, too.
  const other = { orderId: 'A-10', email: 'own@buyer.example' };
  const later = await reportBy(shop, other, [{ visitorId: 'v1' }, { visitorId: 'v2' }]);
  await expect.poll(() => page(shop, later)).toContain('Reported by 2 browsers');
  expect(await page(shop, id)).not.toMatch(/Reported by \d+ browser/);
});

test('a backend’s order that its page reports then has one browser', async ({ shop }) => {
  const order = { orderId: 'A-11', email: 'own@buyer.example' };
  await shop.reportByKey(order);
  const id = await reportBy(shop, order, [{ visitorId: 'v1' }, { visitorId: 'v2' }]);
  await expect.poll(() => page(shop, id)).toContain('Reported by 2 browsers');
});

test('one browser that a backend came before is not told', async ({ shop }) => {
  const order = { orderId: 'A-12', email: 'own@buyer.example' };
  await shop.reportByKey(order);
  const id = await reportBy(shop, order, [{}]);
  const repeats = () =>
    shop.sql`select cardinality(browsers) as browsers from order_repeat where team_id = ${shop.team}`;
  await expect.poll(repeats).toEqual([{ browsers: 1 }]);
  expect(await page(shop, id)).not.toMatch(/Reported by \d+ browser/);
});

test('what is known of browsers goes with the order, and with its buyer', async ({ shop }) => {
  for (const orderId of ['A-12', 'A-13'])
    await reportBy(shop, { orderId, email: `${orderId.toLowerCase()}@buyer.example` }, [
      { visitorId: 'v1' },
      { visitorId: 'v2' },
    ]);
  const count = async () =>
    Number((await shop.sql`select count(*) from order_repeat where team_id = ${shop.team}`)[0]!.count);
  await expect.poll(count).toBe(2);
  const [first] =
    await shop.sql`select id from placed_order where team_id = ${shop.team} and order_id = 'A-12'`;
  await shop.sql`delete from placed_order where team_id = ${shop.team} and id = ${first!.id}`;
  expect(await count()).toBe(1);
  await shop.command('person', 'erase', '--email', 'a-13@buyer.example');
  expect(await count()).toBe(0);
});
