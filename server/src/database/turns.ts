import { Overloaded } from '../values/errors.js';
import { createSemaphore } from '../values/semaphore.js';
import { late, withTimeout } from '../values/withTimeout.js';
import type { Sql } from './connection/connect.js';
import { type QueueBounds, tooManyWaiting } from './queue.js';

/**
 * Runs statements of a team, or of another group of callers, when it is their turn: then they have a connection, and groups that
 * wait take turns. Rejects as `createTurns` says, and as the statements do.
 * @param group the team's id, or the name of the group
 */
export type InTurn = <Result>(
  group: string,
  statements: (sql: Sql) => PromiseLike<Result>,
) => Promise<Result>;

/** Limits of turns, beside those of waiting. */
interface TurnLimits {
  /** Turns that go on concurrently, of all groups. */
  concurrent: number;
  /** Of these, the ones that a single group leaves to the others. */
  leftToOthers: number;
  /** The answer to a caller that finds too many others waiting, or has waited too long; default: that of a queue. */
  tooManyWait?: string;
  /**
   * The answer to a turn that took too long, after twice `waitAtMostMs`, the wait included. Its statements may still succeed then,
   * as with a lost connection. Default: a turn takes as long as its statements may.
   */
  tookTooLong?: string;
}

/**
 * Limits work of several statements, each of which can wait for a lock, apart from the queue of new orders, which a locked row
 * then does not hold up.
 * @returns `inTurn` rejects with `Overloaded` when too many wait, of all groups or of this one, or when a limit of time is over;
 * `load` counts the turns that wait or go on
 */
export function createTurns(
  sql: Sql,
  { rowsWaiting, rowsWaitingOfGroup, waitAtMostMs }: Omit<QueueBounds, 'batchRows'>,
  { concurrent, leftToOthers, tooManyWait = tooManyWaiting, tookTooLong }: TurnLimits,
): { inTurn: InTurn; load: () => number } {
  const semaphore = createSemaphore({
    concurrent,
    concurrentPerKey: concurrent - leftToOthers,
    waiting: rowsWaiting,
    waitingPerKey: rowsWaitingOfGroup,
    waitAtMostMs,
    message: tooManyWait,
  });
  const run: InTurn = (group, statements) => semaphore.run(() => statements(sql), group);
  return { inTurn: tookTooLong === undefined ? run : runInTime, load: semaphore.load };

  async function runInTime<Result>(
    group: string,
    statements: (sql: Sql) => PromiseLike<Result>,
  ): Promise<Result> {
    const result = await withTimeout(2 * waitAtMostMs, run(group, statements));
    if (result === late) throw new Overloaded(tookTooLong);
    return result;
  }
}

/** Runs the statements of a command, which shares its connections with nobody, without waiting for a turn. */
export const withoutTurns =
  (sql: Sql): InTurn =>
  async (_group, statements) =>
    statements(sql);
