import type { Handler } from 'hono';
import type { AppEnv } from './context.js';
import type { Exchange } from './exchange.js';
import { reply } from './reply.js';

const oneDaySeconds = 86_400;

/**
 * Lets every page read the answer of the order route, refusals and errors too: a page that cannot read an
 * answer would send a stored order again. Credentials are allowed because a beacon always sends them and is
 * otherwise dropped in silence; no cookie means anything here. CORS guards nothing: the domain check does.
 */
export function setCorsHeaders(c: Exchange): void {
  const headers = c.get('headers');
  headers.Vary = 'Origin';
  const { origin } = c.env.incoming.headers;
  if (origin === undefined) return;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Allow-Credentials'] = 'true';
}

/** Lets a page that reads the order route's refusal read its `Retry-After`. Other headers of it no page needs: a refusal's body holds its `requestId`. */
export function exposeRetryAfter(headers: Record<string, string>): void {
  if ('Retry-After' in headers && 'Access-Control-Allow-Origin' in headers)
    headers['Access-Control-Expose-Headers'] = 'Retry-After';
}

/** Answers the question that a browser asks before a request that is not simple. */
export function preflight(): Handler<AppEnv> {
  return function preflight(c) {
    setCorsHeaders(c);
    Object.assign(c.get('headers'), {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': String(oneDaySeconds),
      Allow: 'POST, OPTIONS',
    });
    return reply(c, 204, null);
  };
}
