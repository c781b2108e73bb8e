import { DatabaseError } from '../values/errors.js';
import type { Sql } from './connection/connect.js';
import { type Migration, ownMigrations } from './migrations.js';

/** Difference between the schema of a database and that of a build. */
export interface SchemaState {
  /** True when no migration was ever applied. */
  isEmpty: boolean;
  /** Migrations of the build that the database lacks, in their order. */
  missing: Migration[];
  /** Names of migrations that the build does not know and cannot work with. */
  breaking: string[];
}

/** Lists the names of the applied migrations, in their order. Rejects when the database was never migrated. */
export async function listMigrations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listMigrations */
    select name from migration order by name`;
  return rows.map(({ name }) => name);
}

/** Compares a database with a build. Rejects without a database. @param migrations default: those of this build */
export async function readSchemaState(sql: Sql, migrations = ownMigrations()): Promise<SchemaState> {
  const [{ exists }] = await sql<[{ exists: boolean }]>`/* findMigrationTable */
    select to_regclass('migration') is not null as exists`;
  // The table of release 0.1.0 has no column breaks_older, and a row without it breaks nothing.
  const rows = exists
    ? await sql<{ name: string; breaks: boolean }[]>`/* listBreakingMigrations */
        select name, coalesce((to_jsonb(migration) ->> 'breaks_older')::boolean, false) as breaks
        from migration order by name`
    : [];
  const done = new Set(rows.map((row) => row.name));
  const known = new Set([...ownMigrations(), ...migrations].map(({ name }) => name));
  return {
    isEmpty: rows.length === 0,
    missing: migrations.filter(({ name }) => !done.has(name)),
    breaking: rows.filter(({ name, breaks }) => breaks && !known.has(name)).map(({ name }) => name),
  };
}

/** Throws `DatabaseError` when a newer release has changed the schema so that this one cannot work with it. */
export function refuseBreaking({ breaking }: SchemaState): void {
  if (breaking.length === 0) return;
  throw new DatabaseError(
    `A newer Orderbeacon has changed the database (${breaking.join(', ')}) so that this release cannot work with it: run that release or a newer one.`,
  );
}
