import { expect, inject } from 'vitest';
import { prepareReport } from '../../../src/core/orders/receive/prepareReport.js';
import { createReportOrders } from '../../../src/core/orders/store/sql/reportOrders.js';
import { newUuid } from '../../../src/values/ids.js';
import { startServerForTest } from '../../kit/server.js';
import { openShop, test } from '../../kit/shop.js';

/** Shows the statement for pages with order ids, as PostgreSQL has prepared it. To run it in psql, see `\bind`. */
test.skipIf(inject('isCitus'))(
  'the statement of new orders is the one that can be read beside this test',
  async () => {
    const server = await startServerForTest();
    const shop = await openShop(server);
    expect((await shop.report()).body.data.isNew).toBe(true);
    const prepared = await Promise.all(
      server.pools.orders.map(
        (sql) =>
          sql<{ statement: string }[]>`
        select statement from pg_prepared_statements where statement like '/* reportOrders */%'`,
      ),
    );
    const [statement] = prepared.flat().map((row) => row.statement);
    await expect(`${statement}\n`).toMatchFileSnapshot('reportOrders.sql');
  },
);

test.skipIf(inject('isCitus'))(
  'a text that holds the separator of cells shifts nothing into another order: the whole batch is refused',
  async ({ shop }) => {
    const store = createReportOrders([]);
    const sender = {
      keyHash: null,
      host: new URL(shop.origin).host,
      idempotencyKey: undefined,
      idMs: Date.now(),
    };
    const reportSender = { ...sender, teamId: shop.team, createdAt: new Date().toISOString() };
    const reports = ['o-1', 'o-2'].map((orderId) => {
      const report = {
        teamId: '',
        email: `${orderId}@buyer.example`,
        amount: 5,
        orderId,
        name: 'Ann\x1fBea',
      };
      return prepareReport({ report, extra: null }, reportSender, newUuid());
    });
    await expect(store(shop.sql, shop.team, reports)).rejects.toThrow('separator');
    expect(await shop.sql`select from placed_order where team_id = ${shop.team}`).toHaveLength(0);
  },
);
