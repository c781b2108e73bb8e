import type { IncomingMessage } from 'node:http';

/** An answer that the fault proxy gives in place of the server. */
export interface CannedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A refusal in the shape that Orderbeacon gives it. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): CannedAnswer {
  const error = { code, message: `Refused: ${code}` };
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ success: false, error, requestId: 'req_of_the_test' }),
  };
}

/** The page that a proxy, a firewall or a hotel answers with. */
export function webPage(status: number, headers: Record<string, string> = {}): CannedAnswer {
  return {
    status,
    headers: { 'Content-Type': 'text/html', ...headers },
    body: `<!doctype html><title>${status}</title><h1>${status}</h1>`,
  };
}

/** CORS as the server gives it, so that the page can read the answer. */
export function corsOf({ headers }: IncomingMessage): Record<string, string> {
  return headers.origin
    ? {
        'Access-Control-Allow-Origin': headers.origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Retry-After',
      }
    : {};
}
