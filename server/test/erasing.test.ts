import { afterAll, beforeAll, expect, it } from 'vitest';
import { erasePerson } from '../src/commands/personErase.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { decodeId } from '../src/values/ids.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A team with a buyer of as many orders. */
async function addBuyer(orders: number) {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const report = { teamId, email: 'ann@buyer.example', amount: 1, name: 'Ann', visitorId: 'v-ann' };
  const answers = await Promise.all(
    Array.from({ length: orders }, (_, n) => server.report({ ...report, orderId: `o-${n}` })),
  );
  const personId = decodeId('ppl', answers[0]!.body.data.peopleId)!;
  return { uuid, report, personId };
}

const traces = (uuid: string) => server.sql`
  select r::text from placed_order r where team_id = ${uuid} and (name is not null or visitor_id is not null)
  union all select r::text from person r where team_id = ${uuid} and email is not null`;

it('while a buyer is erased, their next order and their team’s are stored, however long one of the orders is locked', async () => {
  const { uuid, report, personId } = await addBuyer(4);
  const { sql } = server;
  const { erasing } = await inTransaction(sql, async (holding) => {
    await holding`select from placed_order where team_id = ${uuid} and order_id = 'o-2' for update`;
    const started = erasePerson(sql, uuid, personId);
    const left = () =>
      sql`select order_id from placed_order where team_id = ${uuid} and person_id = ${personId}`;
    await expect.poll(left).toEqual([{ order_id: 'o-2' }]);
    // Erasing waits for the locked order now, and has the others: nobody has to wait for it.
    for (const more of [
      { orderId: 'new' },
      { orderId: 'other', email: 'bob@buyer.example', name: undefined, visitorId: undefined },
    ])
      expect((await server.report({ ...report, ...more })).body.data.isNew).toBe(true);
    expect((await server.report({ ...report, orderId: 'o-1' })).body.error.code).toBe('order_conflict');
    return { erasing: started };
  });
  expect(await erasing).toEqual({ orders: 5, subscriptions: 0 });
  expect(await traces(uuid)).toEqual([{ r: expect.stringContaining('bob@buyer.example') }]);
});

it('all orders of a buyer are erased, more than go into one step, and those that are stored meanwhile', async () => {
  const { uuid, report, personId } = await addBuyer(1);
  await server.sql`
    insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, name, is_test,
      reported_by, created_at)
    select team_id, gen_random_uuid(), 'ORD-' || n, person_id, 'many-' || n, 1, 'USD', 'OTHER', 'Ann', false, 'key', now()
    from placed_order, generate_series(1, 1200) n where team_id = ${uuid}`;
  const [erased, ...answers] = await Promise.all([
    erasePerson(server.sql, uuid, personId),
    ...Array.from({ length: 50 }, (_, n) => server.report({ ...report, orderId: `meanwhile-${n}` })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(erased.orders).toBeGreaterThanOrEqual(1201);
  // What came after the erasure is a new purchase, of a new person.
  const kept = await server.sql`
    select count(*)::int as orders from placed_order where team_id = ${uuid} and person_id = ${personId}`;
  expect(erased.orders + kept[0]!.orders).toBe(1251);
  expect(
    await server.sql`select order_id from placed_order
      where team_id = ${uuid} and person_id <> ${personId} and (name is not null or visitor_id is not null)`,
  ).toEqual([]);
});

it('looking for a buyer’s orders reads no others', async () => {
  const { uuid, personId } = await addBuyer(1);
  const { sql } = server;
  await sql`
    insert into person (team_id, id, email)
    select ${uuid}, gen_random_uuid(), n || '@crowd.example' from generate_series(1, 2000) n`;
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by,
      created_at)
    select team_id, gen_random_uuid(), 'ORD-' || id, id, 1, 'USD', 'OTHER', false, 'key', now()
    from person where team_id = ${uuid} and email like '%crowd.example'`;
  await sql`analyze placed_order`;
  const plan = await sql`
    explain select id from placed_order where team_id = ${uuid} and person_id = ${personId} limit 500 for update`;
  expect(JSON.stringify(plan)).toMatch(/Index Scan using placed_order_person/);
});
