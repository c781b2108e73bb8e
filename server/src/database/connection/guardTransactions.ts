import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres';
import { isConnectionLost } from '../failures.js';

type Run<Result> = (tx: TransactionSql) => Result | Promise<Result>;
/** A query with the members that the types of postgres.js leave out. */
type Query = PendingQuery<Row[]> & { handler?: (query: Query) => void; reject(reason: unknown): void };

/**
 * Ends a pool's transactions when their connection is lost. postgres.js 3.4.9 lets such a transaction continue (its
 * issues 1215 and 1216): its next statement, or its rollback, is written to a socket that is null, which ends the
 * process; or, if the pool has opened that connection again, into the transaction that runs there now. With the guard
 * the transaction rejects immediately, its later statements reject without being sent, and no rollback is sent.
 */
export function guardTransactions(sql: Sql): void {
  const begin = sql.begin.bind(sql) as (options: string, run: Run<unknown>) => Promise<unknown>;
  sql.begin = ((...args: [Run<unknown>] | [string, Run<unknown>]) => {
    const [options, run] = args.length === 1 ? ['', args[0]] : args;
    return runGuarded((wrap) => begin(options, wrap(run)));
  }) as typeof sql.begin;
}

/** Runs one transaction. `start` begins it, and has to pass the transaction's function through `wrap`. */
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

  /**
   * Wraps the function of a transaction or savepoint. postgres.js ends either when its function settles, so after a loss
   * it never does.
   */
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

  /** Notices a loss before the query's caller does. Names and lists of columns have no handler. */
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
