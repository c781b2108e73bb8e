import type { Failure } from '@orderbeacon/sdk/contract';
import { isUnavailable } from '../database/failures.js';
import { ApiError, Overloaded, toFailure } from '../values/errors.js';
import { exposeRetryAfter } from './cors.js';
import type { Exchange } from './exchange.js';

/** The log for failures, such as pino's. */
export interface Log {
  error(line: object): void;
}

/**
 * Turns any error into a refusal: `unavailable` if too many requests wait or the database cannot answer now, `internal` if the
 * error is unexpected.
 */
export function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Overloaded)
    return new ApiError('unavailable', error.message === '' ? {} : { message: error.message });
  return new ApiError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error });
}

/** Puts a refusal into its exchange. Returns the content of the answer, for JSON or a page. */
export type Refuse = (exchange: Exchange, refusal: ApiError) => Failure;

/**
 * Creates the step that every refusal of the API and of pages passes. Its code becomes the outcome, and its headers those of the
 * answer. A failure of the server is logged with its cause.
 * @param guides returns the address below which guides are served; null if no guides are served
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
 * Describes an error by its stack, or by code and message. Leaves out a database error's detail and parameters, because they
 * contain data that people sent.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code}: ${error.message}` : (error.stack ?? error.message);
}
