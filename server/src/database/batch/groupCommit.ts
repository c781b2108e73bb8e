import { ApiError } from '../../values/errors.js';
import type { SemaphoreLimits } from '../../values/semaphore.js';
import type { GroupCommitBounds } from './groupCommitBounds.js';
import { createLanes } from './lanes.js';
import { isUnavailablePart, type Part, runInParts } from './runInParts.js';

/** A batch that starts. */
export interface Batch {
  rows: number;
  /** Time that its oldest row has waited for a free statement. */
  waitedMs: number;
}

/** Rows and statements that a group commit holds right now. */
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

/** The answer to a row that finds too many others waiting. */
export const tooManyWaiting = 'The server has more to store than it can right now; try again.';

/** Rows that are late within this time of each other are refused together. */
const sweepPauseMs = 10;

/** This many rows may always share a statement. */
const smallBatchRows = 4;

/**
 * Collects rows that arrive while their group's (team's) statement is in flight and sends them together in the next
 * statement, so that many rows share a commit. A lone row is sent immediately: it waits only for the end of the current
 * turn of the event loop, because requests that arrived together can then share a statement. The next statement starts
 * before the rows of the last one are answered, so that the database works meanwhile. A statement takes at most half of
 * all unanswered rows, so that this process can work on the other half (256 connections: 15 % more orders a second).
 * Two statements of a group never run concurrently, because they would only meet at the same indexes (64 connections: one
 * stored 11 % more than two).
 *
 * With `isPipelined` a second one is sent behind the first as soon as half of the unanswered rows waits for it: PostgreSQL
 * then starts it without waiting for this process (64 connections: 15 % more orders a second). `run` has to send both on the
 * one connection of their lane. No second one is sent while another group waits for a lane.
 *
 * Rows of different groups never share a statement, and groups take turns. `run` must be atomic: it resolves with one
 * result per row, in their order, after the commit, or rejects with nothing stored. `runInParts` describes what follows
 * a rejection.
 * @param run is given the number of the group's lane, from 0 to below `statementsInFlight`
 */
export function createGroupCommit<Row, Result>(
  run: (group: string, rows: Row[], lane: number) => Promise<Result[]>,
  bounds: GroupCommitBounds,
  {
    onBatch = () => {},
    isPipelined = false,
    ...ofNodes
  }: { onBatch?: (batch: Batch) => void; isPipelined?: boolean } & Pick<SemaphoreLimits, 'nodeOf'> = {},
) {
  const groups = new Map<string, WaitingRow<Row, Result>[]>();
  const lanes = createLanes(bounds.statementsInFlight, { isPipelined, ...ofNodes });
  let unanswered = 0;
  let isFlushDue = false;
  let isSweepDue = false;

  const load = (): GroupCommitLoad => ({ rows: unanswered, statements: lanes.statements() });
  return { submit, load };

  /**
   * Resolves with the row's result after the commit. Rejects with `unavailable` when too many rows wait, of all groups
   * or of this one.
   */
  function submit(group: string, row: Row): Promise<Result> {
    const others = groups.get(group);
    const ofGroup = others?.length ?? 0;
    if (unanswered >= bounds.rowsWaiting || ofGroup >= bounds.rowsWaitingOfGroup)
      return Promise.reject(tooMany());
    unanswered++;
    if (!isSweepDue) sweepIn(bounds.waitAtMostMs);
    return new Promise((resolve, reject) => {
      const waiting = { row, sinceMs: performance.now(), resolve, reject };
      if (others) others.push(waiting);
      else groups.set(group, [waiting]);
      if (!isFlushDue && (lanes.isFree(group) || mayFollow(group))) {
        isFlushDue = true;
        setImmediate(flush);
      }
    });
  }

  function flush() {
    isFlushDue = false;
    for (const group of groups.keys()) {
      if (lanes.isFull()) break;
      if (lanes.isFree(group)) send(group);
    }
    for (const group of lanes.groups()) if (mayFollow(group)) send(group);
  }

  /** True when a group's rows are worth a second statement, and no other group waits for a lane. */
  function mayFollow(group: string): boolean {
    if (!lanes.canFollow(group) || (groups.get(group)?.length ?? 0) < batchSize()) return false;
    return groups.size <= bounds.statementsInFlight && [...groups.keys()].every(lanes.has);
  }

  function batchSize(): number {
    return Math.min(bounds.batchRows, Math.max(smallBatchRows, unanswered >> 1));
  }

  function send(group: string): void {
    const waiting = groups.get(group)!;
    const batch = waiting.splice(0, batchSize());
    // A group that has more rows goes to the end of the line.
    groups.delete(group);
    if (waiting.length > 0) groups.set(group, waiting);
    onBatch({ rows: batch.length, waitedMs: performance.now() - batch[0]!.sinceMs });
    const lane = lanes.enter(group);
    void runInParts(
      (rows: Row[]) => run(group, rows, lane),
      batch.map(({ row }) => row),
    ).then((parts) => {
      lanes.leave(group, parts.some(isUnavailablePart));
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

  /** Sets one timer for all rows that wait, and none while no row does. */
  function sweepIn(ms: number) {
    isSweepDue = true;
    setTimeout(sweep, ms).unref();
  }

  function sweep() {
    isSweepDue = false;
    const lateMs = performance.now() - bounds.waitAtMostMs;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const [group, waiting] of groups) {
      const at = waiting.findIndex(({ sinceMs }) => sinceMs > lateMs);
      const late = waiting.splice(0, at === -1 ? waiting.length : at);
      if (waiting.length === 0) groups.delete(group);
      else oldestMs = Math.min(oldestMs, waiting[0]!.sinceMs);
      unanswered -= late.length;
      for (const { reject } of late) reject(tooMany());
    }
    if (groups.size > 0) sweepIn(Math.max(sweepPauseMs, oldestMs - lateMs));
  }
}

function tooMany(): ApiError {
  return new ApiError('unavailable', { message: tooManyWaiting });
}
