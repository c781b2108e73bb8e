import type { Sql } from '../../database/connection/connect.js';
import { isDistributed } from './distributedTables.js';

/** The two forms of a statement. Each stores all or nothing. */
export interface StatementForms<Args extends unknown[], Result> {
  /** The form for tables in one PostgreSQL. It also works on distributed tables, but through the coordinator. */
  local(...args: Args): PromiseLike<Result>;
  /** The form for tables that are distributed over a Citus cluster. */
  distributed(...args: Args): PromiseLike<Result>;
}

/**
 * Time after which a server checks again if the tables are distributed, once it has found them in one PostgreSQL. They may be
 * distributed while the server runs.
 */
const lookAgainMs = 10_000;

/** Creates a function that runs a statement in the form for the current tables: in one PostgreSQL, or distributed. */
export function byDistribution<Args extends unknown[], Result>(
  sql: Sql,
  { local, distributed }: StatementForms<Args, Result>,
): (...args: Args) => Promise<Result> {
  let isFound: boolean | undefined;
  let lookedMs = 0;

  return async function run(...args) {
    const isDue = isFound === undefined || (!isFound && performance.now() - lookedMs >= lookAgainMs);
    if (isDue) {
      lookedMs = performance.now();
      isFound = await isDistributed(sql);
    }
    return isFound ? distributed(...args) : local(...args);
  };
}
