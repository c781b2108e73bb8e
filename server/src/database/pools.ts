import { groupCommitBounds } from './batch/groupCommitBounds.js';
import { connect, type Sql, type StatementBounds } from './connection/connect.js';

/**
 * Connections of a server, one for each statement that may run concurrently:
 * - `newOrders`: statements that store new orders, one of a team at a time
 * - `main`: 2 each for enrollments, product look-ups, the sender cache and signing keys, 1 for sources
 * - `known`: reports of known orders, which may wait for locked rows
 * - `orders`: refunds, which may wait for locked rows, and orders that backends read
 * - `watch`: health and metrics
 * - `console`: the merchant's pages
 * - `refused`: refused reports
 * - `hooks`: deliveries to hooks, 1 to claim them and write their outcomes, 1 to read what they are about
 */
export const connectionsOf = {
  newOrders: groupCommitBounds.statementsInFlight,
  main: 9,
  known: 5,
  orders: 3,
  watch: 2,
  console: 2,
  refused: 1,
  hooks: 2,
};

/** The pools of a server. */
export type Pools = Record<keyof typeof connectionsOf, Sql>;

/**
 * Health probes give up after 2 s, so their queries must not run longer: one that hangs would hold up the next. A refused
 * report that is not kept by then is sent again.
 */
const watchBounds = { statementMs: 2_000, lockMs: 1_000, answerMs: 3_000 };

/** Opens the pools of a server; each connects when it is first used. */
export function openPools(databaseUrl: string, bounds: StatementBounds): Pools {
  return {
    newOrders: connect(databaseUrl, connectionsOf.newOrders, bounds),
    main: connect(databaseUrl, connectionsOf.main, bounds),
    known: connect(databaseUrl, connectionsOf.known, bounds),
    orders: connect(databaseUrl, connectionsOf.orders, bounds),
    watch: connect(databaseUrl, connectionsOf.watch, { ...bounds, ...watchBounds }),
    console: connect(databaseUrl, connectionsOf.console, bounds),
    refused: connect(databaseUrl, connectionsOf.refused, { ...bounds, ...watchBounds }),
    hooks: connect(databaseUrl, connectionsOf.hooks, bounds),
  };
}

/**
 * Ends every pool of a server, together, so that a PostgreSQL that has stopped answering is waited for once.
 * @param options.timeout seconds that statements have to end; default: no limit
 */
export function endPools(pools: Pools, options?: { timeout: number }): Promise<unknown> {
  return Promise.all(Object.values(pools).map((pool) => pool.end(options)));
}
