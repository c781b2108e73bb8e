import type { Sql } from '../../database/connection/connect.js';

/**
 * The Idempotency-Key of an order, as the expression of its unique index. A server of release 0.1.0 keeps it in
 * `report_id`.
 */
export const idempotencyKeyOf = (sql: Sql) =>
  sql`coalesce(idempotency_key, case when reported_by = 'key' then report_id end)`;

/** The reportId of an order, which comes from a page. Its column may hold an Idempotency-Key; see `idempotencyKeyOf`. */
export const reportIdOf = (sql: Sql) => sql`case when reported_by <> 'key' then report_id end`;
