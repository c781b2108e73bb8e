import type { Sql } from '../database/connect.js';
import type { Table } from './tables.js';

/**
 * Streams a table's rows as JSON, a line each, no faster than they are taken. Who takes no more waits until the
 * rest has arrived to no end: before that the connection can do nothing else, not even roll back. In CSV with a
 * quote and a delimiter that JSON never holds, COPY leaves the text as it is; a line break in JSON is only ever
 * a space between its tokens.
 */
export async function* copyRows(sql: Sql, table: Table): AsyncGenerator<Buffer> {
  const rows = await sql`/* copyRows */
    copy (select translate(row_to_json(r)::text, e'\\n\\r', '  ') from ${sql(table)} r)
    to stdout with (format csv, delimiter e'\\x02', quote e'\\x01')`.readable();
  try {
    for await (const bytes of rows.iterator({ destroyOnReturn: false })) yield bytes;
  } finally {
    for await (const _ of rows);
    // postgres.js 3.4.9 pauses its socket when the stream is full, and where that was the last of the rows
    // nothing reads from the stream again, which is what would resume it.
    rows._read(0);
  }
}
