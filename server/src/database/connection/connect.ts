import postgres from '#postgres';
import { parseDatabaseUrl } from '../../values/databaseUrl.js';
import { readTls } from './tls.js';

/** A pool of connections, or a transaction; the first parameter of every statement. */
export type Sql = postgres.Sql;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Bounds in time on a server's statements. */
export interface StatementBounds {
  /** `statement_timeout`. */
  statementMs: number;
  /** `lock_timeout`: how long a statement may wait for each lock. */
  lockMs: number;
  /** `idle_in_transaction_session_timeout`: how long PostgreSQL keeps the locks of a server that has vanished. */
  idleInTransactionMs: number;
  /** False where a pooler does not take the three above as connection parameters; then `answerMs` bounds alone. */
  arePassed: boolean;
  /** Time limit for an answer on our side; above `statementMs`, so that a live database answers first. */
  answerMs: number;
}

/**
 * Connects postgres.js to a URL; of several hosts, to the one that takes writes. Its copy in `#postgres` is patched:
 * `server/patches/postgres.patch` says how it treats connections that are lost. Connects with the first statement.
 * @param bounds default: none, because a command may take as long as it needs; a parameter of the URL, such as
 * `statement_timeout=500`, takes precedence
 */
export function connect(databaseUrl: string, poolSize: number, bounds?: StatementBounds): Sql {
  const { url, name, hosts, folder, needsPrimary } = parseDatabaseUrl(databaseUrl);
  const ssl = folder === null && readTls(url);
  // postgres.js would send both to PostgreSQL.
  for (const parameter of ['sslrootcert', ...(folder === null ? [] : ['host'])]) {
    url.searchParams.delete(parameter);
  }
  return postgres(url.href, {
    max: poolSize,
    // The types of postgres.js know one host only.
    host: hosts.map(({ host }) => host) as string[] & string,
    port: hosts.map(({ port }) => port) as number[] & number,
    ...(folder !== null && { path: `${folder}/.s.PGSQL.${hosts[0]!.port}` }),
    // postgres.js takes the name as it stands in the URL.
    ...(name && { database: name }),
    ssl,
    ...(needsPrimary && { target_session_attrs: 'read-write' }),
    // Each new connection would fetch them, and a failure of that statement is handled nowhere (its issue 1192). Arrays
    // travel as JSON.
    fetch_types: false,
    connect_timeout: 5,
    ...(bounds && { answer_timeout: bounds.answerMs / 1000 }),
    // The default waits up to 20 s between attempts, and queries wait with it.
    backoff: (attempts: number) => Math.min(2 ** attempts / 100, 0.5),
    connection: {
      application_name: 'orderbeacon',
      // Where the database has another one, `interval '1 day'` is an hour longer or shorter on some days.
      TimeZone: 'UTC',
      ...(bounds?.arePassed && {
        statement_timeout: bounds.statementMs,
        lock_timeout: bounds.lockMs,
        idle_in_transaction_session_timeout: bounds.idleInTransactionMs,
      }),
    },
    onnotice: () => {},
  });
}
