import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/**
 * Streams a table's rows as JSON, one line per row, no faster than they are consumed. A consumer that stops
 * early still drains the remaining rows; until then the connection cannot even roll back. COPY writes CSV with a
 * quote and a delimiter that JSON text never contains, so it changes nothing. A line break in JSON text is only
 * white space between tokens, so a space can replace it.
 */
export async function* copyRows(sql: Sql, table: Table): AsyncGenerator<Buffer> {
  const rows = await sql`/* copyRows */
    copy (select translate(row_to_json(r)::text, e'\\n\\r', '  ') from ${sql(table)} r)
    to stdout with (format csv, delimiter e'\\x02', quote e'\\x01')`.readable();
  try {
    for await (const bytes of rows.iterator({ destroyOnReturn: false })) yield bytes;
  } finally {
    for await (const _ of rows);
    // postgres.js 3.4.9 pauses its socket when the stream is full and resumes it on the next read. After the
    // last rows there is no next read, so this one resumes the socket.
    rows._read(0);
  }
}
