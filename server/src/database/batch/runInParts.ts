import { isDataError, isUnavailable } from '../failures.js';
import { retryConflicts } from './retryConflicts.js';

/** The outcome of neighbouring rows: a result each, or one reason for all of them. */
export type Part<Result> = { results: Result[] } | { reason: unknown; rows: number };

/**
 * Runs rows as one statement, which must be atomic: it resolves with a result per row, or rejects with nothing stored.
 * After a rejection:
 * - A conflict with a concurrent transaction is retried.
 * - Wrong data splits the rows until the one bad row fails alone, or until the database is away or too slow for a half:
 *   the other half is then not tried, so that its rows are answered in time.
 * - Any other error fails all rows, because each part would fail with it again.
 *
 * Never rejects. The parts are in the order of the rows.
 */
export async function runInParts<Row, Result>(
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
