import { expect, onTestFinished } from 'vitest';
import { erasePerson } from '../../../src/commands/eraseBuyer.js';
import { eraseOrders } from '../../../src/core/orders/store/sql/placedOrder.js';
import { removeEmptyPeople, removePerson } from '../../../src/core/people/sql/person.js';
import type { Sql } from '../../../src/database/connection/connect.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { decodeId, newUuid } from '../../../src/values/ids.js';
import { listenersOf } from '../../kit/listeners.js';
import { findWaitsBehind } from '../../kit/lockWaits.js';
import { placeOrder } from '../../kit/placeOrder.js';
import { type Shop, test } from '../../kit/shop.js';

/** Adds a buyer by an order that is removed again, so that only the buyer's row is left. */
async function addBuyerWithoutOrders({ report, sql, team }: Shop) {
  const { peopleId } = (await report({ orderId: 'first' })).body.data;
  await sql`delete from placed_order where team_id = ${team}`;
  return decodeId('ppl', peopleId)!;
}

/** Lists the order ids of a shop with their buyers' emails: null for an erased one, undefined if the buyer is missing. */
const buyersOf = async ({ sql, team }: Shop) => {
  const rows = await sql`
    select order_id as "orderId", email, p.id is not null as "hasBuyer" from placed_order o
    left join person p on p.team_id = o.team_id and p.id = o.person_id where o.team_id = ${team}`;
  return rows.map(({ orderId, email, hasBuyer }) => [orderId, hasBuyer ? email : undefined]);
};

/** Stores an order for a known buyer as the statement of reports does. Commits once `waiting` waits for it. */
const storeBeside = <Waiting>({ sql, team }: Shop, personId: string, waiting: () => Promise<Waiting>) =>
  inTransaction(sql, async (storing) => {
    await placeOrder(storing, team, { orderId: 'meanwhile' });
    await storing`
      insert into person (team_id, id, email) values (${team}, ${personId}, 'ann@buyer.example')
      on conflict (team_id, id) do update set name = excluded.name where false`;
    const running = waiting();
    await expect.poll(() => findWaitsBehind(sql, storing)).not.toEqual([]);
    return { running };
  });

test('a person with orders is not removed', async ({ shop }) => {
  const personId = await addBuyerWithoutOrders(shop);
  await shop.report({ orderId: 'kept' });
  const removing = inTransaction(shop.sql, (tx) => removePerson(tx, shop.team, personId, listenersOf(tx)));
  expect(await removing).toBe(null);
  expect(await buyersOf(shop)).toEqual([['kept', 'ann@buyer.example']]);
});

test('an order that is being stored while its buyer is erased keeps a buyer', async ({ shop }) => {
  const { sql, team } = shop;
  const personId = await addBuyerWithoutOrders(shop);
  const { running } = await storeBeside(shop, personId, () =>
    erasePerson(sql, team, personId, listenersOf(sql)),
  );
  expect(await running).toEqual({ orders: 1, subscriptions: 0 });
  expect(await buyersOf(shop)).toEqual([['meanwhile', null]]);
});

test('an order that is being stored while its buyer’s last other order goes to somebody else keeps its buyer', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const personId = await addBuyerWithoutOrders(shop);
  const { running } = await storeBeside(shop, personId, () =>
    inTransaction(sql, (tx) => removeEmptyPeople(tx, team, [personId])),
  );
  await running;
  expect(await buyersOf(shop)).toEqual([['meanwhile', 'ann@buyer.example']]);
});

test('an order that a later step of an erasure takes keeps its nobody, whose other order goes meanwhile', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const { peopleId } = (await shop.report({ orderId: 'first' })).body.data;
  const unknownBuyer = newUuid();
  const erase = (tx: Sql) => eraseOrders(tx, team, decodeId('ppl', peopleId)!, unknownBuyer, listenersOf(tx));
  await inTransaction(sql, erase);
  await shop.report({ orderId: 'second' });
  const { merging } = await inTransaction(sql, async (erasing) => {
    expect(await erase(erasing)).toBe(1);
    const absorbing = inTransaction(sql, async (tx) => {
      await tx`delete from placed_order where team_id = ${team} and order_id = 'first'`;
      await removeEmptyPeople(tx, team, [unknownBuyer]);
    });
    await expect.poll(() => findWaitsBehind(sql, erasing)).not.toEqual([]);
    return { merging: absorbing };
  });
  await merging;
  expect(await buyersOf(shop)).toEqual([['second', null]]);
});

test('an order that is being stored for a known buyer while its team is removed goes with the team', async ({
  shop,
}) => {
  const personId = await addBuyerWithoutOrders(shop);
  const { running } = await storeBeside(shop, personId, () =>
    shop.command('team', 'remove', '--delete-live-orders'),
  );
  expect(await running).toMatchObject({ code: 0 });
  expect(await buyersOf(shop)).toEqual([]);
});

test('a report that comes while its buyer is removed waits, and its buyer is a new person then', async ({
  shop,
}) => {
  const personId = await addBuyerWithoutOrders(shop);
  const { reporting } = await inTransaction(shop.sql, async (removing) => {
    await removePerson(removing, shop.team, personId, listenersOf(removing));
    const sent = shop.report({ orderId: 'meanwhile' });
    await expect.poll(() => findWaitsBehind(shop.sql, removing)).not.toEqual([]);
    return { reporting: sent };
  });
  expect((await reporting).status).toBe(200);
  expect(await buyersOf(shop)).toEqual([['meanwhile', 'ann@buyer.example']]);
});

test('buyers who order while they are erased again and again lose no order, and no order its buyer', {
  tags: ['all'],
}, async ({ shop }) => {
  const emails = ['ann', 'bob', 'eve'].map((name) => `${name}@buyer.example`);
  const buyers = await Promise.all(
    emails.map(async (email) => decodeId('ppl', (await shop.report({ email })).body.data.peopleId)!),
  );
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const erasing = buyers.map(async (personId) => {
    let rounds = 0;
    for (; !isOver; rounds++) await erasePerson(shop.sql, shop.team, personId, listenersOf(shop.sql));
    return rounds;
  });
  for (let n = 0; n < 40; n++) {
    const answers = await Promise.all(emails.map((email) => shop.report({ email })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  isOver = true;
  expect(Math.min(...(await Promise.all(erasing)))).toBeGreaterThan(0);
  const orders = await buyersOf(shop);
  expect(orders).toHaveLength(123);
  expect(orders.filter(([, email]) => email === undefined)).toEqual([]);
});

test('orders of two buyers who order on, corrected by keys to each other’s buyer, wait in no circle', async ({
  shop,
}) => {
  const { sql } = shop;
  const deadlocks = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
    return row!.deadlocks;
  };
  const [ann, bob] = ['ann@buyer.example', 'bob@buyer.example'] as const;
  for (const email of [ann, bob]) expect((await shop.report({ email })).status).toBe(200);
  const before = await deadlocks();
  let isOver = false;
  const others = [ann, bob, ann, bob].map(async (email) => {
    while (!isOver) expect((await shop.report({ email })).status).toBe(200);
  });
  for (let round = 0; round < 6; round++) {
    const orders = [0, 1, 2, 3].map((n) => ({
      orderId: `c${round}-${n}`,
      emails: n % 2 ? [ann, bob] : [bob, ann],
    }));
    await Promise.all(orders.map(({ orderId, emails }) => shop.report({ orderId, email: emails[0] })));
    await Promise.all(orders.map(({ orderId, emails }) => shop.reportByKey({ orderId, email: emails[1] })));
  }
  isOver = true;
  await Promise.all(others);
  expect(await deadlocks()).toBe(before);
  const emails = new Map((await buyersOf(shop)) as [string, string | null][]);
  expect([emails.get('c0-0'), emails.get('c0-1')]).toEqual([ann, bob]);
});
