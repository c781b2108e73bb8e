import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../values/errors.js';
import { applyAlone, applyTogether } from './applyMigration.js';
import type { Sql } from './connection/connect.js';
import { isMarked, type Migration, ownMigrations } from './migrations.js';
import { readSchemaState, refuseBreaking } from './schemaState.js';

/** How a migration waits for locks that others hold. */
export interface MigrationWaits {
  /** Writers wait as long behind a migration that waits behind a reader. */
  lockTimeoutMs: number;
  /** From one try to the next; writers go on meanwhile. */
  pauseMs: number;
  /** After that a migration is given up. */
  tryForMs: number;
}

/** Gives up after 10 minutes: an operator can end a longer reader, such as a dump, and has to know of it. */
export const migrationWaits: MigrationWaits = {
  lockTimeoutMs: 500,
  pauseMs: 2_000,
  tryForMs: 10 * 60_000,
};

/** A server that waits for another one's migration looks as often, and says nothing for the first seconds. */
const busyPauseMs = 100;
const patienceMs = 3_000;

/**
 * SQLSTATEs of what may work later: lock_not_available, and a deadlock, which a server of release 0.1.0 makes that
 * waits for the migrations' lock while an index is built beside it.
 */
const passing = new Set(['55P03', '40P01']);

/**
 * Applies what is missing, in the order of the names; resolves with the names applied now. Safe when two servers
 * start at once: the second waits and finds it done. Never lets writers queue behind a reader for longer than
 * `waits.lockTimeoutMs`: a lock that is not to be had by then is tried for again.
 * Throws `DatabaseError` naming the migration that failed, those before it stay; and when a newer release has
 * changed the database so that this one cannot work with it.
 * @param migrations default: those of this build
 * @param options.notify told once for each migration that has to wait
 */
export async function migrate(
  sql: Sql,
  migrations: Migration[] = ownMigrations(),
  {
    notify = () => {},
    waits = migrationWaits,
  }: { notify?: (line: string) => void; waits?: MigrationWaits } = {},
): Promise<string[]> {
  const state = await readSchemaState(sql, migrations);
  refuseBreaking(state);
  const applied: string[] = [];
  for (const migration of state.missing) {
    const patience = setTimeout(() => notify(`Migration ${migration.name} takes its time.`), patienceMs);
    try {
      if (await applyInTime(sql, migration, { notify, waits })) applied.push(migration.name);
    } finally {
      clearTimeout(patience);
    }
  }
  return applied;
}

/** Tries until the locks are to be had. False when another server has applied it meanwhile. */
async function applyInTime(
  sql: Sql,
  migration: Migration,
  { notify, waits }: { notify: (line: string) => void; waits: MigrationWaits },
): Promise<boolean> {
  const { name } = migration;
  const isAlone = isMarked(migration, 'no transaction');
  const apply = isAlone ? applyAlone : applyTogether;
  const endMs = performance.now() + waits.tryForMs;
  for (let isTold = false; ; ) {
    const outcome = await apply(sql, migration, waits.lockTimeoutMs).catch((cause) => {
      if (passing.has(cause.code)) return 'locked' as const;
      const state = isAlone ? 'failed half-way, and starts anew the next time' : 'failed and was undone';
      throw new DatabaseError(`Migration ${name} ${state}: ${cause.message}.`, { cause });
    });
    if (outcome === 'applied' || outcome === 'known') return outcome === 'applied';

    const reason =
      outcome === 'busy'
        ? 'another server is migrating'
        : 'another session holds a lock that it needs (see pg_stat_activity for old transactions)';
    if (performance.now() > endMs) {
      throw new DatabaseError(`Migration ${name} was given up, since ${reason}: run it again after that.`);
    }
    if (outcome === 'locked' && !isTold) notify(`Migration ${name} tries again until it can: ${reason}.`);
    isTold ||= outcome === 'locked';
    await delay(outcome === 'busy' ? busyPauseMs : waits.pauseMs);
  }
}
