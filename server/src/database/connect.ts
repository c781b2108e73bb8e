import { resolve } from 'node:path';
import postgres from 'postgres';
import { openEmbedded } from '../embedded/open.js';
import { openEmbeddedByPort } from '../embedded/openByPort.js';
import { DatabaseError } from '../errors.js';
import { readTlsMode, type TlsMode } from './beginTls.js';
import { collectRows } from './collectRows.js';
import { guardTransactions } from './guardTransactions.js';
import { createOpenSocket, startupPadding } from './openSocket.js';

/** What every statement takes first. */
export type Sql = postgres.Sql;

/** An open database. */
export interface Database {
  sql: Sql;
  /** What an operator knows it by, such as `the database in /srv/shop/.data`; holds no password. */
  name: string;
  /** What `connect` takes to open more connections; they have to be closed before this is. */
  url: string;
  /** True for the one in the data folder, false for the one of `DATABASE_URL`. */
  isEmbedded: boolean;
  /** Lets running queries end, for 5 s, and closes; an embedded PostgreSQL stops with its last user. */
  close(): Promise<void>;
}

/** The oldest PostgreSQL that the statements are written for. */
const oldestVersion = 15;
const connectTimeoutSeconds = 5;
const endTimeoutSeconds = 5;

/**
 * Opens the database of `databaseUrl`, or starts or joins the embedded one in `dataDir`. Does not migrate.
 * Throws `DatabaseError` when it cannot be reached or is older than PostgreSQL 15. One that goes away later
 * makes queries fail at once, and is used again as soon as it is back.
 * @param options.poolSize connections at most, default 10
 * @param options.notify told what an operator should know, a line at a time
 * @param options.creates false: throws `DatabaseError` where `dataDir` holds no database, and makes none; default true
 */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  {
    poolSize = 10,
    notify = () => {},
    creates = true,
  }: { poolSize?: number; notify?: (line: string) => void; creates?: boolean } = {},
): Promise<Database> {
  if (databaseUrl !== null) {
    const name = nameOf(databaseUrl);
    const sql = connect(databaseUrl, poolSize);
    await verify(sql, name);
    const close = () => sql.end({ timeout: endTimeoutSeconds });
    return { sql, name, url: databaseUrl, isEmbedded: false, close };
  }
  const name = `the database in ${resolve(dataDir)}`;
  const open = process.platform === 'win32' ? openEmbeddedByPort : openEmbedded;
  const embedded = await open(dataDir, notify, creates);
  const sql = connect(embedded.url, poolSize);
  await verify(sql, name).catch(async (error) => {
    await embedded.close();
    throw error;
  });
  return {
    sql,
    name,
    url: embedded.url,
    isEmbedded: true,
    async close() {
      await sql.end({ timeout: endTimeoutSeconds });
      await embedded.close();
    },
  };
}

/** Bounds in time of what a server asks of its database. */
export interface StatementBounds {
  /** `statement_timeout`. */
  statementMs: number;
  /** `lock_timeout`: how long a statement may wait for each lock. */
  lockMs: number;
  /** `idle_in_transaction_session_timeout`: how long PostgreSQL keeps the locks of a server that has vanished. */
  idleInTransactionMs: number;
  /** False where a pooler does not take the three above as connection parameters; then `answerMs` bounds alone. */
  arePassed: boolean;
  /** How long the server itself waits for an answer; over `statementMs`, so that a live database answers first. */
  answerMs: number;
}

/** The bounds of every server; tests give shorter ones. */
export const statementBounds: StatementBounds = {
  statementMs: 10_000,
  lockMs: 3_000,
  idleInTransactionMs: 30_000,
  arePassed: true,
  answerMs: 12_000,
};

/**
 * Connects postgres.js to a URL. A socket folder is named as libpq does, `postgres://user@localhost/name?host=/folder`:
 * postgres.js itself knows no way to say that in a URL.
 * @param bounds none by default, for commands that take as long as they take; a parameter of the URL, such as
 * `statement_timeout=500`, comes before them
 */
export function connect(databaseUrl: string, poolSize: number, bounds?: StatementBounds): Sql {
  const url = new URL(databaseUrl);
  const chosen = options(poolSize, readTlsMode(url), bounds);
  const folder = url.searchParams.get('host');
  const isFolder = folder?.startsWith('/');
  if (isFolder) {
    url.searchParams.delete('host');
    url.hostname ||= 'localhost';
  }
  const sql = postgres(isFolder ? url.href : databaseUrl, {
    ...chosen,
    ...(isFolder && { path: `${folder}/.s.PGSQL.${url.port || 5432}` }),
  });
  guardTransactions(sql);
  collectRows(sql);
  return sql;
}

function options(poolSize: number, tls: TlsMode | null, bounds: StatementBounds | undefined) {
  return {
    max: poolSize,
    // The statement that fetches them runs on each new connection, and nobody handles its failure: a connection
    // that was reset meanwhile ended the process (postgres.js 3.4.9, `fetchArrayTypes`). Arrays travel as JSON.
    fetch_types: false,
    connect_timeout: connectTimeoutSeconds,
    // postgres.js waits up to 20 s between attempts, and queries wait with it.
    backoff: (attempts: number) => Math.min(2 ** attempts / 100, 0.5),
    // Begun by `openSocket`.
    ssl: false,
    socket: createOpenSocket(connectTimeoutSeconds * 1000, { answerMs: bounds?.answerMs ?? null, tls }),
    connection: {
      application_name: 'orderbeacon',
      ...startupPadding,
      ...(bounds?.arePassed && {
        statement_timeout: bounds.statementMs,
        lock_timeout: bounds.lockMs,
        idle_in_transaction_session_timeout: bounds.idleInTransactionMs,
      }),
    },
    onnotice: () => {},
  };
}

/** Without user, password and parameters. */
function nameOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `the database of DATABASE_URL (${pathname.slice(1)} on ${searchParams.get('host') ?? host})`;
}

/**
 * The bounds that a server can have on this database. PgBouncer refuses connections with parameters that it does not
 * know, unless its `ignore_startup_parameters` names them; the operator is told.
 */
export async function findBounds(
  databaseUrl: string,
  notify: (line: string) => void,
): Promise<StatementBounds> {
  const sql = connect(databaseUrl, 1, statementBounds);
  try {
    await sql`/* tryBounds */ select`;
    return statementBounds;
  } catch (error) {
    if (!(error as Error).message?.includes('startup parameter')) throw error;
    notify(
      'The pooler in front of the database takes no statement_timeout; set one for the database itself: alter database … set statement_timeout = 10000.',
    );
    return { ...statementBounds, arePassed: false };
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** Closes the pool before it throws. */
async function verify(sql: Sql, name: string): Promise<void> {
  try {
    const [row] = await sql<[{ version: number }]>`/* serverVersion */
      select current_setting('server_version_num')::int / 10000 as version`;
    if (row.version >= oldestVersion) return;
    throw new DatabaseError(
      `PostgreSQL ${row.version} is too old: ${name} must be PostgreSQL ${oldestVersion} or newer.`,
    );
  } catch (cause) {
    await sql.end({ timeout: 0 });
    if (cause instanceof DatabaseError) throw cause;
    throw new DatabaseError(`Cannot use ${name}: ${(cause as Error).message}.`, { cause });
  }
}
