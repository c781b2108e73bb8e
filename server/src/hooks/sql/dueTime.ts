import type { Sql } from '../../database/connection/connect.js';

// Conditions for rows of `hook_delivery`. A delivery that could not be attempted for three days is given up.

/** True for a delivery that is due. */
export const isDue = (sql: Sql) => sql`next_at between now() - interval '3 days' and now()`;

/** True for a delivery that was due for three days. */
export const isOverdue = (sql: Sql) => sql`next_at < now() - interval '3 days'`;

/** True for a delivery that is in no attempt. One is claimed for a minute, so what is due within that may be in flight. */
export const isNotDue = (sql: Sql) =>
  sql`(next_at is null or next_at > now() + interval '1 minute' or ${isOverdue(sql)})`;
