import type { Sql } from '../../database/connection/connect.js';
import { nameMigrations, ownMigrations } from '../../database/migrations.js';
import { readSchemaState } from '../../database/schemaState.js';
import { type Check, command, fail, pass } from '../../site/checks/check.js';
import { DatabaseError } from '../../values/errors.js';
import { formatDuration } from '../../values/formatDuration.js';
import { readDatabaseState } from './readDatabaseState.js';

/** Tolerance between the two clocks. Beyond it, dates of the server and dates of the database contradict each other. */
const clockOffAtMostMs = 5_000;

/** Checks version, migrations and clock of a reachable database. */
export async function checkDatabase(sql: Sql, name: string, nowMs = Date.now): Promise<Check[]> {
  const beforeMs = nowMs();
  const { version, sizeBytes, clockMs, isReadOnly } = await readDatabaseState(sql);
  const afterMs = nowMs();
  const size = `${(sizeBytes / 1e6).toFixed(1)} MB`;
  return [
    isReadOnly
      ? fail(
          'database',
          `PostgreSQL ${version}, ${size}, takes no writes: ${name}.`,
          'Name the primary in DATABASE_URL; if it is one, run: alter database … reset default_transaction_read_only',
        )
      : pass('database', `PostgreSQL ${version}, ${size}: ${name}.`),
    await checkMigrations(sql),
    checkClock(clockMs - (beforeMs + afterMs) / 2, (afterMs - beforeMs) / 2),
  ];
}

async function checkMigrations(sql: Sql): Promise<Check> {
  const state = await readSchemaState(sql).catch((error: unknown) => {
    if (error instanceof DatabaseError) return error;
    throw error;
  });
  if (state instanceof DatabaseError) return fail('migrations', state.message, 'Do as the message says.');
  const { missing, unknown } = state;
  if (missing.length > 0) {
    return fail(
      'migrations',
      `Missing: ${nameMigrations(missing.map(({ name }) => name))}.`,
      `Start the server of this release, or run: ${command} migrate`,
    );
  }
  if (unknown.length > 0) {
    return fail(
      'migrations',
      `A newer release has applied ${nameMigrations(unknown)}.`,
      'Run the command of that release. If the server is older too, upgrade it.',
    );
  }
  return pass('migrations', `All ${ownMigrations().length} applied.`);
}

/** @param doubtMs half the time that the answer took, which the offset may be wrong by */
function checkClock(offsetMs: number, doubtMs: number): Check {
  const offset = formatDuration(Math.abs(offsetMs));
  if (Math.abs(offsetMs) <= clockOffAtMostMs + doubtMs) {
    return pass('clock', `This machine and the database agree within ${offset}.`);
  }
  return fail(
    'clock',
    `This machine is ${offset} ${offsetMs > 0 ? 'behind' : 'ahead of'} the database.`,
    'Set both clocks by NTP (timedatectl set-ntp true).',
  );
}
