import type { IncomingMessage } from 'node:http';

/** An answer that the fault proxy gives instead of the server. */
export interface CannedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Makes a refusal in Orderbeacon's form. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): CannedAnswer {
  const error = { code, message: `Refused: ${code}` };
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ success: false, error, requestId: 'req_of_the_test' }),
  };
}

/** Makes the page with which a proxy, a firewall or a hotel answers. */
export function webPage(status: number, headers: Record<string, string> = {}): CannedAnswer {
  return {
    status,
    headers: { 'Content-Type': 'text/html', ...headers },
    body: `<!doctype html><title>${status}</title><h1>${status}</h1>`,
  };
}

/** Makes the CORS headers of the server, so that the page can read the answer. */
export function corsOf({ headers }: IncomingMessage): Record<string, string> {
  return headers.origin
    ? {
        'Access-Control-Allow-Origin': headers.origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Retry-After',
      }
    : {};
}
