import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { Metrics } from '../monitoring/metrics.js';
import type { AppEnv } from './context.js';
import type { Exchange } from './exchange.js';
import { newRequestId } from './requestIds.js';
import { noGuessing } from './securityHeaders.js';

/** What a caller may send as its own id: enough for UUIDs and trace ids, nothing that could forge a log line. */
const acceptable = /^[\w.:=+-]{1,128}$/;

/** Told of the begin and the end of every request. */
export interface Observer {
  /** Gives the request its id, and its answer the headers of every answer. Returns when that was. */
  begin(exchange: Exchange): number;
  /** @param startedMs what `begin` returned */
  end(exchange: Exchange, startedMs: number, answer: { method: string; route: string; status: number }): void;
}

/**
 * Makes what watches every request. It gives it an id, in the `X-Request-Id` of its answer; a valid one sent by the
 * caller is kept, so that a chain of services shares one. Writes one log line when it is answered: method,
 * route, status, duration, id, team, SDK version and outcome, of an order its mode and who reported it, of a refusal
 * its host and fields; never an email, a key, a body or a full path, for a line may be kept longer than the data it
 * speaks of. Counts it, too.
 */
export function createObserver(log: Logger, metrics: Pick<Metrics, 'answered'>): Observer {
  return {
    begin(exchange) {
      const sent = exchange.req.header('x-request-id');
      const requestId = sent !== undefined && acceptable.test(sent) ? sent : newRequestId();
      exchange.set('requestId', requestId);
      exchange.set('headers', { 'X-Request-Id': requestId, ...noGuessing });
      return performance.now();
    },
    end(exchange, startedMs, { method, route, status }) {
      const answered = {
        method,
        route,
        status,
        ms: Math.round((performance.now() - startedMs) * 100) / 100,
        requestId: exchange.get('requestId'),
        team: exchange.get('team'),
        sdkVersion: exchange.get('sdkVersion'),
        outcome: exchange.get('outcome'),
        ...exchange.get('stored'),
        ...exchange.get('refusal'),
      };
      log.info(answered);
      metrics.answered(answered);
    },
  };
}

/** Goes around every request that Hono answers, and ends keep-alive while the server stops. */
export function observe(observer: Observer, isStopping: () => boolean): MiddlewareHandler<AppEnv> {
  return async function observe(c, next) {
    const startedMs = observer.begin(c);
    await next();
    for (const [name, value] of Object.entries(c.get('headers'))) c.header(name, value);
    // Asked last, for the requests that were in flight when the stop began: idle, they would hold it up.
    if (isStopping()) c.res.headers.set('Connection', 'close');
    observer.end(c, startedMs, { method: c.req.method, route: routePath(c, -1), status: c.res.status });
  };
}
