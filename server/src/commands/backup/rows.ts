import type { Readable } from 'node:stream';
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

/**
 * Streams a table's rows as JSON, one line per row, no faster than they are consumed. A consumer that stops
 * early still drains the remaining rows; until then the connection cannot even roll back. COPY writes CSV with a
 * quote and a delimiter that JSON text never contains, so it changes nothing. A line break in JSON text is only
 * white space between tokens, so a space can replace it.
 */
export async function* copyRows(sql: Sql, table: Table): AsyncGenerator<Buffer> {
  const query = sql`/* copyRows */
    copy (select translate(row_to_json(r)::text, e'\\n\\r', '  ') from ${sql(table)} r)
    to stdout with (format csv, delimiter e'\\x02', quote e'\\x01')`;
  const rows = await listeningEarly(query).readable();
  try {
    for await (const bytes of rows.iterator({ destroyOnReturn: false })) yield bytes;
  } finally {
    try {
      for await (const _ of rows);
    } finally {
      // postgres.js 3.4.9 pauses its socket when the stream is full and resumes it on the next read. After the
      // last rows, and after an error, there is no next read, so this one resumes the socket.
      rows._read(0);
    }
  }
}

/**
 * Lets a query listen for errors of its stream from its beginning. postgres.js 3.4.9 tells an error that came in the same
 * packet before the caller has the stream, which ended the process. The caller's iterator throws it all the same.
 */
function listeningEarly<Query>(query: Query): Query {
  const streaming = query as { resolve(rows: Readable): void };
  const { resolve } = streaming;
  streaming.resolve = (rows) => {
    // It is called again after the last row, with no stream.
    streaming.resolve = resolve;
    resolve(rows.on('error', () => {}));
  };
  return query;
}

/** Inserts rows in the form of `copyRows`, joined by commas, into the given columns. Every value stays the same. */
export async function insertRows(sql: Sql, table: Table, columns: string[], rows: string): Promise<void> {
  await sql`/* insertRows */
    insert into ${sql(table)} (${sql(columns)})
    select ${sql(columns)} from json_populate_recordset(null::${sql(table)}, ${`[${rows}]`}::text::json)`;
}
