import { ApiError } from '../../values/errors.js';
import { isDataError, isUnavailable } from '../failures.js';
import { retryConflicts } from './retryConflicts.js';

/** The outcome of neighbouring rows: a result each, or one reason for all of them. */
export type Part<Result> = { results: Result[] } | { reason: unknown; rows: number };

/** True when the database was away or too slow for these rows. */
export function isUnavailablePart(part: Part<unknown>): boolean {
  return 'reason' in part && part.reason instanceof ApiError && part.reason.code === 'unavailable';
}

/**
 * Runs rows as one statement, which must be atomic: it resolves with a result per row, or rejects with nothing stored.
 * After a rejection:
 * - A conflict with a concurrent transaction is retried.
 * - A database that is away or too slow makes all rows `unavailable`.
 * - Wrong data splits the rows until the one bad row fails alone, or until a half is `unavailable`: the other half is then
 *   not tried, so that its rows are answered in time.
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
  } catch (error) {
    if (rows.length === 1 || !isDataError(error)) {
      const reason = isUnavailable(error) ? new ApiError('unavailable', { cause: error }) : error;
      return [{ reason, rows: rows.length }];
    }
    const middle = rows.length >> 1;
    const first = await runInParts(run, rows.slice(0, middle));
    const late = first.find(isUnavailablePart);
    if (late) return [...first, { ...late, rows: rows.length - middle }];
    return [...first, ...(await runInParts(run, rows.slice(middle)))];
  }
}
