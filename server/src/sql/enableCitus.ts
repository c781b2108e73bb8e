import type { Sql } from '../database/connect.js';

/** Creates the extension Citus where it is offered and not yet there; a superuser's business elsewhere. */
export async function enableCitus(sql: Sql): Promise<void> {
  await sql`/* enableCitus */ create extension if not exists citus`;
}
