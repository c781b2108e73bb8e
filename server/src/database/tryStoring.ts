import type { Sql } from './connection/connect.js';

/** Tests if an order could be stored. Rejects if it could not. */
export type TryStoring = (sql: Sql) => PromiseLike<unknown>;

/**
 * Rejects, as the statement of a new order would, if the connection is refused, the database accepts no writes, or a right is
 * missing. Waits for a locked table. Inserts no row, so it writes nothing to the disk.
 */
export const tryStoring: TryStoring = (sql) => sql`/* tryStoring */
  with stored as (insert into placed_order select * from placed_order where false),
    keyed as (insert into order_key select * from order_key where false),
    met as (insert into person select * from person where false)
  insert into hook_delivery select * from hook_delivery where false`;
