import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { DescribeRefusal } from './describeRefusals.js';
import { createExchange, type Exchange } from './exchange.js';
import type { Observer } from './observe.js';
import type { Refuse } from './refuse.js';
import { success } from './reply.js';

/** Where orders are reported (contract, section 4.3). */
export const ordersPath = '/svc-api/v1/orders';

/** Handles a report; resolves with the `data` of its answer, throws what is to be refused. */
export type ReportRoute = (exchange: Exchange) => Promise<object>;

/** What goes around the route. */
interface Around {
  log: Logger;
  observer: Observer;
  refuse: Refuse;
  describeRefusal: DescribeRefusal;
  /** True from the moment that the server drains: then keep-alive ends. */
  isStopping: () => boolean;
}

/**
 * Makes what answers `POST` to `ordersPath` from Node's own request and response. It is by far the most frequent
 * request, and Hono's request, response and middleware took a fifth of its CPU time.
 */
export function answerReports(route: ReportRoute, around: Around) {
  const { log, observer, refuse, describeRefusal, isStopping } = around;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const exchange = createExchange(incoming, outgoing);
    const startedMs = observer.begin(exchange);
    let status = 200;
    let body: string;
    try {
      body = success(await route(exchange));
    } catch (error) {
      ({ status, body } = refuse(exchange, error));
      await describeRefusal(exchange, error);
    }
    const headers = exchange.get('headers');
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = String(Buffer.byteLength(body));
    // Asked last, for the requests that were in flight when the stop began: idle, they would hold it up.
    if (isStopping()) headers.Connection = 'close';
    observer.end(exchange, startedMs, { method: 'POST', route: ordersPath, status });
    // The others of a batch make their answers first, and then all of them are written: see `sideBySide`.
    await null;
    // Node reads to its end, for as long as a request may take, what of the body was not read.
    outgoing.writeHead(status, headers).end(body);
  }

  return function answerReport(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    return answer(incoming, outgoing).catch((error: Error) => {
      log.error({ error: error.stack });
      outgoing.destroy();
    });
  };
}

/** The Host of nearly every request; of any other one Hono's adapter has to find out whether it is one. */
const plainHost = /^[a-z\d._-]+(?::[1-5]?\d{1,4})?$/i;

/** Hands reports to `answerReport` and everything else, odd ways to send a report among it, to Hono. */
export function reportsFirst(answerReport: RequestListener, answerOther: RequestListener): RequestListener {
  return function reportsFirst(request, response) {
    const isReport = request.url === ordersPath && request.method === 'POST';
    const answer = isReport && plainHost.test(request.headers.host ?? '') ? answerReport : answerOther;
    return answer(request, response);
  };
}
