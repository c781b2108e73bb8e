import type { Sql } from '../../database/connection/connect.js';

/** The state of a database. */
export interface DatabaseState {
  /** Such as `18.4`. */
  version: string;
  sizeBytes: number;
  /** Its clock, in Unix milliseconds. */
  clockMs: number;
  /** True for a standby, and where `default_transaction_read_only` is on. */
  isReadOnly: boolean;
}

/** Reads version, size and clock, and if it takes writes. */
export async function readDatabaseState(sql: Sql): Promise<DatabaseState> {
  const [state] = await sql<[DatabaseState]>`/* readDatabaseState */
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs",
      current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
  return state;
}
