import type { Sql } from '../../database/connection/connect.js';
import { isDistributed } from './distributedTables.js';

/** A statement in the two forms that it has; each stores all or nothing. */
export interface StatementForms<Args extends unknown[], Result> {
  /** For tables that lie in one PostgreSQL. */
  local(...args: Args): PromiseLike<Result>;
  /** For tables that are distributed over a Citus cluster. */
  distributed(...args: Args): PromiseLike<Result>;
}

/**
 * SQLSTATE foreign_key_violation. A local statement fails with it on distributed tables, because Citus stores an order
 * before its buyer; in one PostgreSQL it is rare: a team was removed meanwhile.
 */
const signOfDistribution = '23503';

/**
 * Makes one function of the two forms of a statement, by the distribution of the tables. Asks once where they lie. They may
 * be distributed while a server runs: the local form fails then with nothing stored, it asks again, and the other form runs
 * in its place.
 */
export function byDistribution<Args extends unknown[], Result>(
  sql: Sql,
  { local, distributed }: StatementForms<Args, Result>,
): (...args: Args) => Promise<Result> {
  let isFound: boolean | undefined;

  const look = async () => (isFound = await isDistributed(sql));

  return async function run(...args) {
    if (isFound ?? (await look())) return distributed(...args);
    try {
      return await local(...args);
    } catch (error) {
      if ((error as { code?: unknown }).code === signOfDistribution && (await look()))
        return distributed(...args);
      throw error;
    }
  };
}
