import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { AppEnv } from './context.js';
import { chooseRequestId, msSince, type RecordAnswer } from './exchange.js';

/** Goes around every request that Hono answers: gives it its id, records it, and ends keep-alive while the server stops. */
export function observe(recordAnswer: RecordAnswer, isStopping: () => boolean): MiddlewareHandler<AppEnv> {
  return async function observe(c, next) {
    // Hono's router takes a `*` in an address for a wildcard as well, and comes here twice.
    if (c.get('requestId') !== undefined) return next();
    const startedMs = performance.now();
    const requestId = chooseRequestId(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    await next();
    // Set last, so that an answer has it whoever made it. `c.header` would copy the body.
    c.res.headers.set('X-Request-Id', requestId);
    // Asked last: a connection that stayed open behind a request in flight would hold up the stop.
    if (isStopping()) c.res.headers.set('Connection', 'close');
    recordAnswer({
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: msSince(startedMs),
      requestId,
      team: c.get('team'),
      outcome: c.get('outcome'),
    });
  };
}
