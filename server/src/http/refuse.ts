import { isUnavailable } from '../database/failures.js';
import { ApiError, Overloaded, toFailure } from '../values/errors.js';

/** Log that failures are written to, such as pino's. */
export interface Log {
  error(line: object): void;
}

/**
 * Turns any failure into a refusal: `unavailable` when too much waits or the database cannot answer now, `internal` when
 * nobody foresaw it.
 */
export function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Overloaded)
    return new ApiError('unavailable', error.message === '' ? {} : { message: error.message });
  return new ApiError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error });
}

/** Makes the JSON text that answers a refusal, of a page's order report with its `reportId`. */
export type WriteRefusal = (refusal: ApiError, requestId: string, reportId?: string) => string;

/** Makes the one place where a refusal becomes JSON. A failure of the server is logged with its cause. */
export function createWriteRefusal(log: Log, publicUrl: () => string): WriteRefusal {
  return function writeRefusal(refusal, requestId, reportId) {
    if (refusal.status >= 500) log.error({ requestId, error: describe(refusal.cause ?? refusal) });
    return JSON.stringify({ ...toFailure(refusal, requestId, publicUrl()), reportId });
  };
}

/** Describes an error by its stack, or by code and message. A database error's detail and parameters are left out, because they hold what people sent. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code}: ${error.message}` : (error.stack ?? error.message);
}
