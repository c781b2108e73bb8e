import { DatabaseError } from '../values/errors.js';
import type { Sql } from './connection/connect.js';
import { type Migration, ownMigrations } from './migrations.js';

/** Difference between the schema of a database and that of a build. */
export interface SchemaState {
  /** Set if no migration was ever applied. */
  isEmpty: boolean;
  /** Migrations of the build that the database does not have, in their order. */
  missing: Migration[];
  /** Names of migrations that the build does not know. */
  unknown: string[];
  /** The unknown migrations that the build cannot work with. */
  breaking: string[];
}

/** The first migration of releases 0.1.0 and 0.2.0, whose schema no later migration continues. */
const beforeFirstRelease = '000001_start';

/** The way from release 0.1.0 or 0.2.0 to this one, as the end of a sentence. */
export const wayFromBefore =
  'export orders, people and products with the commands of that release, and import them with those of this one into an empty database';

/** @returns true for the migrations of release 0.1.0 or 0.2.0 */
export const isOfBefore = (migrations: readonly string[]) => migrations.includes(beforeFirstRelease);

/**
 * Lists the names of the applied migrations, in their order. Rejects if the database was never migrated.
 * @throws DatabaseError for a database of release 0.1.0 or 0.2.0
 */
export async function listMigrations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listMigrations */
    select name from migration order by name`;
  const names = rows.map(({ name }) => name);
  if (!isOfBefore(names)) return names;
  throw new DatabaseError(
    `Release 0.1.0 or 0.2.0 has made this database, and this release cannot use it: ${wayFromBefore}.`,
  );
}

/**
 * Compares a database with a build. Rejects if the database cannot be reached.
 * @param migrations default: those of this build
 * @throws DatabaseError for a database of release 0.1.0 or 0.2.0
 */
export async function readSchemaState(sql: Sql, migrations = ownMigrations()): Promise<SchemaState> {
  const [{ exists }] = await sql<[{ exists: boolean }]>`/* findMigrationTable */
    select to_regclass('migration') is not null as exists`;
  if (!exists) await refuseWorker(sql);
  const done = exists ? await listMigrations(sql) : [];
  const known = new Set([...ownMigrations(), ...migrations].map(({ name }) => name));
  const unknown = done.filter((name) => !known.has(name));
  const breaking = unknown.length > 0 ? await listBreaking(sql) : [];
  return {
    isEmpty: done.length === 0,
    missing: migrations.filter(({ name }) => !done.includes(name)),
    unknown,
    breaking: breaking.filter((name) => unknown.includes(name)),
  };
}

/** Throws `DatabaseError` on a worker of a Citus cluster, which has only a part of the tables. */
async function refuseWorker(sql: Sql): Promise<void> {
  const [{ isNode }] = await sql<[{ isNode: boolean }]>`/* findNode */
    select to_regclass('pg_dist_local_group') is not null as "isNode"`;
  if (!isNode) return;
  const workers = await sql`/* findWorker */ select from pg_dist_local_group where groupid > 0`;
  if (workers.length > 0)
    throw new DatabaseError('DATABASE_URL names a worker of a Citus cluster: name its coordinator.');
}

async function listBreaking(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`/* listBreakingMigrations */
    select name from migration where breaks_older order by name`;
  return rows.map(({ name }) => name);
}

/** Throws `DatabaseError` if a newer release has changed the schema so that this one cannot work with it. */
export function refuseBreaking({ breaking }: SchemaState): void {
  if (breaking.length === 0) return;
  throw new DatabaseError(
    `A newer Orderbeacon has changed the database (${breaking.join(', ')}) so that this release cannot work with it: run that release or a newer one.`,
  );
}
