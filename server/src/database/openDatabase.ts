import { resolve } from 'node:path';
import { openEmbedded } from '../embedded/open.js';
import { openEmbeddedByPort } from '../embedded/openByPort.js';
import { parseDatabaseUrl } from '../values/databaseUrl.js';
import { DatabaseError } from '../values/errors.js';
import { connect, type Sql } from './connection/connect.js';

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

/** Without user, password and parameters. */
function nameOf(databaseUrl: string): string {
  const { url, hosts } = parseDatabaseUrl(databaseUrl);
  const several = hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  const host = hosts.length > 1 ? several : (url.searchParams.get('host') ?? url.host);
  return `the database of DATABASE_URL (${url.pathname.slice(1)} on ${host})`;
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
