import { type Check, fail, pass } from '../../commands/check.js';
import { describeAllowed, readAllowed } from '../../database/allowedConnections.js';
import type { Sql } from '../../database/connection/connect.js';
import { nameMigrations, ownMigrations } from '../../database/migrations.js';
import { readSchemaState } from '../../database/schemaState.js';
import { command } from '../../values/command.js';
import { DatabaseError } from '../../values/errors.js';
import { dayMs, hourMs, minuteMs } from '../../values/time.js';
import { checkRights } from './checkRights.js';

/** Largest allowed difference between the clocks of this machine and of the database. Beyond it, their dates contradict each other. */
const clockOffAtMostMs = 5_000;

/** Checks a reachable database: its version, connections, migrations, rights, collation and clock. */
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
    ...checkConnections(await readAllowed(sql)),
    await checkMigrations(sql),
    ...(await checkRights(sql)),
    ...(await checkCollation(sql)),
    checkClock(clockMs - (beforeMs + afterMs) / 2, (afterMs - beforeMs) / 2),
  ];
}

/** Checks how many connections a server may have. Returns no check if it has as many as it needs. */
function checkConnections(allowed: number): Check[] {
  const shortage = describeAllowed(allowed);
  if (shortage === null) return [];
  const { canStart, message, fix } = shortage;
  return [canStart ? pass('connections', message) : fail('connections', message, fix)];
}

/**
 * Checks if the collation has changed since the database was made, with its system or image. Text is then sorted in
 * another order than in the indexes, which may find too little.
 */
async function checkCollation(sql: Sql): Promise<Check[]> {
  const [{ name, was, is }] = await sql<
    [{ name: string; was: string | null; is: string | null }]
  >`/* readCollation */
    select quote_ident(datname) as name, datcollversion as was, pg_database_collation_actual_version(oid) as is
    from pg_database where datname = current_database()`;
  if (was === null || is === null || was === is) return [];
  return [
    fail(
      'collation',
      `The database was made with version ${was} of its collation, and its system now has ${is}: indexes of text may find too little.`,
      `As its owner: reindex database ${name}; then: alter database ${name} refresh collation version`,
    ),
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

/**
 * Checks that the clocks of this machine and of the database agree.
 * @param doubtMs half the time of the answer, by which the offset may be wrong
 */
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

interface DatabaseState {
  /** Version of PostgreSQL, such as `18.4`. */
  version: string;
  sizeBytes: number;
  /** Time of its clock, in Unix milliseconds. */
  clockMs: number;
  /** Set if the database accepts no writes: it is a standby, or `default_transaction_read_only` is on. */
  isReadOnly: boolean;
}

async function readDatabaseState(sql: Sql): Promise<DatabaseState> {
  const [state] = await sql<[DatabaseState]>`/* readDatabaseState */
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs",
      current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
  return state;
}

const unitMs = { days: dayMs, hours: hourMs, minutes: minuteMs };

/**
 * Writes a duration in the largest unit of which it has at least two: `3 days`, `26 hours`, `90 minutes`, or `7.5
 * seconds`.
 */
function formatDuration(ms: number): string {
  for (const [unit, ofUnit] of Object.entries(unitMs))
    if (ms >= 2 * ofUnit) return `${Math.round(ms / ofUnit)} ${unit}`;
  return `${(ms / 1000).toFixed(1)} seconds`;
}
