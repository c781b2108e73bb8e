import type { DirectAnswer, Exchange } from './exchange.js';

const oneDaySeconds = 86_400;

/**
 * Lets every page read the answer, even a refusal or an error: a page that cannot read the answer would send a stored order again.
 * Credentials are allowed because a beacon always sends them, and is otherwise dropped silently. No cookie has an effect here. CORS
 * protects nothing here; the check of the domain does.
 */
export function allowEveryPage({ incoming, headers }: Exchange): void {
  headers.Vary = 'Origin';
  const { origin } = incoming.headers;
  if (origin === undefined) return;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Allow-Credentials'] = 'true';
}

/**
 * Lets a page that may read a refusal also read its `Retry-After`. A page needs no other header, because a refusal's body contains
 * its `requestId`.
 */
export function exposeRetryAfter(headers: Record<string, string>): void {
  if ('Retry-After' in headers && 'Access-Control-Allow-Origin' in headers)
    headers['Access-Control-Expose-Headers'] = 'Retry-After';
}

/** Longest list of headers that a preflight may ask for. */
const askedLength = 1_024;
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/**
 * Lists the headers that a page may send. These are the headers that it asks for, because other tools wrap `fetch` and add theirs,
 * and the report would otherwise be lost. `authorization` is not allowed: a key that another tool adds would make the server refuse
 * the report.
 */
function allowedHeaders(asked: string | undefined): string {
  if (asked === undefined || asked.length > askedLength) return 'Content-Type';
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  const others = names.filter(
    (name) => headerName.test(name) && name !== 'authorization' && name !== 'content-type',
  );
  return ['Content-Type', ...others].join(', ');
}

/**
 * Answers the preflight request that a browser sends before a report that is not simple. The browser may cache the answer for a
 * day.
 */
export async function answerPreflight(exchange: Exchange): Promise<DirectAnswer> {
  allowEveryPage(exchange);
  Object.assign(exchange.headers, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': allowedHeaders(
      exchange.incoming.headers['access-control-request-headers'] as string | undefined,
    ),
    'Access-Control-Max-Age': String(oneDaySeconds),
    Allow: 'POST, OPTIONS',
  });
  return { status: 204, body: null };
}
