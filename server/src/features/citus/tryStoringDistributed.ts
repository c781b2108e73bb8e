import type { Sql } from '../../database/connection/connect.js';

/**
 * Rejects where the database takes no writes. Citus takes no statement that writes into several tables, and a worker that is
 * down concerns its own teams alone.
 */
export async function tryStoringDistributed(sql: Sql): Promise<void> {
  const [{ isReadOnly }] = await sql<[{ isReadOnly: boolean }]>`/* tryStoringDistributed */
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
  if (isReadOnly) throw Object.assign(new Error('The database is read-only'), { code: '25006' });
}
