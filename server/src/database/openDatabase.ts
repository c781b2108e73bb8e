import { resolve } from 'node:path';
import { openEmbedded } from '../embedded/openEmbedded.js';
import { parseDatabaseUrl } from '../values/databaseUrl.js';
import { ConfigError, DatabaseError } from '../values/errors.js';
import { connectAsAllowed } from './connectAsAllowed.js';
import type { Sql } from './connection/connect.js';

export interface Database {
  sql: Sql;
  /** Name for an operator, such as `the database in /srv/shop/.data`, without a password. */
  name: string;
  /** URL for `connect`, to open more connections. Close them before this database. */
  url: string;
  /** Folder with the files of the embedded database; null for the database of `DATABASE_URL`. */
  folder: string | null;
  /** False behind a pooler that accepts no time limits as connection parameters. */
  takesSettings: boolean;
  /** Waits up to 5 s for running queries, then closes. An embedded PostgreSQL stops with its last user. */
  close(): Promise<void>;
}

/** The oldest PostgreSQL that the statements support. */
const oldestVersion = 15;
const endTimeoutSeconds = 5;

/**
 * Opens the database of `databaseUrl`, or starts or joins the embedded one in `dataDir`. Does not migrate. If the database later
 * becomes unreachable, queries fail immediately, and succeed again as soon as it is back.
 * @param options.poolSize maximum number of connections; default: 10
 * @param options.notify called with each line for the operator
 * @param options.creates false: throws `DatabaseError` if `dataDir` has no database, and creates none; default: true
 * @param options.endsWithUs see `openEmbedded`; default: false
 * @throws DatabaseError if it cannot be reached or is older than PostgreSQL 15
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
  const location = folder ?? hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return `the database of DATABASE_URL (${name} on ${location})`;
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

/** The fix of each refusal of a connection, by the code of its error (SQLSTATE, Node or OpenSSL). */
const fixes: [RegExp, string][] = [
  [/^(ECONNREFUSED|ENOENT)$/, 'Start PostgreSQL there, or correct host and port in DATABASE_URL.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'Correct the host in DATABASE_URL.'],
  [
    /^(CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'Let this machine reach it (firewall, list of allowed addresses), or correct host and port in DATABASE_URL.',
  ],
  [/^53300$/, 'Allow it more connections, or end some of the others (see pg_stat_activity).'],
  [/^28P01$/, 'Set the user and the password in DATABASE_URL.'],
  [/^28000$/, 'Allow this user and this machine in pg_hba.conf of that PostgreSQL.'],
  [/^3D000$/, 'Create it (create database … owner …), or name another one in DATABASE_URL.'],
  [
    /^(42704|42602|55P02|08P01)$/,
    'Take this parameter out of DATABASE_URL, or set it for the role: alter role … set ….',
  ],
  [/^22023$/, 'Correct this parameter in DATABASE_URL.'],
  [
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    'Name the file with the certificate of its authority in DATABASE_URL: sslmode=verify-full&sslrootcert=/path/ca.pem.',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Name the host in DATABASE_URL as its certificate does.'],
];

/** Finds the fix for a refused `DATABASE_URL`; null if no fix is known. */
function findConnectionFix({ code = '', message }: NodeJS.ErrnoException): string | null {
  if (code === '28000' && message.endsWith('no encryption')) return 'Add ?sslmode=require to DATABASE_URL.';
  if (code === '28000' && message.startsWith('role '))
    return 'Name another user in DATABASE_URL, or let this one log in (create role … login).';
  if (message === 'The database is read-only') return 'Start the primary, or promote its standby.';
  return fixes.find(([codes]) => codes.test(code))?.[1] ?? null;
}
