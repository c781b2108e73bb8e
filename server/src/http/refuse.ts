import type { Failure } from '@orderbeacon/sdk/contract';
import { isUnavailable } from '../database/failures.js';
import { ApiError, Overloaded, toFailure } from '../values/errors.js';
import { exposeRetryAfter } from './cors.js';
import type { Exchange } from './exchange.js';

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

/** Puts a refusal into its exchange. Returns what the answer says, in JSON or on a page. */
export type Refuse = (exchange: Exchange, refusal: ApiError) => Failure;

/**
 * Makes the one step that every refusal passes, of the API and of pages: its code is the outcome, its headers are the answer's,
 * and a failure of the server is logged with its cause.
 * @param guides returns the address that guides are served below; null if none are
 */
export function createRefuse(log: Log, guides: () => string | null): Refuse {
  return function refuse({ requestId, headers, facts }, refusal) {
    facts.outcome = refusal.code;
    exposeRetryAfter(Object.assign(headers, refusal.headers));
    if (refusal.status >= 500) log.error({ requestId, error: describe(refusal.cause ?? refusal) });
    return toFailure(refusal, requestId, guides());
  };
}

/**
 * Describes an error by its stack, or by code and message. A database error's detail and parameters are left out, because they
 * hold what people sent.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code}: ${error.message}` : (error.stack ?? error.message);
}
