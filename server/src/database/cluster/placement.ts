import type { Sql } from '../connection/connect.js';
import { isDistributed } from './distributedTables.js';

/** A statement in the two forms that it has. */
export interface PlacedStatement<Args extends unknown[], Result> {
  /** For tables that lie in one PostgreSQL. */
  local(...args: Args): PromiseLike<Result>;
  /** For tables that are distributed over a Citus cluster. */
  distributed(...args: Args): PromiseLike<Result>;
}

/** The place of the tables: in one PostgreSQL, or distributed over a Citus cluster by team. */
export interface Placement {
  /** False until the tables were found distributed; asks nothing. */
  isFoundDistributed(): boolean;
  /**
   * Makes one function of the two forms of a statement, which must be atomic. Tables may be distributed while a server
   * runs. The local form fails then with nothing stored, and the other form runs in its place.
   */
  choose<Args extends unknown[], Result>(
    statement: PlacedStatement<Args, Result>,
  ): (...args: Args) => Promise<Result>;
}

/**
 * SQLSTATEs with which a local statement fails on distributed tables: foreign_key_violation, because Citus stores an
 * order before its buyer, and feature_not_supported.
 */
const signsOfDistribution = new Set<unknown>(['23503', '0A000']);

/** Asks once where the tables lie, and again when a statement fails as it would on distributed tables. */
export function createPlacement(sql: Sql): Placement {
  let found: boolean | undefined;

  async function look(): Promise<boolean> {
    found = await isDistributed(sql);
    return found;
  }

  return {
    isFoundDistributed: () => found === true,
    choose({ local, distributed }) {
      return async function run(...args) {
        if (found ?? (await look())) return distributed(...args);
        try {
          return await local(...args);
        } catch (error) {
          if (signsOfDistribution.has((error as { code?: unknown }).code) && (await look()))
            return distributed(...args);
          throw error;
        }
      };
    },
  };
}
