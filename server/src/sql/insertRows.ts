import type { Sql } from '../database/connect.js';
import type { Table } from './tables.js';

/** Inserts rows that `copyRows` has written, joined by commas, with their values in these columns to the byte. */
export async function insertRows(sql: Sql, table: Table, columns: string[], rows: string): Promise<void> {
  await sql`/* insertRows */
    insert into ${sql(table)} (${sql(columns)})
    select ${sql(columns)} from json_populate_recordset(null::${sql(table)}, ${`[${rows}]`}::text::json)`;
}
