import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../context.js';
import { reply } from '../reply.js';

const oneDaySeconds = 86_400;

/**
 * Lets every page read the answers of the order route, refusals and errors too: a page that cannot read an
 * answer would send a stored order again. Credentials are allowed because a beacon always sends them and is
 * otherwise dropped in silence; no cookie means anything here. CORS guards nothing: the domain check does.
 */
export function browserCors(): MiddlewareHandler<AppEnv> {
  return async function browserCors(c, next) {
    const headers = c.get('headers');
    headers.Vary = 'Origin';
    const origin = c.req.header('origin');
    if (origin !== undefined) {
      headers['Access-Control-Allow-Origin'] = origin;
      headers['Access-Control-Allow-Credentials'] = 'true';
      headers['Access-Control-Expose-Headers'] = 'Retry-After, X-Request-Id';
    }
    if (c.req.method !== 'OPTIONS') return next();
    headers['Access-Control-Allow-Methods'] = 'POST';
    headers['Access-Control-Allow-Headers'] = 'Content-Type';
    headers['Access-Control-Max-Age'] = String(oneDaySeconds);
    headers.Allow = 'POST, OPTIONS';
    return reply(c, 204, null);
  };
}
