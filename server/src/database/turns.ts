import { Overloaded } from '../values/errors.js';
import { createSemaphore } from '../values/semaphore.js';
import { late, withTimeout } from '../values/withTimeout.js';
import type { Sql } from './connection/connect.js';
import { type QueueBounds, tooManyWaiting } from './queue.js';

/**
 * Runs statements of a group of callers, such as a team, at its turn. They then have a connection. Groups that wait take turns.
 * Rejects as described at `createTurns`, and with the statements' errors.
 * @param group the team's id, or another name of the group
 */
export type InTurn = <Result>(
  group: string,
  statements: (sql: Sql) => PromiseLike<Result>,
) => Promise<Result>;

/** Limits of turns, in addition to those of waiting. */
interface TurnLimits {
  /** Turns that run concurrently, of all groups. */
  concurrent: number;
  /** The number of these turns that a single group leaves to the others. */
  leftToOthers: number;
  /** The message of a refusal because too many others wait, or because the caller has waited too long; default: that of a queue. */
  tooManyWait?: string;
  /**
   * The message if a turn took too long: twice `waitAtMostMs`, including the wait. Its statements may still succeed then, as with a
   * lost connection. Default: a turn has no time limit except those of its statements.
   */
  tookTooLong?: string;
}

/**
 * Creates turns for work of several statements that can wait for locks. They are separate from the queue of new orders, so that a
 * locked row does not delay that queue.
 * @returns `inTurn` rejects with `Overloaded` if too many wait, of all groups or of this one, or if a time limit is exceeded;
 *   `load` counts the turns that wait or run
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

/** Runs the statements of a command without waiting for a turn, because a command shares its connections with no other caller. */
export const withoutTurns =
  (sql: Sql): InTurn =>
  async (_group, statements) =>
    statements(sql);
