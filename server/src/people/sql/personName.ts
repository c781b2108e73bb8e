import type { Sql } from '../../database/connection/connect.js';

/**
 * True, in an `on conflict do update` of `person`, when the new name may take the place of the stored one: any name
 * that of nobody, and one that a key or a command gave that of a page.
 */
export const canReplaceName = (sql: Sql) =>
  sql`excluded.name is not null and (person.name is null or (excluded.name_by_key and not person.name_by_key))`;
