import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { DescribeRefusal } from '../refused/describeRefusal.js';
import { createExchange, type Exchange } from './exchange.js';
import type { Observer } from './observe.js';
import type { Refuse } from './refuse.js';

/** What a route answers with. Its headers are those of the exchange. */
export interface DirectAnswer {
  status: number;
  /** JSON; null for none. */
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** An endpoint that is answered without Hono. */
export interface Endpoint {
  /** The path's pattern, for the log and the metrics. */
  path: string;
  /**
   * Handles a request; resolves with the answer, throws what is to be refused.
   * @param name what stands in the path for its parameter; empty where it has none
   */
  route(exchange: Exchange, name: string): Promise<DirectAnswer>;
  /** What its refusals say in the log besides their code. */
  describeRefusal?: DescribeRefusal;
}

/** What goes around each endpoint. */
interface Around {
  log: Logger;
  observer: Observer;
  refuse: Refuse;
  /** True from the moment that the server drains: then keep-alive ends. */
  isStopping: () => boolean;
}

/** Answers a request of one endpoint; never rejects. */
export type AnswerDirectly = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  name: string,
) => Promise<void>;

/**
 * Makes what answers an endpoint from Node's own request and response. Hono's request, response and middleware took a
 * fifth of the CPU time of an order.
 */
export function answerDirectly(
  { path, route, describeRefusal }: Endpoint,
  { log, observer, refuse, isStopping }: Around,
): AnswerDirectly {
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse, name: string): Promise<void> {
    const exchange = createExchange(incoming, outgoing);
    const startedMs = observer.begin(exchange);
    let result: DirectAnswer;
    try {
      result = await route(exchange, name);
    } catch (error) {
      result = refuse(exchange, error);
      await describeRefusal?.(exchange, error);
    }
    const { status, body } = result;
    const headers = exchange.get('headers');
    if (body !== null) {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = String(Buffer.byteLength(body));
    }
    // Asked last, for the requests that were in flight when the stop began: idle, they would hold it up.
    if (isStopping()) headers.Connection = 'close';
    observer.end(exchange, startedMs, { method: incoming.method!, route: path, status });
    // The others of a batch make their answers first, and then all of them are written: see `sideBySide`.
    await null;
    // Node reads to its end, for as long as a request may take, what of the body was not read.
    outgoing.writeHead(status, headers).end(body);
  }

  return function answerOne(incoming, outgoing, name) {
    return answer(incoming, outgoing, name).catch((error: Error) => {
      log.error({ error: error.stack });
      outgoing.destroy();
    });
  };
}
