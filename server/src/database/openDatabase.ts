import { resolve } from 'node:path';
import { openEmbedded } from '../embedded/openEmbedded.js';
import { parseDatabaseUrl } from '../values/databaseUrl.js';
import { ConfigError, DatabaseError } from '../values/errors.js';
import { connectAsAllowed } from './connectAsAllowed.js';
import type { Sql } from './connection/connect.js';
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
  /** False behind a pooler that takes no time bounds as connection parameters. */
  takesSettings: boolean;
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
    const { sql, ...way } = await connectTo(databaseUrl, { poolSize, name, notify });
    return { sql, name, ...way, folder: null, close: () => sql.end({ timeout: endTimeoutSeconds }) };
  }
  const name = `the database in ${resolve(dataDir)}`;
  const embedded = await openEmbedded(dataDir, notify, { creates, endsWithUs });
  const { sql, ...way } = await connectTo(embedded.url, { poolSize, name, notify }).catch(async (error) => {
    await embedded.close();
    throw error;
  });
  return {
    sql,
    name,
    ...way,
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

/** Connects, and checks the version. */
async function connectTo(
  databaseUrl: string,
  { name, ...options }: { poolSize: number; name: string; notify: (line: string) => void },
) {
  try {
    const { version, ...connected } = await connectAsAllowed(databaseUrl, options);
    if (version >= oldestVersion) return connected;
    await connected.sql.end({ timeout: 0 });
    throw new DatabaseError(
      `PostgreSQL ${version} is too old: ${name} must be PostgreSQL ${oldestVersion} or newer.`,
      { fix: 'Upgrade it, or name another one in DATABASE_URL.' },
    );
  } catch (cause) {
    if (cause instanceof DatabaseError || cause instanceof ConfigError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'CONNECT_TIMEOUT' ? 'it does not answer' : message;
    const fix = findConnectionFix(cause as NodeJS.ErrnoException);
    throw new DatabaseError(`Cannot use ${name}: ${reason}.`, { cause, fix });
  }
}
