import { resolve } from 'node:path';
import { openEmbedded } from '../embedded/openEmbedded.js';
import { parseDatabaseUrl } from '../values/databaseUrl.js';
import { DatabaseError } from '../values/errors.js';
import { connect, type Sql } from './connection/connect.js';
import { findConnectionFix } from './connectionFix.js';

/** An open database. */
export interface Database {
  sql: Sql;
  /** Name for an operator, such as `the database in /srv/shop/.data`, without a password. */
  name: string;
  /** URL for `connect`, to open more connections; they have to be closed before this database is. */
  url: string;
  /** Folder with the files of the embedded database; null for that of `DATABASE_URL`. */
  folder: string | null;
  /** Waits up to 5 s for running queries, then closes; an embedded PostgreSQL stops with its last user. */
  close(): Promise<void>;
}

/** The oldest PostgreSQL that the statements are written for. */
const oldestVersion = 15;
const endTimeoutSeconds = 5;

/**
 * Opens the database of `databaseUrl`, or starts or joins the embedded one in `dataDir`. Does not migrate.
 * Throws `DatabaseError` when it cannot be reached or is older than PostgreSQL 15. While a database is away later,
 * queries fail immediately; they succeed again as soon as it is back.
 * @param options.poolSize maximum number of connections, default 10
 * @param options.notify called with each line for the operator
 * @param options.creates false: throws `DatabaseError` if `dataDir` holds no database, and creates none; default true
 * @param options.endsWithUs see `openEmbedded`; default false
 */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  {
    poolSize = 10,
    notify = () => {},
    creates = true,
    endsWithUs = false,
  }: { poolSize?: number; notify?: (line: string) => void; creates?: boolean; endsWithUs?: boolean } = {},
): Promise<Database> {
  if (databaseUrl !== null) {
    const name = nameOf(databaseUrl);
    const sql = connect(databaseUrl, poolSize);
    await verify(sql, name);
    const close = () => sql.end({ timeout: endTimeoutSeconds });
    return { sql, name, url: databaseUrl, folder: null, close };
  }
  const name = `the database in ${resolve(dataDir)}`;
  const embedded = await openEmbedded(dataDir, notify, { creates, endsWithUs });
  const sql = connect(embedded.url, poolSize);
  await verify(sql, name).catch(async (error) => {
    await embedded.close();
    throw error;
  });
  return {
    sql,
    name,
    url: embedded.url,
    folder: embedded.folder,
    async close() {
      await sql.end({ timeout: endTimeoutSeconds });
      await embedded.close();
    },
  };
}

/** Names a database without its user, password and parameters. */
function nameOf(databaseUrl: string): string {
  const { name, hosts, folder } = parseDatabaseUrl(databaseUrl);
  const place = folder ?? hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return `the database of DATABASE_URL (${name} on ${place})`;
}

/** Checks the version. Closes the pool before it throws. */
async function verify(sql: Sql, name: string): Promise<void> {
  try {
    const [row] = await sql<[{ version: number }]>`/* serverVersion */
      select current_setting('server_version_num')::int / 10000 as version`;
    if (row.version >= oldestVersion) return;
    throw new DatabaseError(
      `PostgreSQL ${row.version} is too old: ${name} must be PostgreSQL ${oldestVersion} or newer.`,
      { fix: 'Upgrade it, or name another one in DATABASE_URL.' },
    );
  } catch (cause) {
    await sql.end({ timeout: 0 });
    if (cause instanceof DatabaseError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'CONNECT_TIMEOUT' ? 'it does not answer' : message;
    const fix = findConnectionFix(cause as NodeJS.ErrnoException);
    throw new DatabaseError(`Cannot use ${name}: ${reason}.`, { cause, fix });
  }
}
