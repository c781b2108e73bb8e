import type { Sql } from '../src/database/connect.js';
import type { Costs } from './inTurn.js';
import { count, notify, ratio, row, us } from './table.js';

/** Prints what an order costs while the team has that many others, beside the cost on an empty table. */
export async function measureGrowth(
  sql: Sql,
  sizes: number[],
  { teamUuid, personUuid }: { teamUuid: string; personUuid: string },
  measureOrders: () => Promise<Costs>,
): Promise<void> {
  row('stored orders', 'orders/s', 'of empty', 'Node CPU', 'PostgreSQL');
  const measureAfterVacuum = async () => {
    await sql`vacuum analyze placed_order`;
    await sql`checkpoint`;
    return measureOrders();
  };
  const show = (stored: number, { perSecond, nodeUs, databaseUs }: Costs) =>
    row(count(stored), count(perSecond), ratio(perSecond, empty.perSecond), us(nodeUs), us(databaseUs));
  await sql`truncate placed_order`;
  const empty = await measureAfterVacuum();
  show(0, empty);
  let stored = 0;
  for (const size of sizes) {
    await sql`insert into placed_order (team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, visitor_id, is_test, reported_by, created_at)
      select ${teamUuid}, uuidv7(interval '-1 day'), 'ORD-' || upper(substr(md5(n::text), 1, 12)), ${personUuid}, 'stored-' || n, null, 10, 'USD', 'OTHER', 'v', false, 'key', now() - interval '1 day'
      from generate_series(${stored + 1}::int, ${size}::int) n`;
    stored = size;
    show(size, await measureAfterVacuum());
  }
  notify('');
}
