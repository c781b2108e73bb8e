import postgres from 'postgres';
import { parseDatabaseUrl } from '../../values/databaseUrl.js';
import { takeTls } from './beginTls.js';
import { createHostChoice } from './chooseHost.js';
import { collectRows } from './collectRows.js';
import { guardEnd } from './guardEnd.js';
import { guardReserve } from './guardReserve.js';
import { guardTransactions } from './guardTransactions.js';
import { createSockets, type Sockets, startupPadding } from './sockets.js';
import type { WatchedSocket } from './watchSocket.js';

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

const connectTimeoutSeconds = 5;

/**
 * Connects postgres.js to a URL; of several hosts, to the one that takes writes. A socket folder is named as in libpq,
 * `postgres://user@/name?host=/folder`, which postgres.js itself does not read. Connects with the first statement.
 * @param bounds default: none, because a command may take as long as it needs; a parameter of the URL, such as
 * `statement_timeout=500`, takes precedence
 * @param neighbours see `createSockets`
 */
export function connect(
  databaseUrl: string,
  poolSize: number,
  bounds?: StatementBounds,
  neighbours?: Set<WatchedSocket>,
): Sql {
  const { url, name, hosts, needsPrimary } = parseDatabaseUrl(databaseUrl);
  const sockets = createSockets(connectTimeoutSeconds * 1000, {
    answerMs: bounds?.answerMs ?? null,
    tls: takeTls(url),
    hosts: createHostChoice(hosts, needsPrimary),
    ...(neighbours && { neighbours }),
  });
  const folder = url.searchParams.get('host');
  const isFolder = folder?.startsWith('/');
  if (isFolder) url.searchParams.delete('host');
  const sql = postgres(url.href, {
    ...options(poolSize, sockets.openSocket, bounds),
    // postgres.js 3.4.9 takes the name as it stands in the URL.
    ...(name && { database: name }),
    ...(isFolder && { path: `${folder}/.s.PGSQL.${url.port || 5432}` }),
  });
  guardTransactions(sql);
  guardReserve(sql);
  guardEnd(sql, sockets.destroyAll);
  collectRows(sql);
  return sql;
}

/** Connects pools of one connection each. Where one finds its connection lost, the idle ones of the others are closed too. */
export function connectLanes(databaseUrl: string, count: number, bounds: StatementBounds): Sql[] {
  const neighbours = new Set<WatchedSocket>();
  return Array.from({ length: count }, () => connect(databaseUrl, 1, bounds, neighbours));
}

function options(poolSize: number, openSocket: Sockets['openSocket'], bounds: StatementBounds | undefined) {
  return {
    max: poolSize,
    // Each new connection would fetch them, and postgres.js 3.4.9 does not handle a failure of that statement
    // (`fetchArrayTypes`): a connection that was reset meanwhile ended the process. Arrays travel as JSON.
    fetch_types: false,
    connect_timeout: connectTimeoutSeconds,
    // The default waits up to 20 s between attempts, and queries wait with it.
    backoff: (attempts: number) => Math.min(2 ** attempts / 100, 0.5),
    // Begun by `openSocket`.
    ssl: false,
    socket: openSocket,
    connection: {
      application_name: 'orderbeacon',
      // Where the database has another one, `interval '1 day'` is an hour longer or shorter on some days.
      TimeZone: 'UTC',
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
