import type { Sql } from '../../database/connection/connect.js';
import type { Table } from '../../database/tables.js';

/** A foreign key, and the definition with which it is added again. */
export interface ForeignKey {
  table: Table;
  /** The referenced table. */
  references: Table;
  name: string;
  /** Definition of the foreign key as SQL, such as `FOREIGN KEY (team_id) REFERENCES team(id)`. */
  definition: string;
}

/** Lists the foreign keys of the tables, without those of the shards on this node. */
export function listForeignKeys(sql: Sql, tables: readonly Table[]) {
  return sql<ForeignKey[]>`/* listForeignKeys */
    select relname as table, confrelid::regclass::text as references, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and relnamespace = current_schema()::regnamespace and relname in ${sql([...tables])}
    order by 1, 2`;
}

/** Drops a foreign key. */
export async function dropForeignKey(sql: Sql, { table, name }: ForeignKey): Promise<void> {
  await sql`/* dropForeignKey */ alter table ${sql(table)} drop constraint ${sql(name)}`;
}

/** Adds a foreign key, and checks every row. */
export async function addForeignKey(sql: Sql, { table, name, definition }: ForeignKey): Promise<void> {
  await sql`/* addForeignKey */
    alter table ${sql(table)} add constraint ${sql(name)} ${sql.unsafe(definition)}`;
}
