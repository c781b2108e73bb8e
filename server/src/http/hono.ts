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

/** Creates the function that answers by the routes of a Hono app. The app's first middleware is `aroundPages`. */
export function createAnswerPage(pages: Hono<AppEnv>): AnswerPage {
  return function answerPage(exchange, outgoing, end) {
    // Created for each page, because one listener for all of them could not pass on the exchange.
    const answer = getRequestListener(async (request, bindings) => {
      const response = await pages.fetch(request, { ...bindings, exchange });
      end(exchange, response.status);
      // Set last, so that every answer has them, whichever code created it. `c.header` would copy the body.
      for (const [name, value] of Object.entries(exchange.headers)) response.headers.set(name, value);
      return response;
    });
    void answer(exchange.incoming, outgoing);
  };
}

/**
 * Middleware around every route. It sets the route for the log and the metrics. It also cancels the body of an answer to HEAD: Hono
 * creates the body as for GET, and a stream that nobody reads would wait for its reader forever. It runs twice for an address with
 * a `*`, which Hono's router treats as a wildcard.
 */
export const aroundPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.env.exchange.route = routePath(c, -1);
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};
