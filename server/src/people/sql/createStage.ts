import type { Sql } from '../../database/connection/connect.js';

/** Creates the temporary table that collects people before they are added. It is dropped when the transaction ends. */
export async function createStage(sql: Sql): Promise<void> {
  await sql`/* createStage */
    create temporary table staged_person (id uuid primary key, email text not null, name text) on commit drop`;
}
