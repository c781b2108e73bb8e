import { type QueueBounds, tooManyWaiting } from '../database/batch/queueBounds.js';
import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';
import { late, withTimeout } from '../values/withTimeout.js';

/**
 * Runs statements about the stored orders of a team. Rejects with `unavailable` when too many wait, and after twice the
 * time that one may wait for its turn. They may still be done then, as with a lost connection.
 */
export type AskOrders = <Result>(teamId: Uuid, statements: (sql: Sql) => Promise<Result>) => Promise<Result>;

/**
 * Limits refunds and reading of orders, with statements of their own: a locked row holds up no report. One team leaves a
 * statement to the others.
 */
export function createAskOrders(sql: Sql, bounds: QueueBounds): AskOrders {
  const { run } = createSemaphore({
    concurrent: statementsOf.storedOrders,
    concurrentPerKey: statementsOf.storedOrders - 1,
    waiting: bounds.rowsWaiting,
    waitingPerKey: bounds.rowsWaitingOfGroup,
    waitAtMostMs: bounds.waitAtMostMs,
    message: tooManyWaiting,
  });
  return async function askOrders(teamId, statements) {
    const result = await withTimeout(
      2 * bounds.waitAtMostMs,
      run(() => statements(sql), teamId),
    );
    if (result === late)
      throw new ApiError('unavailable', {
        message: 'Reading or changing the order took too long; try again.',
      });
    return result;
  };
}
