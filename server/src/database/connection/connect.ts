import postgres from '#postgres';
import { parseDatabaseUrl } from '../../values/databaseUrl.js';
import { passedSettings, trackedSettings } from './sessionSettings.js';
import { readTls, tlsParameters } from './tls.js';
import { readParameters } from './urlParameters.js';

/** A pool of connections, or a transaction; the first parameter of every statement. */
export type Sql = postgres.Sql;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Time limits of statements; 0 leaves the database's own. */
export interface StatementBounds {
  /** `statement_timeout`. */
  statementMs: number;
  /** `lock_timeout`: how long a statement may wait for each lock. */
  lockMs: number;
  /** `idle_in_transaction_session_timeout`: how long PostgreSQL keeps the locks of a server that has vanished. */
  idleInTransactionMs: number;
  /**
   * False if a pooler does not accept the three above, and `passedSettings`, as connection parameters. Only `answerMs` applies
   * then.
   */
  arePassed: boolean;
  /** Time limit for an answer, measured in this process. It is above `statementMs`, so that a live database answers first. */
  answerMs: number;
}

/** Time limits of every server. Tests use shorter ones. */
export const statementBounds: StatementBounds = {
  statementMs: 10_000,
  lockMs: 3_000,
  idleInTransactionMs: 30_000,
  arePassed: true,
  answerMs: 12_000,
};

/** Time limits of a command: only those of the database. */
export const unbounded: StatementBounds = {
  statementMs: 0,
  lockMs: 0,
  idleInTransactionMs: 0,
  arePassed: true,
  answerMs: 0,
};

/**
 * Name of connections, with the first release whose servers work with this schema. Servers before it are called `orderbeacon` only.
 * A migration that breaks these servers recognizes them by it.
 */
const applicationName = 'orderbeacon 0.5';

/**
 * Connects postgres.js to a URL; of several hosts, to the one that accepts writes. The copy in `#postgres` is patched:
 * `server/patches/postgres.patch` describes how it treats lost connections. Connects with the first statement.
 * @param bounds default: none; a parameter of the URL, such as `statement_timeout=500`, takes precedence
 * @param options.idleSeconds time after which a connection without a statement is closed; default: never
 * @param options.plansEachTime true plans each statement for its values when it runs; by default PostgreSQL keeps plans
 * @param options.onAway called if PostgreSQL refuses a connection because it is stopping or starting; called with true if a
 *   connection has been silent for `answerMs`
 */
export function connect(
  databaseUrl: string,
  poolSize: number,
  bounds: StatementBounds = unbounded,
  {
    idleSeconds,
    plansEachTime = false,
    onAway,
  }: { idleSeconds?: number; plansEachTime?: boolean; onAway?: (isLost: boolean) => void } = {},
): Sql {
  const { url, name, hosts, folder, needsPrimary } = parseDatabaseUrl(databaseUrl);
  const ssl = folder === null && readTls(url);
  for (const parameter of tlsParameters) url.searchParams.delete(parameter);
  const { prepares, connectSeconds, isTlsDirect, settings } = readParameters(url);
  // postgres.js would send its parameters to PostgreSQL, or use them itself.
  url.search = '';
  return postgres(url.href, {
    max: poolSize,
    // The types of postgres.js allow only one host.
    host: hosts.map(({ host }) => host) as string[] & string,
    port: hosts.map(({ port }) => port) as number[] & number,
    ...(folder !== null && { path: `${folder}/.s.PGSQL.${hosts[0]!.port}` }),
    // postgres.js does not decode the name in the URL.
    ...(name && { database: name }),
    ssl,
    ...(isTlsDirect && { sslnegotiation: 'direct' }),
    ...(needsPrimary && { target_session_attrs: 'read-write' }),
    // Each new connection would fetch the types, and a failure of that statement is handled nowhere (its issue 1192). So lists are
    // sent as texts, most of them as JSON.
    fetch_types: false,
    prepare: prepares && !plansEachTime,
    connect_timeout: connectSeconds,
    ...(idleSeconds && { idle_timeout: idleSeconds }),
    ...(onAway && { onaway: onAway }),
    ...(bounds.answerMs > 0 && { answer_timeout: bounds.answerMs / 1000 }),
    // The default waits up to 20 s between attempts, and queries wait with it.
    backoff: (attempts: number) => Math.min(2 ** attempts / 100, 0.5),
    connection: {
      application_name: applicationName,
      // postgres.js leaves out a 0.
      ...(bounds.arePassed && {
        statement_timeout: bounds.statementMs,
        lock_timeout: bounds.lockMs,
        idle_in_transaction_session_timeout: bounds.idleInTransactionMs,
      }),
      // Last, so that no parameter of the URL changes the answers.
      ...settings,
      ...(bounds.arePassed && passedSettings),
      ...trackedSettings,
    } as Record<string, string | number>,
    onnotice: () => {},
  });
}

/**
 * Closes the connections of a pool. The next statement opens a new one.
 * @param isLost false: closes each after its statements have ended; true: closes the idle ones, because the database does not
 *   answer on them
 */
export function leaveConnections(sql: Sql, isLost: boolean): void {
  (sql as Sql & { leave(isLost: boolean): void }).leave(isLost);
}
