import { expect } from 'vitest';
import { erasePerson } from '../../src/commands/eraseBuyer.js';
import { removePerson } from '../../src/core/people/sql/person.js';
import type { Sql } from '../../src/database/connection/connect.js';
import { inTransaction } from '../../src/database/inTransaction.js';
import { decodeId } from '../../src/values/ids.js';
import { listenersOf } from '../kit/listeners.js';
import { findWaitsBehind } from '../kit/lockWaits.js';
import { placeOrder, placeOrders } from '../kit/placeOrder.js';
import { type Shop, test } from '../kit/shop.js';

const ofAnn = { name: 'Ann', visitorId: 'v-ann' };

/** Reports orders of Ann, `o-1` and so on, and resolves with her id. */
async function addBuyer(shop: Shop, orders: number) {
  const answers = await Promise.all(Array.from({ length: orders }, () => shop.report(ofAnn)));
  return decodeId('ppl', answers[0]!.body.data.peopleId)!;
}

/** Selects the rows of the shop that have personal data. */
const traces = ({ sql, team }: Shop) => sql`
  select r::text from placed_order r where team_id = ${team} and (name is not null or visitor_id is not null)
  union all select r::text from person r where team_id = ${team} and email is not null`;

/** Counts the statements and people of a shop that contain a text. */
async function mentions({ sql, team }: Shop, text: string) {
  const rows = await sql`
    select from (
      select said::text as text from statement where team_id = ${team}
      union all select email from person where team_id = ${team} and email is not null
    ) stored where text like ${`%${text}%`}`;
  return rows.length;
}

test('an order that is being stored for a person meanwhile is waited for, and erased too', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const personId = await addBuyer(shop, 1);
  const { erasing } = await inTransaction(sql, async (tx) => {
    await placeOrder(tx as unknown as Sql, team, ofAnn);
    // Locks the buyer as the statement that stores an order does.
    await tx`select from person where team_id = ${team} and id = ${personId} for no key update`;
    const started = erasePerson(sql, team, personId, listenersOf(sql));
    await expect.poll(() => findWaitsBehind(sql, tx as unknown as Sql)).toHaveLength(1);
    return { erasing: started };
  });
  expect(await erasing).toEqual({ orders: 2, subscriptions: 0 });
  expect(await traces(shop)).toEqual([]);
});

test('while a buyer is erased, their next order and their team’s are stored, however long one of the orders is locked', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const personId = await addBuyer(shop, 4);
  const { erasing } = await inTransaction(sql, async (holding) => {
    await holding`select from placed_order where team_id = ${team} and order_id = 'o-2' for update`;
    const started = erasePerson(sql, team, personId, listenersOf(sql));
    const left = () =>
      sql`select order_id from placed_order where team_id = ${team} and person_id = ${personId}`;
    await expect.poll(left).toEqual([{ order_id: 'o-2' }]);
    // Erasing waits for the locked order now, and has locked the others. No report has to wait for it.
    for (const more of [
      { orderId: 'new' },
      { orderId: 'other', email: 'bob@buyer.example', name: undefined, visitorId: undefined },
    ])
      expect((await shop.report({ ...ofAnn, ...more })).body.data.isNew).toBe(true);
    expect((await shop.report({ orderId: 'o-1' })).body.error.code).toBe('order_conflict');
    return { erasing: started };
  });
  expect(await erasing).toEqual({ orders: 5, subscriptions: 0 });
  expect(await traces(shop)).toEqual([{ r: expect.stringContaining('bob@buyer.example') }]);
});

test('all orders of a buyer are erased, more than go into one step, and those that are stored meanwhile', {
  tags: ['all'],
}, async ({ shop }) => {
  const { sql, team } = shop;
  const personId = await addBuyer(shop, 1);
  await placeOrders(sql, team, Array(1_200).fill(ofAnn));
  const [erased, ...answers] = await Promise.all([
    erasePerson(sql, team, personId, listenersOf(sql)),
    ...Array.from({ length: 50 }, () => shop.report(ofAnn)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(erased.orders).toBeGreaterThanOrEqual(1_201);
  // An order after the erasure is a new purchase, of a new person.
  const stored = await shop.stored();
  const kept = stored.filter((order) => order.personId === personId);
  expect([erased.orders + kept.length, stored.length]).toEqual([1_251, 1_251]);
  const erasedOrders = stored.filter((order) => order.personId !== personId);
  expect(erasedOrders.filter(({ name, visitorId }) => name !== null || visitorId !== null)).toEqual([]);
});

test('somebody is erased whose only report waits for its order', async ({ shop }) => {
  await shop.report({ orderId: 'o-1' });
  const bob = { orderId: 'o-1', email: 'bob@buyer.example', name: 'Bob' };
  expect((await shop.report(bob)).body.error.code).toBe('order_conflict');
  expect(await mentions(shop, 'bob@')).toBe(1);
  expect((await shop.command('person', 'erase', '--email', bob.email)).code).toBe(0);
  expect(await mentions(shop, 'bob@')).toBe(0);
  expect(await shop.stored()).toMatchObject([{ email: 'ann@buyer.example', amount: '49.9' }]);
});

test('a person whom another removal has taken, and an order brought back meanwhile, stays', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const personId = await addBuyer(shop, 1);
  await erasePerson(sql, team, personId, listenersOf(sql));
  // Her next order is stored after the removal has looked for orders.
  const reportAt = (tx: Sql): Sql =>
    new Proxy(tx, {
      apply(target, self, given) {
        const run = () => Reflect.apply(target, self, given);
        return String(given[0][0]).startsWith('/* removeSubscriptions */')
          ? shop.report(ofAnn).then(run)
          : run();
      },
    });
  const removed = await inTransaction(sql, (tx) =>
    removePerson(reportAt(tx), team, personId, listenersOf(sql)),
  );
  expect(removed).toBe(0);
  const [lost] = await sql`
    select count(*)::int as orders from placed_order o where team_id = ${team} and not exists (
      select from person where team_id = ${team} and id = o.person_id)`;
  expect(lost).toEqual({ orders: 0 });
  expect((await shop.report(ofAnn)).status).toBe(200);
});

test('looking for a buyer’s orders reads no others', { tags: ['all'] }, async ({ shop }) => {
  const { sql, team } = shop;
  const personId = await addBuyer(shop, 1);
  const crowd = Array.from({ length: 2_000 }, (_, n) => ({ email: `${n}@crowd.example` }));
  await placeOrders(sql, team, crowd);
  await sql`analyze placed_order`;
  const plan = await sql`
    explain select id from placed_order where team_id = ${team} and person_id = ${personId} limit 500 for update`;
  expect(JSON.stringify(plan)).toMatch(/Index Scan using placed_order_person/);
});
