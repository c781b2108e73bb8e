import type { ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Exchange } from './exchange.js';

/** Environment of every request that Hono answers. */
export interface AppEnv {
  Bindings: HttpBindings & { exchange: Exchange };
}

/**
 * Answers an exchange with a page.
 * @param end ends the exchange, with the status of the answer, before the answer is written
 */
export type AnswerPage = (
  exchange: Exchange,
  outgoing: ServerResponse,
  end: (exchange: Exchange, status: number) => void,
) => void;

/** Answers by the routes of a Hono app. Its first middleware is `aroundPages`. */
export function createAnswerPage(pages: Hono<AppEnv>): AnswerPage {
  return function answerPage(exchange, outgoing, end) {
    // Made for each page, because a listener for all of them has no way to hand on the exchange.
    const answer = getRequestListener(async (request, bindings) => {
      const response = await pages.fetch(request, { ...bindings, exchange });
      end(exchange, response.status);
      // Set last, so that an answer has them whoever made it. `c.header` would copy the body.
      for (const [name, value] of Object.entries(exchange.headers)) response.headers.set(name, value);
      return response;
    });
    void answer(exchange.incoming, outgoing);
  };
}

/**
 * Goes around every route. It finds out the route for the log and the metrics, and cancels the body of an answer to HEAD: Hono
 * makes it as for GET and nobody reads it, so that a stream would go on waiting for its reader. It runs twice for an address
 * with a `*`, which Hono's router takes for a wildcard.
 */
export const aroundPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.env.exchange.route = routePath(c, -1);
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};
