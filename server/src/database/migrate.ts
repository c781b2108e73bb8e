import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../errors.js';
import type { Sql } from './connect.js';

/** One step of the schema, applied once and never changed afterwards. */
export interface Migration {
  /** Its file's name without `.sql`, such as `000001_start`. */
  name: string;
  /** Statements, run together in one transaction. */
  text: string;
}

/** Names the lock that two servers starting at once compete for: "orderbea" in hex, as PostgreSQL's bigint. */
const lockKey = '8030591472428541281';

/**
 * Applies what is missing, in the order of the names, each in its own transaction; resolves with the names
 * applied now. Safe when two servers start at once: the second waits and finds it done.
 * Throws `DatabaseError` naming the migration that failed; those before it stay.
 * @param migrations default: those of this build
 */
export async function migrate(sql: Sql, migrations = ownMigrations()): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of await missing(sql, migrations)) {
    if (await apply(sql, migration)) applied.push(migration.name);
  }
  return applied;
}

/** True when every migration of this build has been applied; others may have been too. Rejects without a database. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  return (await missing(sql, ownMigrations())).length === 0;
}

/** Reads the migrations of this build: the files in `migrations` beside this one, in src as in dist. */
export function ownMigrations(): Migration[] {
  const folder = new URL('./migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -4), text: readFileSync(new URL(file, folder), 'utf8') }));
}

async function missing(sql: Sql, migrations: Migration[]): Promise<Migration[]> {
  const [{ exists }] = await sql<[{ exists: boolean }]>`/* findMigrationTable */
    select to_regclass('migration') is not null as exists`;
  if (!exists) return migrations;
  const rows = await sql<{ name: string }[]>`/* listMigrations */ select name from migration`;
  const done = new Set(rows.map((row) => row.name));
  return migrations.filter(({ name }) => !done.has(name));
}

/** A file with this first line runs statement by statement, for `create index concurrently`. */
const noTransaction = '-- orderbeacon: no transaction\n';

/** How long to wait before the lock of another server that migrates is tried again. */
const busyPauseMs = 100;

/** False when another server has applied it meanwhile. */
async function apply(sql: Sql, migration: Migration): Promise<boolean> {
  try {
    return await (migration.text.startsWith(noTransaction)
      ? applyAlone(sql, migration)
      : applyTogether(sql, migration));
  } catch (cause) {
    throw new DatabaseError(
      `Migration ${migration.name} failed and was undone: ${(cause as Error).message}.`,
      {
        cause,
      },
    );
  }
}

function applyTogether(sql: Sql, { name, text }: Migration): Promise<boolean> {
  return sql.begin(async (transaction) => {
    await transaction`/* lockMigrations */ select pg_advisory_xact_lock(${lockKey})`;
    await createMigrationTable(transaction as unknown as Sql);
    const added = await transaction`/* addMigration */
      insert into migration (name) values (${name}) on conflict do nothing`;
    if (added.count === 0) return false;
    // Only the simple protocol takes several statements at once.
    await transaction.unsafe(text).simple();
    return true;
  }) as Promise<boolean>;
}

/** Applies statement by statement; one that died in the middle is run again from its first statement. */
async function applyAlone(sql: Sql, { name, text }: Migration): Promise<boolean> {
  const session = await sql.reserve();
  try {
    // Whoever waited here inside a statement would be waited for by an index that is built concurrently.
    for (;;) {
      const [{ isOurs }] = await session<[{ isOurs: boolean }]>`/* lockMigrations */
        select pg_try_advisory_lock(${lockKey}) as "isOurs"`;
      if (isOurs) break;
      await delay(busyPauseMs);
    }
    await createMigrationTable(session);
    const known = await session`/* findMigration */ select from migration where name = ${name}`;
    if (known.length > 0) return false;
    for (const statement of text
      .split(/;[ \t]*$/m)
      .filter((part) => part.replace(/^\s*--.*$/gm, '').trim())) {
      await session.unsafe(statement);
    }
    await session`/* addMigration */ insert into migration (name) values (${name})`;
    return true;
  } finally {
    await session`/* unlockMigrations */ select pg_advisory_unlock_all()`;
    session.release();
  }
}

async function createMigrationTable(sql: Sql): Promise<void> {
  await sql`/* createMigrationTable */
    create table if not exists migration (name text primary key, applied_at timestamptz(3) not null default now())`;
}
