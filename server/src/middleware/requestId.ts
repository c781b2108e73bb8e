import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../context.js';

/** What a caller may send as its own id: enough for UUIDs and trace ids, nothing that could forge a log line. */
const acceptable = /^[\w.:=+-]{1,128}$/;

/**
 * Gives every request an id, in `c.get('requestId')` and in the `X-Request-Id` of its answer. A valid one sent
 * by the caller is kept, so that a chain of services shares one.
 */
export function requestId(): MiddlewareHandler<AppEnv> {
  return function requestId(c, next) {
    const sent = c.req.header('x-request-id');
    const id = sent !== undefined && acceptable.test(sent) ? sent : randomUUID();
    c.set('requestId', id);
    c.set('headers', { 'X-Request-Id': id });
    return next();
  };
}
