import type { DirectAnswer, Exchange } from './exchange.js';

const oneDaySeconds = 86_400;

/**
 * Lets every page read the answer, refusals and errors included: a page that cannot read an answer would send a stored
 * order again. Credentials are allowed because a beacon always sends them and is otherwise dropped silently; no cookie
 * means anything here. CORS guards nothing: the domain check does.
 */
export function allowEveryPage({ incoming, headers }: Exchange): void {
  headers.Vary = 'Origin';
  const { origin } = incoming.headers;
  if (origin === undefined) return;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Allow-Credentials'] = 'true';
}

/**
 * Lets a page that may read a refusal read its `Retry-After` too. A page needs none of the other headers, because a
 * refusal's body holds its `requestId`.
 */
export function exposeRetryAfter(headers: Record<string, string>): void {
  if ('Retry-After' in headers && 'Access-Control-Allow-Origin' in headers)
    headers['Access-Control-Expose-Headers'] = 'Retry-After';
}

/** Answers the request that a browser sends before a report that is not simple; it may keep the answer for a day. */
export async function answerPreflight(exchange: Exchange): Promise<DirectAnswer> {
  allowEveryPage(exchange);
  Object.assign(exchange.headers, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': String(oneDaySeconds),
    Allow: 'POST, OPTIONS',
  });
  return { status: 204, body: null };
}
