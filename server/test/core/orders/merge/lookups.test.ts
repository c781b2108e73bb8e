import { expect } from 'vitest';
import { loadNeighbours } from '../../../../src/core/orders/merge/sql/loadNeighbours.js';
import { reachesMore } from '../../../../src/core/orders/merge/sql/reachesMore.js';
import { listAwaited, listMeant } from '../../../../src/core/orders/merge/waiting.js';
import type { Sql } from '../../../../src/database/connection/connect.js';
import { inTransaction } from '../../../../src/database/inTransaction.js';
import { newUuid } from '../../../../src/values/ids.js';
import { type Explained, explainAll, mostRows } from '../../../kit/explained.js';
import { placeOrder } from '../../../kit/placeOrder.js';
import { test } from '../../../kit/shop.js';

/** Adds orders of one team, each with a statement, a former number, and an id of a payment. */
async function addOrders(sql: Sql, team: string, count: number): Promise<void> {
  await sql`
    create temporary table added on commit drop as
    select gen_random_uuid() as id, i from generate_series(1, ${count}::int) i`;
  await sql`
    insert into placed_order (team_id, id, order_number, order_id, person_id, amount, currency, source, is_test, reported_by, created_at)
    select ${team}, id, 'ORD-' || i, 'many-' || i, ${newUuid()}, 1, 'USD', 'OTHER', false, 'key', now() from added`;
  await sql`
    insert into statement (team_id, is_test, object, placed_order_id, said)
    select ${team}, false, 'ch_many_' || i, id, '{"object":"","names":[],"kind":"charge"}' from added`;
  await sql`
    insert into order_key (team_id, is_test, kind, key, object, placed_order_id)
    select ${team}, false, kind, name || i, 'ch_many_' || i, id
    from added, (values ('number', 'once-'), ('provider', 'ch_many_')) as names (kind, name)`;
  for (const table of ['placed_order', 'statement', 'order_key', 'refund', 'person'])
    await sql.unsafe(`analyze ${table}`);
}

const rowsAtMost = 100;

test('the orders that a new order meets are found by indexes soon after the first ones', ({ shop }) =>
  inTransaction(shop.sql, async (tx) => {
    const { team } = shop;
    await addOrders(tx, team, 400);
    const names = [
      { kind: 'number', value: 'new' },
      { kind: 'report', value: 'new' },
    ] as const;
    const plans: Explained[] = [];
    const explained = explainAll(tx, plans, 'explain (analyze, costs off, timing off, buffers off)');
    await loadNeighbours(explained, team, false, { names, objects: ['page:new'], orderIds: [newUuid()] });
    const known = { orderIds: [newUuid()], objects: ['page:new'], newObjects: ['page:new'] };
    await reachesMore(explained, team, false, names, known);
    expect(plans.map(({ name }) => name)).toEqual(['loadNeighbours', 'reachesMore']);
    for (const { name, plan } of plans)
      expect([name, plan, mostRows(plan) < rowsAtMost]).toEqual([name, plan, true]);
  }).then(() => {}));

// Among fewer orders PostgreSQL may read all.
test(
  'the orders that a report meets, and what waits, are found among 200,000 orders by indexes',
  { tags: ['long'] },
  ({ shop }) =>
    inTransaction(shop.sql, async (tx) => {
      const { team } = shop;
      await addOrders(tx, team, 200_000);
      const id = await placeOrder(tx, team, { orderId: 'one' });
      await tx`
        insert into order_key (team_id, is_test, kind, key, object)
        select ${team}, false, 'number', 'unknown-' || i, 'refund:' || i from generate_series(1, 10) i`;
      const plans: Explained[] = [];
      const explained = explainAll(tx, plans, 'explain (analyze, costs off, timing off, buffers off)');
      await loadNeighbours(explained, team, false, {
        names: [
          { kind: 'number', value: 'one' },
          { kind: 'number', value: 'once-7' },
          { kind: 'shopOrder', value: 'many-8' },
          { kind: 'provider', value: 'ch_many_9' },
          { kind: 'report', value: 'none' },
          { kind: 'idempotency', value: 'none' },
        ],
        objects: ['ch_many_10', 'page:none'],
        orderIds: [id],
      });
      await listMeant(explained, team, [id]);
      await listAwaited(explained, team);
      expect(plans.map(({ name }) => name)).toEqual(['loadNeighbours', 'listMeant', 'listAwaited']);
      for (const { name, plan } of plans)
        expect([name, plan, mostRows(plan) < rowsAtMost]).toEqual([name, plan, true]);
    }).then(() => {}),
);
