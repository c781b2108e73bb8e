import type { Candidate } from './candidate.js';
import { fillOrders } from './fillOrders.js';
import type { Costs } from './inTurn.js';
import { count, notify, ratio, row, us } from './table.js';

/**
 * Prints the cost of an order while the team has that many others, beside the cost on the empty table of `empty`. Both
 * take turns, so that a slow minute of the machine slows both.
 * @param warmUp loads both for a while: PostgreSQL writes each page whole that changes for the first time after a
 * checkpoint, and large indexes have many
 * @param measureBoth measures both in turn
 */
export async function measureGrowth(
  sizes: number[],
  { grown, empty }: { grown: Candidate; empty: Candidate },
  personUuid: string,
  warmUp: () => Promise<unknown>,
  measureBoth: () => Promise<Record<'grown' | 'empty', Costs>>,
): Promise<void> {
  row('stored orders', 'orders/s', 'of empty', 'Node CPU', 'PostgreSQL', 'empty/s', 'Node CPU', 'PostgreSQL');
  await grown.sql`truncate placed_order`;
  let stored = 0;
  for (const size of sizes) {
    await fillOrders(grown.sql, personUuid, stored + 1, size);
    stored = size;
    await empty.sql`truncate placed_order`;
    for (const { sql } of [grown, empty]) {
      await sql`vacuum analyze placed_order`;
      await sql`checkpoint`;
    }
    await warmUp();
    const costs = await measureBoth();
    row(
      count(size),
      count(costs.grown.perSecond),
      ratio(costs.grown.perSecond, costs.empty.perSecond),
      us(costs.grown.nodeUs),
      us(costs.grown.databaseUs),
      count(costs.empty.perSecond),
      us(costs.empty.nodeUs),
      us(costs.empty.databaseUs),
    );
  }
  notify('');
}
