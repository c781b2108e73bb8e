import { connect, leaveConnections, type Sql, type StatementBounds } from './connection/connect.js';

/**
 * Statements of each use that may run concurrently. Each use limits itself to its number, by a queue or a semaphore, and
 * the pools have a connection for each statement. So no statement ever waits for one of another use.
 */
export const statementsOf = {
  /** Statements that store new orders, one of a team at a time. */
  newOrders: 4,
  /** Reports of known orders, which may wait for locked rows. */
  knownOrders: 5,
  /** Events of sources and refunds, which may wait for locked rows, and orders that backends read; a team leaves two to the others. */
  storedOrders: 4,
  signingKeys: 2,
  senders: 2,
  enrollments: 2,
  products: 2,
  /** Pages of the console; a team leaves one to the others. */
  console: 3,
  /** Transactions that keep refused reports. */
  refused: 1,
};

const { newOrders, refused, console, ...others } = statementsOf;

/**
 * Connections of a server, by pool:
 * - `orders`: new orders alone, a pool of one connection for each lane, because statements that are sent on the same connection
 *   wait for each other
 * - `work`: everything else that a request waits for
 * - `console`: pages of the console. Each statement is planned anew: PostgreSQL keeps a plan that it made while the tables were
 *   nearly empty until they are analysed, and a year's overview took 1.4 s in place of 23 ms.
 * - `watch`: health and metrics
 * - `refused`: refused reports
 * - `hooks`: deliveries to hooks, whose statements are all short, so that they wait for no long one of another job
 * - `background`: what else nobody waits for; its statements may wait for each other
 */
export const connectionsOf = {
  orders: newOrders,
  work: Object.values(others).reduce((sum, statements) => sum + statements),
  console,
  watch: 2,
  refused,
  hooks: 1,
  background: 2,
};

/** Connections of a server, by pool. */
export type PoolSizes = Record<keyof typeof connectionsOf, number>;

/** Connections of a server that is as quick as it can be. */
export const connectionsNeeded = Object.values(connectionsOf).reduce((sum, connections) => sum + connections);

/**
 * Divides connections among the pools as `connectionsOf` does, at most as many as needed. Each has one at least, but for
 * `console` and `hooks`, which may have none of their own.
 */
export function poolSizes(total: number): PoolSizes {
  const { console, hooks, ...others } = connectionsOf;
  const pools = Object.entries(others);
  const share = Math.min(1, Math.max(0, (total - pools.length) / (connectionsNeeded - pools.length)));
  const sizes = pools.map(([name, connections]) => [name, 1 + Math.floor((connections - 1) * share)]);
  return {
    ...Object.fromEntries(sizes),
    console: Math.floor(console * share),
    hooks: Math.floor(hooks * share),
  };
}

/** The pools of a server. */
export interface Pools extends Record<Exclude<keyof typeof connectionsOf, 'orders'>, Sql> {
  orders: readonly Sql[];
}

/**
 * Health probes give up after 2 s, so their queries must not run longer: one that hangs would hold up the next. A refused
 * report that is not kept by then is sent again.
 */
const watchBounds = { statementMs: 2_000, lockMs: 1_000, answerMs: 3_000 };

/**
 * Opens the pools of a server; each connects when it is first used. A PostgreSQL that is stopping takes no new connection,
 * and waits for the old ones: once it has refused one, all are closed as they come to rest, so that it ends. Once one is
 * silent, those at rest are closed, too, because they have most likely lost the same network.
 */
export function openPools(
  databaseUrl: string,
  bounds: StatementBounds,
  sizes: PoolSizes = connectionsOf,
): Pools {
  const opened: Sql[] = [];
  const onAway = (isLost: boolean) => {
    for (const sql of opened) leaveConnections(sql, isLost);
  };
  const open = (connections: number, over?: Partial<StatementBounds>, plansEachTime = false) => {
    const sql = connect(databaseUrl, connections, { ...bounds, ...over }, { plansEachTime, onAway });
    opened.push(sql);
    return sql;
  };
  const [work, background] = [open(sizes.work), open(sizes.background)];
  return {
    orders: Array.from({ length: sizes.orders }, () => open(1)),
    work,
    console: sizes.console === 0 ? work : open(sizes.console, {}, true),
    watch: open(sizes.watch, watchBounds),
    refused: open(sizes.refused, watchBounds),
    hooks: sizes.hooks === 0 ? background : open(sizes.hooks),
    background,
  };
}

/**
 * Ends every pool of a server, together, so that a PostgreSQL that has stopped answering is waited for once.
 * @param options.timeout seconds that statements have to end; default: no limit
 */
export function endPools(pools: Pools, options?: { timeout: number }): Promise<unknown> {
  return Promise.all(
    Object.values(pools)
      .flat()
      .map((pool: Sql) => pool.end(options)),
  );
}
