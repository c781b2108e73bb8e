import { isDatabaseAway } from './database/failures.js';
import { retryConflicts } from './database/retryConflicts.js';
import { ApiError } from './errors.js';

/** Bounds of what waits and runs at once. */
export interface GroupCommitBounds {
  /** Rows of one statement. */
  batchRows: number;
  /** Statements in flight at once, each of another group. */
  statementsInFlight: number;
  /** Rows waiting or in flight; one more is refused with 503 instead of filling the memory. */
  rowsWaiting: number;
  /** Rows waiting of one group; less than `rowsWaiting`, so that a group that floods leaves room for the others. */
  rowsWaitingOfGroup: number;
}

/** A batch that sets out. */
export interface Batch {
  rows: number;
  /** How long its oldest row has waited for a free statement. */
  waitedMs: number;
}

/** What a group commit holds right now. */
export interface GroupCommitLoad {
  /** Rows that wait or are in flight. */
  rows: number;
  /** Statements in flight. */
  statements: number;
}

interface WaitingRow<Row, Result> {
  row: Row;
  sinceMs: number;
  resolve(result: Result | Promise<Result>): void;
  reject(reason: unknown): void;
}

/** As many rows may always share a statement. */
const wholeRows = 4;

/**
 * Group commit: rows of a group (team) that arrive while its statement is in flight wait and go together in
 * the next one, so that many share a commit. A lone row goes at once: nothing waits for a timer, only for the
 * end of the current turn of the event loop, which is what lets requests that arrived together travel
 * together. The next statement sets out before the answers of the last one do, so that the database works
 * meanwhile; and it takes half of all that is unanswered at most, so that this process has the other half to
 * work on (256 connections: 15 % more orders a second). A second statement of the same group would only meet
 * the first one at the same indexes: with 64 connections, one in flight stored 11 % more than two.
 *
 * Rows of different groups never share a statement, and groups take turns. `run` must be atomic: it resolves
 * with one result a row, after the commit, or rejects with nothing stored. Then a deadlock is tried again, an
 * absent database refuses the batch with 503, and for anything else the batch is split until the one bad row
 * fails alone. A result may be a promise itself: that row takes longer, and holds up no other.
 */
export function createGroupCommit<Row, Result>(
  run: (group: string, rows: Row[]) => Promise<(Result | Promise<Result>)[]>,
  bounds: GroupCommitBounds,
  onBatch: (batch: Batch) => void = () => {},
) {
  const groups = new Map<string, WaitingRow<Row, Result>[]>();
  const inFlight = new Set<string>();
  let unanswered = 0;
  let isFlushDue = false;

  const load = (): GroupCommitLoad => ({ rows: unanswered, statements: inFlight.size });
  return { submit, load };

  /** Resolves with the row's result after the commit. Rejects with `unavailable` when too many wait, of all groups or of this one. */
  function submit(group: string, row: Row): Promise<Result> {
    const others = groups.get(group);
    if (unanswered >= bounds.rowsWaiting || (others?.length ?? 0) >= bounds.rowsWaitingOfGroup) {
      return Promise.reject(
        new ApiError('unavailable', {
          message: 'The server has more to store than it can right now; try again.',
        }),
      );
    }
    unanswered++;
    return new Promise((resolve, reject) => {
      const waiting = { row, sinceMs: performance.now(), resolve, reject };
      if (others) others.push(waiting);
      else groups.set(group, [waiting]);
      if (!isFlushDue && inFlight.size < bounds.statementsInFlight && !inFlight.has(group)) {
        isFlushDue = true;
        setImmediate(flush);
      }
    });
  }

  function flush() {
    isFlushDue = false;
    for (const [group, waiting] of groups) {
      if (inFlight.size >= bounds.statementsInFlight) return;
      if (inFlight.has(group)) continue;
      const batch = waiting.splice(0, Math.min(bounds.batchRows, Math.max(wholeRows, unanswered >> 1)));
      // A group that has more goes to the end of the line.
      groups.delete(group);
      if (waiting.length > 0) groups.set(group, waiting);
      inFlight.add(group);
      onBatch({ rows: batch.length, waitedMs: performance.now() - batch[0]!.sinceMs });
      void runBatch(group, batch).then((answer) => {
        inFlight.delete(group);
        flush();
        answer();
      });
    }
  }

  /** Resolves when the statement has ended, with what tells each row how it went. */
  async function runBatch(group: string, batch: WaitingRow<Row, Result>[]): Promise<() => void> {
    const rows = batch.map(({ row }) => row);
    try {
      const results = await retryConflicts(() => run(group, rows));
      return () => {
        for (const [at, { resolve }] of batch.entries()) {
          const result = results[at]!;
          if (result instanceof Promise) result.then(done, done);
          else done();
          resolve(result);
        }
      };
    } catch (error) {
      const reason = isDatabaseAway(error) ? new ApiError('unavailable', { cause: error }) : error;
      if (reason instanceof ApiError || batch.length === 1) {
        return () => {
          for (const { reject } of batch) {
            done();
            reject(reason);
          }
        };
      }
      const middle = batch.length >> 1;
      const answers = [
        await runBatch(group, batch.slice(0, middle)),
        await runBatch(group, batch.slice(middle)),
      ];
      return () => {
        for (const answer of answers) answer();
      };
    }
  }

  function done() {
    unanswered--;
  }
}
