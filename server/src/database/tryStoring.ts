import { choosePlaced } from '../features/citus/placement.js';
import type { Sql } from './connection/connect.js';

/**
 * Makes a function that rejects, as the statement of a new order would, where the connection is refused, the database takes
 * no writes, or a right is missing; it waits for a locked table. It inserts no row, so that it writes nothing to the disk. On a Citus cluster it tells of
 * the first two alone.
 * @param watch a pool that is asked where the tables lie
 */
export function createTryStoring(watch: Sql): (sql: Sql) => Promise<unknown> {
  return choosePlaced<[Sql], unknown>(watch, {
    local: (sql: Sql) => sql`/* tryStoring */
      with stored as (insert into placed_order select * from placed_order where false),
        keyed as (insert into order_key select * from order_key where false),
        met as (insert into person select * from person where false)
      insert into hook_delivery select * from hook_delivery where false`,
    // Citus takes no statement that writes into several tables, and a worker that is down concerns its own teams alone.
    async distributed(sql: Sql) {
      const [{ isReadOnly }] = await sql<[{ isReadOnly: boolean }]>`/* tryStoringDistributed */
        select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
      if (isReadOnly) throw Object.assign(new Error('The database is read-only'), { code: '25006' });
    },
  });
}
