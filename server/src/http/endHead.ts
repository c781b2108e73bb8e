import type { MiddlewareHandler } from 'hono';

/**
 * Cancels the body of an answer to HEAD. Hono makes it as for GET and nobody reads it, so that a stream would go on
 * waiting for its reader.
 */
export function endHead(): MiddlewareHandler {
  return async function endHead(c, next) {
    await next();
    if (c.req.method === 'HEAD') await c.res.body?.cancel();
  };
}
