import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../values/errors.js';
import { limits } from '../values/limits.js';
import { allowEveryPage, exposeRetryAfter } from './cors.js';
import { createExchange, type DirectAnswer, type Exchange } from './exchange.js';
import { createFindRoute, type Endpoint, type Route } from './findRoute.js';
import type { ClientOf } from './rateLimit.js';
import type { RecordAnswer } from './recordAnswer.js';
import { type Log, toRefusal, type WriteRefusal } from './refuse.js';

/** Surroundings of every endpoint. */
interface Around {
  log: Log;
  clientOf: ClientOf;
  recordAnswer: RecordAnswer;
  writeRefusal: WriteRefusal;
  /** Handles a refusal before it is answered; resolves with the refusal that is answered, which may be another one. */
  onRefused: (exchange: Exchange, refusal: ApiError) => Promise<ApiError>;
  /** True from the moment that the server drains: then keep-alive ends. */
  isStopping: () => boolean;
}

/** Answers a request to the API; never rejects. */
export type AnswerDirectly = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
) => Promise<void>;

/** Route in the log and the metrics of every path that nothing is served under, as Hono names it. */
const noRoute = '/*';

/**
 * Answers requests to the API from Node's own request and response. Hono's request, response and middleware took a
 * fifth of the CPU time of an order.
 */
export function answerDirectly(
  endpoints: readonly Endpoint[],
  { log, clientOf, recordAnswer, writeRefusal, onRefused, isStopping }: Around,
): AnswerDirectly {
  const findRoute = createFindRoute(endpoints);

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse, path: string): Promise<void> {
    const startedMs = performance.now();
    const method = incoming.method!;
    const exchange = createExchange(incoming, clientOf);
    const { headers, facts, requestId } = exchange;
    const found = findRoute(path);
    let result: DirectAnswer;
    try {
      if (found === null) throw new ApiError('not_found');
      const handle = found.route.handlers.get(method) ?? refuseMethod(found.route, exchange);
      result = await handle(exchange, found.name);
    } catch (error) {
      result = await refuse(exchange, toRefusal(error));
    }
    const { status, body } = result;
    if (body !== null) {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = String(Buffer.byteLength(body));
    }
    // Asked last: a connection that stayed open behind a request in flight would hold up the stop.
    if (isStopping()) headers.Connection = 'close';
    recordAnswer({ method, route: found?.route.path ?? noRoute, status, startedMs, requestId, facts });
    // The others of a batch make their answers first, and then all of them are written: see `readTogether`.
    await null;
    // Node reads the rest of a body that was not read, for as long as a request may take.
    outgoing.writeHead(status, headers).end(body);
  }

  async function refuse(exchange: Exchange, thrown: ApiError): Promise<DirectAnswer> {
    const refusal = await onRefused(exchange, thrown);
    exchange.facts.outcome = refusal.code;
    exposeRetryAfter(Object.assign(exchange.headers, refusal.headers));
    const body = writeRefusal(refusal, exchange.requestId, reportIdOf(exchange));
    return { status: refusal.status, body };
  }

  return function answerOne(incoming, outgoing, path) {
    return answer(incoming, outgoing, path).catch((error: Error) => {
      log.error({ error: error.stack });
      outgoing.destroy();
    });
  };
}

/** Reads the `reportId` of a page's report. The page takes no refusal of another report for its own. */
function reportIdOf({ incoming, sent }: Exchange): string | undefined {
  if (incoming.headers.authorization !== undefined) return;
  const { reportId } = (sent?.value ?? {}) as { reportId?: unknown };
  return typeof reportId === 'string' && reportId.length <= limits.reportId ? reportId : undefined;
}

/** Refuses a method that a path does not answer (RFC 9110, section 15.5.6). */
function refuseMethod({ handlers }: Route, exchange: Exchange): never {
  // Pages that may ask for permission may read the refusal too.
  if (handlers.has('OPTIONS')) allowEveryPage(exchange);
  throw new ApiError('method_not_allowed', { headers: { Allow: [...handlers.keys()].join(', ') } });
}
