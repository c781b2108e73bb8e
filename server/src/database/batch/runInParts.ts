import { ApiError } from '../../values/errors.js';
import { isDataError, isUnavailable } from '../failures.js';
import { retryConflicts } from './retryConflicts.js';

/** What became of neighbouring rows: a result each, or one reason for all of them. */
export type Part<Result> = { results: Result[] } | { reason: unknown; rows: number };

/**
 * Runs rows as one statement, which is atomic: it resolves with a result per row, or rejects with nothing stored. Then a
 * deadlock is tried again, a database that is away or could not do it in time is `unavailable` for all of them, and
 * where the data was wrong the rows are split until the one bad row fails alone. Anything else fails them as it is: what
 * is not about the data would fail each part again, one after the other. Never rejects; the parts are in the rows' order.
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
    return [...first, ...(await runInParts(run, rows.slice(middle)))];
  }
}
