import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/** Inserts rows in the form of `copyRows`, joined by commas, into the given columns. Every value stays the same. */
export async function insertRows(sql: Sql, table: Table, columns: string[], rows: string): Promise<void> {
  await sql`/* insertRows */
    insert into ${sql(table)} (${sql(columns)})
    select ${sql(columns)} from json_populate_recordset(null::${sql(table)}, ${`[${rows}]`}::text::json)`;
}
