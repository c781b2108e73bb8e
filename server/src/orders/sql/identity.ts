import type { Sql } from '../../database/connection/connect.js';

/**
 * An order's Idempotency-Key, as an expression that the unique index on it has too. A server of release 0.1.0 keeps
 * it in `report_id`.
 */
export const idempotencyKeyOf = (sql: Sql) =>
  sql`coalesce(idempotency_key, case when reported_by = 'key' then report_id end)`;

/** An order's reportId, which is a page's: see `idempotencyKeyOf` for what else its column may hold. */
export const reportIdOf = (sql: Sql) => sql`case when reported_by <> 'key' then report_id end`;
