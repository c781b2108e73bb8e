import type { Sql } from '../database/connect.js';

/** Makes the table in which people wait to be added together; only this transaction sees it, and it ends with it. */
export async function createStage(sql: Sql): Promise<void> {
  await sql`/* createStage */
    create temporary table staged_person (id uuid primary key, email text not null, name text) on commit drop`;
}
