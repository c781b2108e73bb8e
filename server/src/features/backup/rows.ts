import type { Readable } from 'node:stream';
import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/** Lists the column names of a table, in their order. */
export async function listColumns(sql: Sql, table: Table): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listColumns */
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`;
  return rows.map(({ name }) => name);
}

/**
 * Streams a table's rows as JSON, one line for each row, no faster than they are read. COPY writes CSV with a quote and
 * a delimiter that JSON never contains, so it changes nothing. A line break in JSON is only white space between tokens,
 * so a space can replace it.
 */
export function copyRows(sql: Sql, table: Table): Promise<Readable> {
  return sql`/* copyRows */
    copy (select translate(row_to_json(r)::text, e'\\n\\r', '  ') from ${sql(table)} r)
    to stdout with (format csv, delimiter e'\\x02', quote e'\\x01')`.readable();
}

/** Inserts rows in the form of `copyRows`, joined by commas, into the given columns. All values stay the same. */
export async function insertRows(sql: Sql, table: Table, columns: string[], rows: string): Promise<void> {
  await sql`/* insertRows */
    insert into ${sql(table)} (${sql(columns)})
    select ${sql(columns)} from json_populate_recordset(null::${sql(table)}, ${`[${rows}]`}::text::json)`;
}
