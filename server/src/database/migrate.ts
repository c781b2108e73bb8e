import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { applyAlone, applyTogether } from './applyMigration.js';
import type { Sql } from './connection/connect.js';
import { isLocked } from './failures.js';
import { isMarked, type Migration, ownMigrations } from './migrations.js';
import { readSchemaState, refuseBreaking } from './schemaState.js';

/** Times for work that waits for locks of others. */
export interface LockWaits {
  /** Time of one attempt. As long as it waits for a reader, writers queue behind it. */
  lockTimeoutMs: number;
  /** Pause between two attempts, in which writers continue. */
  pauseMs: number;
  /** Time after which the work is given up. */
  tryForMs: number;
}

/** Waits of a server. It gives up after 10 minutes, so that the operator notices and can end a longer reader, such as a dump. */
export const migrationWaits: LockWaits = {
  lockTimeoutMs: 500,
  pauseMs: 2_000,
  tryForMs: 10 * 60_000,
};

export interface MigrationOptions {
  /** Called with a line for the operator about each migration that has to wait. */
  notify: (line: string) => void;
  waits: LockWaits;
}

/**
 * Pause between two checks while another server migrates; and the time after which the operator gets a notice of a running
 * migration.
 */
const busyPauseMs = 100;
const patienceMs = 3_000;

/** Sentences that describe the fix of an error, by SQLSTATE. */
const fixes: Record<string, string> = {
  // Since PostgreSQL 15 only a database's owner can create tables in it.
  '42501': ' The role of DATABASE_URL must own the database: alter database … owner to ….',
  '25006':
    ' DATABASE_URL must name a primary, in which default_transaction_read_only is off: alter database … reset default_transaction_read_only.',
  '3F000':
    ' The search_path must name a schema that exists: alter database … reset search_path, or create schema public.',
  '42P07': ' Orderbeacon needs a database of its own: create database orderbeacon owner ….',
};

/**
 * Applies the missing migrations, in the order of their names. Resolves with the names of those that this call applied. Two servers may
 * start concurrently: the second waits and finds the work done. Writers never queue behind a reader for longer than
 * `waits.lockTimeoutMs`: if a lock is not available by then, the migration is tried again, for up to `waits.tryForMs`.
 * @param migrations default: those of this build
 * @param options.migrated called at the end, even if no migration was missing
 * @throws DatabaseError if a migration failed, or was given up after `waits.tryForMs`, with its name; those before it stay applied.
 *   Also thrown, before any migration, if a new database is not in UTF-8, if an older server is connected that a migration would break,
 *   or if this release cannot work with the database.
 */
export async function migrate(
  sql: Sql,
  migrations: Migration[] = ownMigrations(),
  {
    notify = () => {},
    waits = migrationWaits,
    migrated = async () => {},
  }: Partial<MigrationOptions> & {
    migrated?: ((sql: Sql, options: MigrationOptions) => Promise<unknown>) | undefined;
  } = {},
): Promise<string[]> {
  const state = await readSchemaState(sql, migrations);
  refuseBreaking(state);
  if (state.isEmpty) await requireUtf8(sql);
  if (!state.isEmpty && state.missing.some((each) => isMarked(each, 'breaks older servers')))
    await requireNoOlder(sql);
  const applied: string[] = [];
  for (const migration of state.missing) {
    const patience = setTimeout(() => notify(`Migration ${migration.name} is still running.`), patienceMs);
    try {
      if (await applyInTime(sql, migration, { notify, waits })) applied.push(migration.name);
    } finally {
      clearTimeout(patience);
    }
  }
  // Called even if no migration was applied, because a server may have ended between the two.
  await migrated(sql, { notify, waits });
  return applied;
}

/**
 * Throws `DatabaseError` if a server or command of a release before 0.5.0 is connected, because data that it stores after the
 * migration would be lost. Finds only connections that this user may see.
 */
async function requireNoOlder(sql: Sql): Promise<void> {
  const [{ connections }] = await sql<[{ connections: number }]>`/* countOlder */
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'orderbeacon'`;
  if (connections === 0) return;
  throw new DatabaseError(
    `A server of an earlier release is still connected (${connections} connections), and cannot work with the database of this one: stop all of them first, then start this one again. Nothing was changed.`,
  );
}

/** Throws `DatabaseError` if a new database is not in UTF-8, because other encodings cannot store every name. */
async function requireUtf8(sql: Sql): Promise<void> {
  const [{ encoding }] = await sql<[{ encoding: string }]>`/* readEncoding */
    select current_setting('server_encoding') as encoding`;
  if (encoding === 'UTF8') return;
  throw new DatabaseError(
    `The database has the encoding ${encoding}, and Orderbeacon needs UTF8: create database … encoding 'UTF8' template template0.`,
  );
}

/**
 * Tries until the locks are available.
 * @returns false if another server has applied the migration concurrently
 */
async function applyInTime(
  sql: Sql,
  migration: Migration,
  { notify, waits }: { notify: (line: string) => void; waits: LockWaits },
): Promise<boolean> {
  const { name } = migration;
  const isAlone = isMarked(migration, 'no transaction');
  const apply = isAlone ? applyAlone : applyTogether;
  const endMs = performance.now() + waits.tryForMs;
  for (let isNotified = false; ; ) {
    const outcome = await apply(sql, migration, waits.lockTimeoutMs).catch((cause) => {
      if (isLocked(cause)) return 'locked' as const;
      const state = isAlone
        ? 'failed half-way and will start from its beginning the next time'
        : 'failed and was undone';
      throw new DatabaseError(`Migration ${name} ${state}: ${cause.message}.${fixes[cause.code] ?? ''}`, {
        cause,
      });
    });
    if (outcome === 'applied' || outcome === 'known') return outcome === 'applied';

    const reason =
      outcome === 'busy'
        ? 'another server is migrating'
        : 'another session holds a lock that it needs (see pg_stat_activity for old transactions)';
    if (performance.now() > endMs) {
      throw new DatabaseError(`Migration ${name} was given up because ${reason}: run it again after that.`);
    }
    if (outcome === 'locked' && !isNotified) notify(`Migration ${name} waits and tries again: ${reason}.`);
    isNotified ||= outcome === 'locked';
    await delay(outcome === 'busy' ? busyPauseMs : waits.pauseMs);
  }
}
