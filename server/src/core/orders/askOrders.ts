import type { Sql } from '../../database/connection/connect.js';
import { statementsOf } from '../../database/pools.js';
import { type QueueBounds, tooManyWaiting } from '../../database/queue.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { createSemaphore } from '../../values/semaphore.js';
import { late, withTimeout } from '../../values/withTimeout.js';

/** Limits of work that is several statements, each of which can wait for a lock. */
interface WorkLimits {
  /** Concurrent works of all teams. */
  concurrent: number;
  /** Of these, the ones that a single team leaves to the others. */
  leftToOthers: number;
  /** The answer to work that took too long; the log says so too. */
  tookTooLong: string;
}

/**
 * Limits such work apart from the queue of new orders, which a locked row then does not hold up. Work is given up after twice
 * `waitAtMostMs`, the wait for its turn included. It may still be done then, as with a lost connection.
 */
export function limitWork(
  { rowsWaiting, rowsWaitingOfGroup, waitAtMostMs }: QueueBounds,
  { concurrent, leftToOthers, tookTooLong }: WorkLimits,
) {
  const { run, load } = createSemaphore({
    concurrent,
    concurrentPerKey: concurrent - leftToOthers,
    waiting: rowsWaiting,
    waitingPerKey: rowsWaitingOfGroup,
    waitAtMostMs,
    message: tooManyWaiting,
  });
  return {
    load,
    /** @throws ApiError `unavailable`; `Overloaded` when too much waits */
    async run<Result>(teamId: Uuid, work: () => Promise<Result>): Promise<Result> {
      const result = await withTimeout(2 * waitAtMostMs, run(work, teamId));
      if (result === late) throw new ApiError('unavailable', { message: tookTooLong });
      return result;
    },
  };
}

/** Runs statements about the stored orders of a team: refunds, and reading of orders. Rejects as `limitWork` says. */
export type AskOrders = <Result>(teamId: Uuid, statements: (sql: Sql) => Promise<Result>) => Promise<Result>;

/** Makes the function that runs such statements. */
export function createAskOrders(sql: Sql, bounds: QueueBounds): AskOrders {
  const { run } = limitWork(bounds, {
    concurrent: statementsOf.storedOrders,
    leftToOthers: 1,
    tookTooLong: 'Reading or changing the order took too long; try again.',
  });
  return (teamId, statements) => run(teamId, () => statements(sql));
}
