import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres';
import { isConnectionLost } from '../failures.js';

type Run<Result> = (tx: TransactionSql) => Result | Promise<Result>;
/** What postgres.js has in its queries and not in its types. */
type Query = PendingQuery<Row[]> & { handler?: (query: Query) => void; reject(reason: unknown): void };

/**
 * Makes a pool's transactions end where their connection does. postgres.js 3.4.9 lets a transaction go on that
 * has lost it (its issues 1215 and 1216): its next statement, or its rollback, is written to a socket that is
 * null, which ends the process; or, where the pool has opened that connection again, into the transaction that
 * runs there now. Here the transaction rejects at once, its later statements reject without being sent, and
 * nothing is sent to end what has ended.
 */
export function guardTransactions(sql: Sql): void {
  const begin = sql.begin.bind(sql) as (options: string, run: Run<unknown>) => Promise<unknown>;
  sql.begin = ((...args: [Run<unknown>] | [string, Run<unknown>]) => {
    const [options, run] = args.length === 1 ? ['', args[0]] : args;
    return runGuarded((wrap) => begin(options, wrap(run)));
  }) as typeof sql.begin;
}

/** Runs one transaction; `start` is given what has to go around its function. */
function runGuarded(start: (wrap: (run: Run<unknown>) => Run<unknown>) => Promise<unknown>) {
  let isLost = false;
  let reason: unknown;
  let rejectLost = (_: unknown): void => {};
  const lost = new Promise<never>((_, reject) => {
    rejectLost = reject;
  });

  function notice(error: unknown): void {
    if (isLost || !isConnectionLost(error)) return;
    isLost = true;
    reason = error;
    rejectLost(error);
  }

  /** postgres.js ends the transaction or savepoint when this settles: once the connection is lost it never does. */
  function wrap(run: Run<unknown>): Run<unknown> {
    return async (tx) => {
      try {
        const result = await run(watchStatements(tx));
        return isLost ? new Promise(() => {}) : result;
      } catch (error) {
        notice(error);
        return isLost ? new Promise(() => {}) : Promise.reject(error);
      }
    };
  }

  function watchStatements(tx: TransactionSql): TransactionSql {
    const watched = (...args: Parameters<TransactionSql>) => watch(tx(...args) as unknown as Query);
    return Object.assign(watched, tx, {
      unsafe: (...args: Parameters<TransactionSql['unsafe']>) => watch(tx.unsafe(...args) as Query),
      savepoint: async (run: Run<unknown>) => {
        if (isLost) throw reason;
        try {
          return await tx.savepoint(wrap(run));
        } catch (error) {
          notice(error);
          throw error;
        }
      },
    }) as unknown as TransactionSql;
  }

  /** A query notices the loss before its caller hears of it. Names and lists of columns have no handler. */
  function watch(query: Query): Query {
    const { handler } = query;
    if (!handler) return query;
    query.handler = (executed) => {
      if (isLost) return executed.reject(reason);
      executed.catch(notice);
      handler(executed);
    };
    return query;
  }

  const transaction = start(wrap);
  transaction.catch(notice);
  return Promise.race([transaction, lost]);
}
