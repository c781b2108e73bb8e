import { ApiError } from '../../values/errors.js';
import { createGroupCounts } from './groupCounts.js';
import { type Part, runInParts } from './runInParts.js';
import { createStatementSlots, type SlotBounds } from './statementSlots.js';

/** Bounds of what waits and runs at once. */
export interface GroupCommitBounds extends SlotBounds {
  /** Rows of one statement. */
  batchRows: number;
  /** Rows waiting or in flight; one more is refused with 503 instead of filling the memory. */
  rowsWaiting: number;
  /**
   * Rows of one group that wait, or take longer than their statement; less than `rowsWaiting`, so that a group that
   * floods leaves room for the others.
   */
  rowsWaitingOfGroup: number;
  /** How long a row may wait for its statement to set out; late ones are refused with 503 within half as much again. */
  waitAtMostMs: number;
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
 * the first one at the same indexes: with 64 connections, one in flight stored 11 % more than two; what writes
 * nothing, or each row by itself, may have more (`statementsOfGroup`).
 *
 * Rows of different groups never share a statement, and groups take turns. `run` must be atomic: it resolves
 * with one result a row, after the commit, or rejects with nothing stored; `runInParts` says what happens then.
 * A result may be a promise itself: that row takes longer, holds up no other, and counts as waiting until it is settled.
 */
export function createGroupCommit<Row, Result>(
  run: (group: string, rows: Row[]) => Promise<(Result | Promise<Result>)[]>,
  bounds: GroupCommitBounds,
  onBatch: (batch: Batch) => void = () => {},
) {
  const groups = new Map<string, WaitingRow<Row, Result>[]>();
  const slots = createStatementSlots(bounds);
  /** Rows of each group whose statement has ended, and whose result has not. */
  const lingering = createGroupCounts();
  let unanswered = 0;
  let isFlushDue = false;
  let isSweepDue = false;

  const load = (): GroupCommitLoad => ({ rows: unanswered, statements: slots.taken() });
  return { submit, load };

  /** Resolves with the row's result after the commit. Rejects with `unavailable` when too many wait, of all groups or of this one. */
  function submit(group: string, row: Row): Promise<Result> {
    const others = groups.get(group);
    const ofGroup = (others?.length ?? 0) + lingering.of(group);
    if (unanswered >= bounds.rowsWaiting || ofGroup >= bounds.rowsWaitingOfGroup)
      return Promise.reject(tooMuch());
    unanswered++;
    if (!isSweepDue) sweepLater();
    return new Promise((resolve, reject) => {
      const waiting = { row, sinceMs: performance.now(), resolve, reject };
      if (others) others.push(waiting);
      else groups.set(group, [waiting]);
      if (!isFlushDue && slots.isFree(group)) {
        isFlushDue = true;
        setImmediate(flush);
      }
    });
  }

  function flush() {
    isFlushDue = false;
    for (const [group, waiting] of groups) {
      if (!slots.isAnyFree()) return;
      if (!slots.isFree(group)) continue;
      const batch = waiting.splice(0, Math.min(bounds.batchRows, Math.max(wholeRows, unanswered >> 1)));
      // A group that has more goes to the end of the line.
      groups.delete(group);
      if (waiting.length > 0) groups.set(group, waiting);
      const giveBack = slots.take(group);
      onBatch({ rows: batch.length, waitedMs: performance.now() - batch[0]!.sinceMs });
      void runInParts(
        (rows: Row[]) => run(group, rows),
        batch.map(({ row }) => row),
      ).then((parts) => {
        giveBack();
        flush();
        answer(group, batch, parts);
      });
    }
  }

  function answer(
    group: string,
    batch: WaitingRow<Row, Result>[],
    parts: Part<Result | Promise<Result>>[],
  ): void {
    let at = 0;
    for (const part of parts) {
      if ('reason' in part) {
        refuse(batch.slice(at, at + part.rows), part.reason);
        at += part.rows;
        continue;
      }
      for (const result of part.results) {
        if (result instanceof Promise) linger(group, result);
        else unanswered--;
        batch[at++]!.resolve(result);
      }
    }
  }

  function linger(group: string, result: Promise<Result>) {
    lingering.add(group, 1);
    const end = () => {
      unanswered--;
      lingering.add(group, -1);
    };
    result.then(end, end);
  }

  function refuse(rows: WaitingRow<Row, Result>[], reason: unknown) {
    unanswered -= rows.length;
    for (const { reject } of rows) reject(reason);
  }

  /** One timer for all that wait, and none while nothing does. */
  function sweepLater() {
    isSweepDue = true;
    setTimeout(sweep, bounds.waitAtMostMs / 2).unref();
  }

  function sweep() {
    isSweepDue = false;
    const lateMs = performance.now() - bounds.waitAtMostMs;
    for (const [group, waiting] of groups) {
      const at = waiting.findIndex(({ sinceMs }) => sinceMs > lateMs);
      const late = waiting.splice(0, at === -1 ? waiting.length : at);
      if (waiting.length === 0) groups.delete(group);
      if (late.length > 0) refuse(late, tooMuch());
    }
    if (groups.size > 0) sweepLater();
  }
}

function tooMuch(): ApiError {
  return new ApiError('unavailable', {
    message: 'The server has more to store than it can right now; try again.',
  });
}
