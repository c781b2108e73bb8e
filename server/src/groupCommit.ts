import { ApiError } from './errors.js';
import { isDatabaseAway, isLostRace } from './sql/failures.js';

/** How much waits and runs at once. */
export interface GroupCommitLimits {
  /** Rows of one statement. */
  batchRows: number;
  /** Statements in flight at once, over all groups. */
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

interface Waiting<Row, Result> {
  row: Row;
  sinceMs: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

const attemptsAtMost = 4;

/** Fewer rows than this always share a statement. */
const splitRows = 16;

/**
 * Group commit: rows that arrive while statements are in flight wait and go together in the next one, so
 * that many share a commit. A lone row goes at once: nothing waits for a timer, only for the end of the
 * current turn of the event loop, which is what lets requests that arrived together travel together.
 *
 * Rows of different groups (teams) never share a statement, and groups take turns. `run` must be atomic: it
 * resolves with one result a row, after the commit, or rejects with nothing stored. Then a deadlock is tried
 * again, an absent database refuses the batch with 503, and for anything else the batch is split until the
 * one bad row fails alone.
 */
export function createGroupCommit<Row, Result>(
  run: (group: string, rows: Row[]) => Promise<Result[]>,
  limits: GroupCommitLimits,
  onBatch: (batch: Batch) => void = () => {},
) {
  const groups = new Map<string, Waiting<Row, Result>[]>();
  let waitingOrInFlight = 0;
  let inFlight = 0;
  let isFlushDue = false;

  const load = (): GroupCommitLoad => ({ rows: waitingOrInFlight, statements: inFlight });
  return { submit, load };

  /** Resolves with the row's result after the commit. Rejects with `unavailable` when too many wait, of all groups or of this one. */
  function submit(group: string, row: Row): Promise<Result> {
    const others = groups.get(group);
    const isFull =
      waitingOrInFlight >= limits.rowsWaiting || (others?.length ?? 0) >= limits.rowsWaitingOfGroup;
    if (isFull) {
      return Promise.reject(
        new ApiError('unavailable', {
          message: 'The server has more to store than it can right now; try again.',
        }),
      );
    }
    waitingOrInFlight++;
    return new Promise((resolve, reject) => {
      const waiting = { row, sinceMs: performance.now(), resolve, reject };
      if (others) others.push(waiting);
      else groups.set(group, [waiting]);
      if (!isFlushDue && inFlight < limits.statementsInFlight) {
        isFlushDue = true;
        setImmediate(flush);
      }
    });
  }

  function flush() {
    isFlushDue = false;
    for (const [group, waiting] of groups) {
      if (inFlight >= limits.statementsInFlight) return;
      // What waits is spread over the free statements, so that the database works on one half while the
      // answers of the other go out; small batches are not worth another commit.
      const fair = Math.ceil(waiting.length / (limits.statementsInFlight - inFlight));
      const batch = waiting.splice(0, Math.min(limits.batchRows, Math.max(fair, splitRows)));
      // A group that has more goes to the end of the line.
      groups.delete(group);
      if (waiting.length > 0) groups.set(group, waiting);
      inFlight++;
      onBatch({ rows: batch.length, waitedMs: performance.now() - batch[0]!.sinceMs });
      void settle(group, batch).finally(() => {
        inFlight--;
        waitingOrInFlight -= batch.length;
        flush();
      });
    }
  }

  async function settle(group: string, batch: Waiting<Row, Result>[], attempt = 1): Promise<void> {
    try {
      const results = await run(
        group,
        batch.map(({ row }) => row),
      );
      for (const [at, { resolve }] of batch.entries()) resolve(results[at]!);
    } catch (error) {
      if (isLostRace(error) && attempt < attemptsAtMost) return settle(group, batch, attempt + 1);
      const reason = isDatabaseAway(error) ? new ApiError('unavailable', { cause: error }) : error;
      if (reason instanceof ApiError || batch.length === 1) {
        for (const { reject } of batch) reject(reason);
        return;
      }
      const middle = batch.length >> 1;
      await settle(group, batch.slice(0, middle));
      await settle(group, batch.slice(middle));
    }
  }
}
