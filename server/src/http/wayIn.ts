import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '../values/errors.js';
import { limits } from '../values/limits.js';
import { parseUrl } from '../values/url.js';
import { allowEveryPage } from './cors.js';
import {
  createExchange,
  type DirectAnswer,
  type Exchange,
  type Handle,
  type RecordAnswer,
} from './exchange.js';
import type { AnswerPage } from './hono.js';
import type { Operation } from './operation.js';
import type { ClientOf } from './rateLimit.js';
import { type Log, type Refuse, toRefusal } from './refuse.js';

/** Prefix of the API's paths. Requests for these are answered by the endpoints directly, all others by Hono. */
const apiPrefix = '/svc-api/v1/';

/** Functions around every request. */
interface Around {
  log: Log;
  clientOf: ClientOf;
  recordAnswer: RecordAnswer;
  refuse: Refuse;
  /** Handles a refusal of the API before it is answered. Resolves with the refusal to answer, which may be another one. */
  onRefused: (exchange: Exchange, refusal: ApiError) => Promise<ApiError>;
  /** Returns true while the server stops: keep-alive ends then. */
  isStopping: () => boolean;
}

/**
 * Creates the listener of all requests: those for the API, which it answers directly, and those for pages, which Hono answers. Each
 * request is one exchange, with one record and one log line.
 */
export function createWayIn(
  endpoints: readonly Endpoint[],
  answerPage: AnswerPage,
  { log, clientOf, recordAnswer, refuse, onRefused, isStopping }: Around,
): RequestListener {
  const findRoute = createFindRoute(endpoints);

  return function wayIn(incoming, outgoing) {
    const path = readPath(incoming);
    const exchange = createExchange(incoming, clientOf);
    if (!path.startsWith(apiPrefix)) return answerPage(exchange, outgoing, end);
    answer(exchange, outgoing, path).catch((error: Error) => {
      log.error({ error: error.stack });
      outgoing.destroy();
    });
  };

  /**
   * Answers a request to the API with Node's own request and response. Hono's request, response and middleware took a fifth of the
   * CPU time of an order.
   */
  async function answer(exchange: Exchange, outgoing: ServerResponse, path: string): Promise<void> {
    const { incoming, headers } = exchange;
    let result: DirectAnswer;
    try {
      const found = findRoute(path);
      if (found === null) throw new ApiError('not_found');
      exchange.route = found.route.path;
      const handle = found.route.handlers.get(incoming.method!) ?? refuseMethod(found.route, exchange);
      result = await handle(exchange, found.name);
    } catch (error) {
      const refusal = await onRefused(exchange, toRefusal(error));
      const failure = refuse(exchange, refusal);
      const body = JSON.stringify({ ...failure, reportId: reportIdOf(exchange) });
      result = { status: refusal.status, body };
    }
    const { status, body } = result;
    if (body !== null) {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = String(Buffer.byteLength(body));
    }
    end(exchange, status);
    // All requests of a batch first create their answers, and then all answers are written: see `readTogether`.
    await null;
    // Node reads the unread rest of a body, for as long as a request may take.
    outgoing.writeHead(status, headers).end(body);
  }

  /** Ends an exchange: completes its headers and records it. */
  function end({ incoming, requestId, startedMs, route, headers, facts }: Exchange, status: number): void {
    // Checked last: a connection that stayed open after a request in progress would delay the stop.
    if (isStopping()) headers.Connection = 'close';
    const ms = Math.round((performance.now() - startedMs) * 100) / 100;
    recordAnswer({ method: incoming.method!, route, status, ms, requestId, ...facts });
  }
}

/** Reads the path of a request, and repairs what Hono would refuse. */
function readPath(incoming: IncomingMessage): string {
  // HTTP/1.0 needs no Host, and HAProxy's plain check sends none. Hono requires one.
  if (incoming.httpVersion === '1.0') incoming.headers.host ??= 'localhost';
  incoming.url = withoutDoubleSlashes(incoming.url!);
  const target = incoming.url.split('?', 1)[0]!;
  return target.startsWith('/') ? target : pathOf(target);
}

/**
 * Replaces several slashes by one in the paths that pages use: a proxy that adds a slash would lose orders. Other paths are
 * unchanged, because a proxy may protect them by their prefix.
 */
function withoutDoubleSlashes(url: string): string {
  if (!url.includes('//')) return url;
  const single = url.replace(/^\/[^?]*/, (path) => path.replace(/\/{2,}/g, '/'));
  return /^\/(?:svc-api|sdk)\//.test(single) ? single : url;
}

/** Reads the path of a target that also has a host (RFC 9112, section 3.2.2); empty for another form. */
function pathOf(target: string): string {
  return (/^https?:\/\//.test(target) && parseUrl(target)?.pathname) || '';
}

/**
 * Reads the `reportId` of a page's report. The answer repeats it, so that a page does not mistake the refusal of another report for
 * its own.
 */
function reportIdOf({ incoming, sent }: Exchange): string | undefined {
  if (incoming.headers.authorization !== undefined) return;
  const { reportId } = (sent?.value ?? {}) as { reportId?: unknown };
  return typeof reportId === 'string' && reportId.length <= limits.reportId ? reportId : undefined;
}

/** An endpoint of the API. HEAD is answered if GET is. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'OPTIONS';
  /** The path's pattern. Its last segment may be a parameter, as in `/products/:id`. */
  path: string;
  handle: Handle;
  /** API description for integrators; undefined if the endpoint is not for them. */
  operation?: Operation;
}

/** A path of the API with its endpoints. */
interface Route {
  /** The path's pattern, for the log and the metrics. */
  path: string;
  /** Endpoints by method; also HEAD, if GET is answered. */
  handlers: ReadonlyMap<string, Handle>;
}

/**
 * Finds the route of a path, with the decoded parameter of the path; null if there is no route. `name` is empty if the path has no
 * parameter.
 */
type FindRoute = (path: string) => { route: Route; name: string } | null;

/** Creates the function that finds routes. */
function createFindRoute(endpoints: readonly Endpoint[]): FindRoute {
  const routes = new Map<string, Route & { handlers: Map<string, Handle> }>();
  for (const { method, path, handle } of endpoints) {
    // A parameter is left out: `/products/:id` is found by `/products/`.
    const fixed = path.replace(/:\w+$/, '');
    const route = routes.get(fixed) ?? { path, handlers: new Map() };
    routes.set(fixed, route);
    route.handlers.set(method, handle);
    if (method === 'GET') route.handlers.set('HEAD', handle);
  }

  return function findRoute(path) {
    if (path.endsWith('/')) return null;
    const exact = routes.get(path);
    if (exact !== undefined) return { route: exact, name: '' };
    const slash = path.lastIndexOf('/') + 1;
    const route = routes.get(path.slice(0, slash));
    return route === undefined ? null : { route, name: decode(path.slice(slash)) };
  };
}

/** Decodes a segment of a path. A wrongly encoded one is returned unchanged; no id equals it. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Refuses a method that a path does not answer (RFC 9110, section 15.5.6). */
function refuseMethod({ handlers }: Route, exchange: Exchange): never {
  // Pages that may send a preflight may also read the refusal.
  if (handlers.has('OPTIONS')) allowEveryPage(exchange);
  throw new ApiError('method_not_allowed', { headers: { Allow: [...handlers.keys()].join(', ') } });
}
