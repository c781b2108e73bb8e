import type { Sql } from '../../database/connection/connect.js';

/**
 * Rejects if the database takes no writes. It only reads a setting: Citus runs no statement that writes into several
 * tables, and a worker that is down affects only its own teams.
 */
export async function tryStoringDistributed(sql: Sql): Promise<void> {
  const [{ isReadOnly }] = await sql<[{ isReadOnly: boolean }]>`/* tryStoringDistributed */
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
  if (isReadOnly) throw Object.assign(new Error('The database is read-only'), { code: '25006' });
}
