import { connect, leaveConnections, type Sql, type StatementBounds } from './connection/connect.js';

/**
 * Number of statements of each use that may run concurrently. Each use limits itself by a queue or a semaphore, and the pools have
 * a connection for each statement. So no statement ever waits for one of another use.
 */
export const statementsOf = {
  /** Statements that store new orders, one of a team at a time. */
  newOrders: 4,
  /** Reports of known orders, which may wait for locked rows. */
  knownOrders: 5,
  /** Events of sources, refunds, and orders that backends read. They may wait for locked rows. A team may use all but two of them. */
  storedOrders: 4,
  signingKeys: 2,
  senders: 2,
  enrollments: 2,
  products: 2,
  /** Statements of the console's pages. A team may use all but one of them. */
  console: 3,
  /** Transactions that keep refused reports. */
  refused: 1,
};

const { newOrders, refused, console, ...others } = statementsOf;

/**
 * Connections of a server, by pool:
 * - `orders`: only new orders. It is a pool of one connection for each lane, because statements that are sent on the same
 *   connection wait for each other.
 * - `work`: everything else that a request waits for
 * - `console`: pages of the console. Each statement is planned each time. Otherwise PostgreSQL keeps a plan from when the tables
 *   were nearly empty, until they are analysed: a year's overview took 1.4 s instead of 23 ms.
 * - `watch`: health and metrics
 * - `refused`: refused reports
 * - `hooks`: deliveries to hooks. All of their statements are short, and wait for no long statement of another job.
 * - `background`: all other background work; its statements may wait for each other
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

/** Connections of a server at full speed. */
export const connectionsNeeded = Object.values(connectionsOf).reduce((sum, connections) => sum + connections);

/**
 * Divides connections among the pools in the ratio of `connectionsOf`, at most as many as needed. Each pool has at least one,
 * except `console` and `hooks`, which may have 0: they then share another pool.
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

export interface Pools extends Record<Exclude<keyof typeof connectionsOf, 'orders'>, Sql> {
  orders: readonly Sql[];
}

/**
 * Time limits of statements for health probes and for keeping refused reports. Probes give up after 2 s, and a longer query would
 * delay the next probe. A refused report that is not kept by then is sent again.
 */
const watchBounds = { statementMs: 2_000, lockMs: 1_000, answerMs: 3_000 };

/**
 * Opens the pools of a server. Each connects when it is first used. A PostgreSQL that is stopping refuses new connections and waits
 * for the old ones. So after a refusal, all connections are closed as soon as they are idle. If a connection is silent, all idle
 * ones are closed, too, because they have probably lost the same network.
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
 * Ends all pools of a server concurrently, so that an unresponsive PostgreSQL is waited for only once.
 * @param options.timeout seconds that statements have to end; default: no limit
 */
export function endPools(pools: Pools, options?: { timeout: number }): Promise<unknown> {
  return Promise.all(
    Object.values(pools)
      .flat()
      .map((pool: Sql) => pool.end(options)),
  );
}
