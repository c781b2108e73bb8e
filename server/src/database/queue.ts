import { Overloaded } from '../values/errors.js';
import { isDataError, isUnavailable } from './failures.js';
import { retryConflicts } from './inTransaction.js';

export interface QueueBounds {
  /** Most rows of one statement. */
  batchRows: number;
  /** Most rows waiting or in flight. Another row is refused with 503, so that memory does not fill up. */
  rowsWaiting: number;
  /** Most waiting rows of one group. It is less than `rowsWaiting`, so that a flooding group leaves room for the others. */
  rowsWaitingOfGroup: number;
  /** Time that a row may wait for its statement to start. A late one is refused with 503. */
  waitAtMostMs: number;
}

/**
 * Limits of a server's queues. A statement of 256 rows took 18 ms. 4,000 rows of a team are about a second of work: more are
 * refused immediately, and other teams still have room.
 */
export const queueBounds: QueueBounds = {
  batchRows: 256,
  rowsWaiting: 8_000,
  rowsWaitingOfGroup: 4_000,
  waitAtMostMs: 5_000,
};

/** The message of a refusal because too many rows wait. */
export const tooManyWaiting = 'The server has more to store than it can right now; try again.';

/** A batch that starts. */
export interface Batch {
  rows: number;
  /** Time that its oldest row has waited for a free statement. */
  waitedMs: number;
}

/** Current rows and statements of a group commit. */
export interface GroupCommitLoad {
  /** Rows that wait or are in flight. */
  rows: number;
  /** Statements in flight. */
  statements: number;
}

interface WaitingRow<Row, Result> {
  row: Row;
  sinceMs: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** The statements of a group that are in flight, all on one lane. */
interface Flight {
  /** Number of the lane, from 0. */
  lane: number;
  statements: number;
  /** Time at which the last of these statements was sent. */
  sentMs: number;
}

/**
 * Time after which no second statement is sent behind a running one. The running one may wait for a lock, and the rows behind it
 * would wait twice.
 */
const followWithinMs = 100;

/** Number of rows that may always share a statement, even if that is more than half of all unanswered rows. */
const smallBatchRows = 4;

/**
 * Creates a group commit: a queue in which rows share statements. It collects rows that arrive while a statement of their group
 * (team) is in flight, and sends them together in the next statement, so that many rows share a commit.
 *
 * A lone row is sent at the end of the current turn of the event loop, so that requests that arrived together can share a
 * statement. The next statement starts before the rows of the last one are answered, so that the database keeps working. A
 * statement takes at most half of all unanswered rows, so that this process can work on the other half (256 connections: 15 % more
 * orders a second). Two statements of a group do not run concurrently, because they would contend for the same indexes (64
 * connections: one stored 11 % more than two).
 *
 * With `isPipelined`, a second statement is sent behind the first one on its lane as soon as half of the unanswered rows wait for
 * it. The lane must be one connection: PostgreSQL then starts the second statement without waiting for this process (256
 * connections: 12 % more orders a second). No second one is sent if all lanes are taken, because another group may wait for one.
 *
 * Rows of different groups never share a statement, and groups take turns. `run` must be atomic: it resolves with one result per
 * row, in their order, after the commit, or rejects with nothing stored. See `runInParts` for what happens after a rejection.
 * @param run gets the number of the group's lane, from 0 to below `statementsInFlight`
 * @param bounds.statementsInFlight lanes: groups whose statements run concurrently; see `statementsOf`
 */
export function createGroupCommit<Row, Result>(
  run: (group: string, rows: Row[], lane: number) => Promise<Result[]>,
  bounds: QueueBounds & { statementsInFlight: number; isPipelined?: boolean },
  onBatch: (batch: Batch) => void = () => {},
) {
  /** Waiting rows; the group whose turn is next comes first. */
  const groups = new Map<string, WaitingRow<Row, Result>[]>();
  const inFlight = new Map<string, Flight>();
  /** Free lanes; the one that has been idle longest comes first, because a lost connection takes a moment to close. */
  const freeLanes = Array.from({ length: bounds.statementsInFlight }, (_, lane) => lane);
  let statements = 0;
  let unanswered = 0;
  let isFlushDue = false;
  /** Set if the timer runs. One timer serves all waiting rows: one timer each took 2 % of this process' time per order. */
  let isSweepDue = false;

  const load = (): GroupCommitLoad => ({ rows: unanswered, statements });
  return { submit, load };

  /**
   * Resolves with the row's result after the commit. Rejects with `Overloaded` if too many rows wait, of all groups or of this one,
   * or if this row has waited too long.
   */
  function submit(group: string, row: Row): Promise<Result> {
    const others = groups.get(group);
    const ofGroup = others?.length ?? 0;
    if (unanswered >= bounds.rowsWaiting || ofGroup >= bounds.rowsWaitingOfGroup)
      return Promise.reject(new Overloaded(tooManyWaiting));
    unanswered++;
    if (!isSweepDue) sweepIn(bounds.waitAtMostMs);
    return new Promise((resolve, reject) => {
      const rows = others ?? [];
      rows.push({ row, sinceMs: performance.now(), resolve, reject });
      groups.set(group, rows);
      if (isFlushDue || !maySend(group, rows)) return;
      isFlushDue = true;
      setImmediate(flush);
    });
  }

  function flush(): void {
    isFlushDue = false;
    for (const [group, waiting] of groups) {
      if (maySend(group, waiting)) send(group, waiting);
    }
  }

  function maySend(group: string, waiting: WaitingRow<Row, Result>[]): boolean {
    if (freeLanes.length === 0) return false;
    const flight = inFlight.get(group);
    if (flight === undefined) return true;
    if (!bounds.isPipelined || flight.statements > 1 || waiting.length < batchSize()) return false;
    return performance.now() - flight.sentMs <= followWithinMs;
  }

  function batchSize(): number {
    return Math.min(bounds.batchRows, Math.max(smallBatchRows, unanswered >> 1));
  }

  function send(group: string, waiting: WaitingRow<Row, Result>[]): void {
    const batch = waiting.splice(0, batchSize());
    // A group that has more rows goes to the end of the line.
    groups.delete(group);
    if (waiting.length > 0) groups.set(group, waiting);
    const flight = inFlight.get(group) ?? { lane: freeLanes.shift()!, statements: 0, sentMs: 0 };
    inFlight.set(group, flight);
    flight.statements++;
    flight.sentMs = performance.now();
    statements++;
    onBatch({ rows: batch.length, waitedMs: flight.sentMs - batch[0]!.sinceMs });
    void runInParts(
      (rows: Row[]) => run(group, rows, flight.lane),
      batch.map(({ row }) => row),
    ).then((parts) => {
      statements--;
      flight.statements--;
      if (flight.statements === 0) {
        inFlight.delete(group);
        freeLanes.push(flight.lane);
      }
      flush();
      answer(batch, parts);
    });
  }

  function answer(batch: WaitingRow<Row, Result>[], parts: Part<Result>[]): void {
    unanswered -= batch.length;
    let at = 0;
    for (const part of parts) {
      if ('reason' in part) {
        for (const { reject } of batch.slice(at, at + part.rows)) reject(part.reason);
        at += part.rows;
      } else {
        for (const result of part.results) batch[at++]!.resolve(result);
      }
    }
  }

  function sweepIn(ms: number): void {
    isSweepDue = true;
    setTimeout(refuseLate, Math.ceil(ms)).unref();
  }

  /** Refuses the rows that have waited too long. Sets the timer for the oldest of the others. */
  function refuseLate(): void {
    const nowMs = performance.now();
    const isLate = ({ sinceMs }: WaitingRow<Row, Result>) => nowMs - sinceMs >= bounds.waitAtMostMs;
    let oldestMs = nowMs;
    for (const [group, waiting] of groups) {
      while (waiting.length > 0 && isLate(waiting[0]!)) {
        unanswered--;
        waiting.shift()!.reject(new Overloaded(tooManyWaiting));
      }
      if (waiting.length === 0) groups.delete(group);
      else oldestMs = Math.min(oldestMs, waiting[0]!.sinceMs);
    }
    isSweepDue = false;
    if (groups.size > 0) sweepIn(oldestMs + bounds.waitAtMostMs - nowMs);
  }
}

/** The outcome of several rows that follow each other: one result for each, or one error for all of them. */
type Part<Result> = { results: Result[] } | { reason: unknown; rows: number };

/**
 * Runs rows as one statement. The statement must be atomic: it resolves with a result per row, or rejects with nothing stored.
 * After a rejection:
 * - A conflict with a concurrent transaction is retried.
 * - Wrong data splits the rows in halves, until the one bad row fails alone. If the database is down or too slow for a half, the
 *   other half is not tried, so that its rows are answered in time.
 * - Any other error fails all rows, because each part would fail with it again.
 *
 * Never rejects. The parts are in the order of the rows.
 */
async function runInParts<Row, Result>(
  run: (rows: Row[]) => Promise<Result[]>,
  rows: Row[],
): Promise<Part<Result>[]> {
  try {
    return [{ results: await retryConflicts(() => run(rows)) }];
  } catch (reason) {
    if (rows.length === 1 || !isDataError(reason)) return [{ reason, rows: rows.length }];
    const middle = rows.length >> 1;
    const first = await runInParts(run, rows.slice(0, middle));
    const late = first.find((part) => 'reason' in part && isUnavailable(part.reason));
    if (late) return [...first, { ...late, rows: rows.length - middle }];
    return [...first, ...(await runInParts(run, rows.slice(middle)))];
  }
}
