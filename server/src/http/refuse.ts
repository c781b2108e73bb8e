import type { Logger } from 'pino';
import { isUnavailable } from '../database/failures.js';
import type { LiveKeys } from '../teams/liveKeys.js';
import { ApiError, toFailure } from '../values/errors.js';
import { exposeRetryAfter } from './cors.js';
import type { Exchange } from './exchange.js';

/** The answer to a request that failed: its status and its JSON text. Its headers are with those of the exchange. */
export type Refuse = (exchange: Exchange, error: unknown) => { status: number; body: string };

/** Makes the one place where a failure becomes an answer. One of ours is logged with its cause. */
export function createRefuse(log: Logger, liveKeys: Pick<LiveKeys, 'forget'>): Refuse {
  return function refuse(exchange, error) {
    const refusal = toApiError(error);
    const [requestId, key] = [exchange.get('requestId'), exchange.get('key')];
    if (refusal.code === 'invalid_api_key' && key) liveKeys.forget(key.keyHash);
    if (refusal.status >= 500) log.error({ requestId, error: describe(refusal.cause ?? error) });
    exchange.set('outcome', refusal.code);
    exposeRetryAfter(Object.assign(exchange.get('headers'), refusal.headers));
    return { status: refusal.status, body: JSON.stringify(toFailure(refusal, requestId)) };
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error });
}

/** Stack and code for the log; a database error's detail and parameters, which hold what people sent, stay out. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code}: ${error.message}` : (error.stack ?? error.message);
}
