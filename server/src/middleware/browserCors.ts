import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../context.js';

const oneDaySeconds = 86_400;

/**
 * Lets every page read the answers of the order route, refusals and errors too: a page that cannot read an
 * answer would send a stored order again. Credentials are allowed because a beacon always sends them and is
 * otherwise dropped in silence; no cookie means anything here. CORS guards nothing: the domain check does.
 */
export function browserCors(): MiddlewareHandler<AppEnv> {
  return async function browserCors(c, next) {
    c.header('Vary', 'Origin');
    const origin = c.req.header('origin');
    if (origin !== undefined) {
      c.header('Access-Control-Allow-Origin', origin);
      c.header('Access-Control-Allow-Credentials', 'true');
      c.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    }
    if (c.req.method !== 'OPTIONS') return next();
    c.header('Access-Control-Allow-Methods', 'POST');
    c.header('Access-Control-Allow-Headers', 'Content-Type');
    c.header('Access-Control-Max-Age', String(oneDaySeconds));
    c.header('Allow', 'POST, OPTIONS');
    return c.body(null, 204);
  };
}
