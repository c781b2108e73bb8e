import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { AppEnv } from '../context.js';

/**
 * Writes one line a request: method, route, status, duration, request id, team and outcome. Never an email,
 * a key, a body or a full path: a line may be kept longer than the data it speaks of.
 */
export function logRequests(log: Logger): MiddlewareHandler<AppEnv> {
  return async function logRequests(c, next) {
    const startedMs = performance.now();
    await next();
    log.info({
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: Math.round((performance.now() - startedMs) * 100) / 100,
      requestId: c.get('requestId'),
      team: c.get('team'),
      outcome: c.get('outcome'),
    });
  };
}
