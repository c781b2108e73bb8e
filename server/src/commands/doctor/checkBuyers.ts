import type { Sql } from '../../database/connection/connect.js';
import { countOrdersWithoutBuyer } from '../../orders/sql/ordersWithoutBuyer.js';
import { type Check, fail, pass } from '../../site/checks/check.js';
import type { Uuid } from '../../values/ids.js';

/**
 * Checks that each order of a team, of the newest million, has its buyer's row. No foreign key says so (migration
 * 000038): a restored or edited database may lack some, and lists leave out an order without its buyer.
 */
export async function checkBuyers(sql: Sql, team: Uuid): Promise<Check> {
  const orders = await countOrdersWithoutBuyer(sql, team);
  if (orders === 0) return pass('buyers', 'Every order has its buyer.');
  return fail(
    'buyers',
    `${orders} ${orders === 1 ? 'order has' : 'orders have'} no row of a buyer: the sums count them, and no list shows them.`,
    `Restore the rows from a backup, or show them as orders of erased people, in psql: insert into person (team_id, id) select distinct team_id, person_id from placed_order o where team_id = '${team}' and not exists (select from person p where p.team_id = o.team_id and p.id = o.person_id);`,
  );
}
