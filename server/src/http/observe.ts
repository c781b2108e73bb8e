import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { Metrics } from '../monitoring/metrics.js';
import type { AppEnv } from './context.js';
import { newRequestId } from './requestIds.js';
import { noGuessing } from './securityHeaders.js';

/** What a caller may send as its own id: enough for UUIDs and trace ids, nothing that could forge a log line. */
const acceptable = /^[\w.:=+-]{1,128}$/;

/**
 * Goes around every request. Gives it an id, in the `X-Request-Id` of its answer; a valid one sent by the
 * caller is kept, so that a chain of services shares one. Writes one log line when it is answered: method,
 * route, status, duration, id, team, SDK version and outcome, of an order its mode and who reported it, of a refusal
 * its host and fields; never an email, a key, a body or a full path, for a line may be kept longer than the data it
 * speaks of. Counts it, too. Ends keep-alive while the server stops.
 */
export function observe(
  log: Logger,
  metrics: Pick<Metrics, 'answered'>,
  isStopping: () => boolean,
): MiddlewareHandler<AppEnv> {
  return async function observe(c, next) {
    const startedMs = performance.now();
    const sent = c.req.header('x-request-id');
    const requestId = sent !== undefined && acceptable.test(sent) ? sent : newRequestId();
    c.set('requestId', requestId);
    c.set('headers', { 'X-Request-Id': requestId, ...noGuessing });
    await next();
    // Asked last, for the requests that were in flight when the stop began: idle, they would hold it up.
    if (isStopping()) c.res.headers.set('Connection', 'close');
    const answered = {
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: Math.round((performance.now() - startedMs) * 100) / 100,
      requestId,
      team: c.get('team'),
      sdkVersion: c.get('sdkVersion'),
      outcome: c.get('outcome'),
      ...c.get('stored'),
      ...c.get('refusal'),
    };
    log.info(answered);
    metrics.answered(answered);
  };
}
