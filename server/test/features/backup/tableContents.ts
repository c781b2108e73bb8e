import { connect } from '../../../src/database/connection/connect.js';
import { tables } from '../../../src/database/tables.js';

/** Reads every row of every table of a database as text. Equal data gives equal text. */
export async function tableContents(url: string): Promise<Record<string, string[]>> {
  const sql = connect(url, 1);
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await sql<{ row: string }[]>`select r::text as row from ${sql(table)} r`;
    found[table] = rows.map(({ row }) => row).sort();
  }
  await sql.end();
  return found;
}
