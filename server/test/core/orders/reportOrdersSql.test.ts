import { expect, inject } from 'vitest';
import { startServerForTest } from '../../kit/server.js';
import { openShop, test } from '../../kit/shop.js';

/** The statement in its form for pages that name their orders, as PostgreSQL has prepared it. To run it in psql, see `\bind`. */
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
