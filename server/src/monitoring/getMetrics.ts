import { hash, timingSafeEqual } from 'node:crypto';
import type { Handler } from 'hono';
import type { AppEnv } from '../http/hono.js';
import { isLocalRequest } from '../http/isLocalRequest.js';
import { readBearer } from '../http/readBearer.js';
import { ApiError } from '../values/errors.js';
import type { Metrics } from './metrics.js';

/**
 * `GET /metrics`, in Prometheus' text format. With a token, it answers callers that send it as their bearer token. Without a token,
 * it answers callers on this machine. It then answers no caller if there is a proxy in front, because every caller seems to be on
 * this machine.
 * @param access.token null if no token is set
 * @param access.isProxied set if the settings name a proxy or a public URL
 */
export function getMetrics(
  metrics: Metrics,
  { token, isProxied }: { token: string | null; isProxied: boolean },
): Handler<AppEnv> {
  const isRightToken = token === null ? null : createTokenCheck(token);

  return async function getMetrics(c) {
    if (isRightToken) {
      if (!isRightToken(c.req.header('authorization'))) {
        throw new ApiError('invalid_api_key', {
          message: 'Send the token of ORDERBEACON_METRICS_TOKEN in the header "Authorization: Bearer …".',
        });
      }
    } else if (isProxied || !isLocalRequest(c.env.incoming)) {
      throw new ApiError('not_found');
    }
    const { text, contentType } = await metrics.read();
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  };
}

/** Compares hashes in constant time. Hashes have the same length, whatever was sent. */
function createTokenCheck(token: string) {
  const expected = hash('sha256', token, 'buffer');
  return (authorization: string | undefined) => {
    const sent = readBearer(authorization ?? '');
    return sent !== undefined && timingSafeEqual(hash('sha256', sent, 'buffer'), expected);
  };
}
