import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { erasePerson } from '../src/commands/personErase.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { removePerson } from '../src/people/sql/person.js';
import { decodeId } from '../src/values/ids.js';
import { findWaitsBehind } from './lockWaits.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A team with a buyer of one order, which is discarded again, so that only the buyer's row is left. */
async function addBuyerWithoutOrders() {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const report = { teamId, email: 'ann@buyer.example', amount: 1 };
  const { body } = await server.report({ ...report, orderId: 'first' });
  await server.sql`delete from placed_order where team_id = ${uuid}`;
  return { uuid, teamId, report, personId: decodeId('ppl', body.data.peopleId)! };
}

/** The order ids of a team with the emails of their buyers; an order whose buyer has no row has no email here. */
const ordersOf = (uuid: string) => server.sql`
  select order_id, email from placed_order o left join person p on p.team_id = o.team_id and p.id = o.person_id
  where o.team_id = ${uuid} order by order_id`;

it('a person with orders cannot be removed, in any statement', async () => {
  const { uuid, report, personId } = await addBuyerWithoutOrders();
  await server.report({ ...report, orderId: 'kept' });
  const removing = inTransaction(server.sql, (tx) => removePerson(tx, uuid, personId));
  await expect(removing).rejects.toMatchObject({ code: '23503' });
  expect(await ordersOf(uuid)).toEqual([{ order_id: 'kept', email: report.email }]);
});

it('an order that is being stored while its buyer is erased keeps a buyer', async () => {
  const buyer = await addBuyerWithoutOrders();
  // As the statement that stores an order does it, with the commit still to come.
  const { erasing } = await inTransaction(server.sql, async (storing) => {
    await storing`
      insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, is_test,
        reported_by, created_at)
      values (${buyer.uuid}, gen_random_uuid(), 'ORD-1', ${buyer.personId}, 'meanwhile', 1, 'USD', 'OTHER', false,
        'browser', now())`;
    await storing`
      insert into person (team_id, id, email) values (${buyer.uuid}, ${buyer.personId}, ${buyer.report.email})
      on conflict (team_id, id) do update set name = excluded.name where false`;
    const running = erasePerson(server.sql, buyer.uuid, buyer.personId);
    await expect.poll(() => findWaitsBehind(server.sql, storing)).not.toEqual([]);
    return { erasing: running };
  });
  expect(await erasing).toEqual({ orders: 1, subscriptions: 0 });
  expect(await ordersOf(buyer.uuid)).toEqual([{ order_id: 'meanwhile', email: null }]);
  // The row without an email, not the lack of a row.
  expect(
    await server.sql`select from placed_order o join person p on p.team_id = o.team_id and p.id = o.person_id
      where o.team_id = ${buyer.uuid}`,
  ).toHaveLength(1);
});

it('a report that comes while its buyer is removed waits, and its buyer is a new person then', async () => {
  const { uuid, report, personId } = await addBuyerWithoutOrders();
  const { reporting } = await inTransaction(server.sql, async (removing) => {
    await removePerson(removing, uuid, personId);
    const sent = server.report({ ...report, orderId: 'meanwhile' });
    await expect.poll(() => findWaitsBehind(server.sql, removing)).not.toEqual([]);
    return { reporting: sent };
  });
  expect((await reporting).status).toBe(200);
  expect(await ordersOf(uuid)).toEqual([{ order_id: 'meanwhile', email: report.email }]);
});

it('buyers who order while they are erased again and again lose no order, and no order its buyer', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const emails = ['ann', 'bob', 'eve'].map((name) => `${name}@buyer.example`);
  const buyers = await Promise.all(
    emails.map(async (email) => {
      const { body } = await server.report({ teamId, email, amount: 1, orderId: `first ${email}` });
      return decodeId('ppl', body.data.peopleId)!;
    }),
  );
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const erasing = buyers.map(async (personId) => {
    let rounds = 0;
    for (; !isOver; rounds++) await erasePerson(server.sql, uuid, personId);
    return rounds;
  });
  for (let n = 0; n < 40; n++) {
    const answers = await Promise.all(
      emails.map((email) => server.report({ teamId, email, amount: 1, orderId: `${n} ${email}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  isOver = true;
  expect(Math.min(...(await Promise.all(erasing)))).toBeGreaterThan(0);
  const orders = await server.sql`
    select p.id is not null as "hasBuyer" from placed_order o
    left join person p on p.team_id = o.team_id and p.id = o.person_id where o.team_id = ${uuid}`;
  expect(orders.map(({ hasBuyer }) => hasBuyer)).toEqual(Array(123).fill(true));
});
