import type { TransactionSql } from 'postgres';
import type { Sql } from './connection/connect.js';
import { isRetryableConflict } from './failures.js';

/**
 * Runs statements in one transaction: commits if `run` resolves, rolls back if it rejects. If `sql` is a transaction, the
 * statements are a part of it.
 */
export function inTransaction<Result>(sql: Sql, run: (tx: Sql) => Promise<Result>): Promise<Result> {
  if (sql.begin === undefined) return run(sql);
  // A transaction of postgres.js runs statements as the pool does; only its type differs.
  return sql.begin((tx) => run(tx as unknown as Sql)) as Promise<Result>;
}

/** Runs statements of a transaction in a savepoint: if `run` rejects, only they are rolled back. */
export function inSavepoint<Result>(tx: Sql, run: (tx: Sql) => Promise<Result>): Promise<Result> {
  return (tx as unknown as TransactionSql).savepoint((inner) =>
    run(inner as unknown as Sql),
  ) as Promise<Result>;
}

/** Most attempts after conflicts. If there are more conflicts, they have another cause, and the error is reported. */
export const attemptsAtMost = 5;

/** Runs a statement or transaction, and runs it again after a conflict with a concurrent one. Rejects with the last error. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryableConflict(error) || attempt === attemptsAtMost) throw error;
    }
  }
}
