import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/** Lists the column names of a table, in the table's order. */
export async function listColumns(sql: Sql, table: Table): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listColumns */
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`;
  return rows.map(({ name }) => name);
}
