import type { Failure, Success } from '../src/contract';
import { OrderbeaconError } from './error';

/** A request that may be sent several times. */
export interface ClientRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Headers;
  body?: string;
}

/** The outcome of one attempt. `retryAfterMs` is the pause that the server asked for; null if it asked for none. */
export type Attempt<T> =
  | { status: 'answered'; data: T }
  | { status: 'failed'; error: OrderbeaconError; isRetryable: boolean; retryAfterMs: number | null };

/** Sends a request once and reads the whole answer within `timeoutMs`. Never throws. */
export async function attempt<T>(
  { method, url, headers, body }: ClientRequest,
  timeoutMs: number,
  send: typeof fetch,
): Promise<Attempt<T>> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // A redirect would turn a POST into a GET. If the API has moved, baseUrl must name the new address.
    const init = {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    } as const;
    const response = await send(url, init);
    return readAnswer<T>(response, await response.text(), url);
  } catch (cause) {
    const error = signal.aborted
      ? new OrderbeaconError('timeout', `No answer within ${timeoutMs} ms.`, { cause })
      : new OrderbeaconError(
          'network',
          `The server could not be reached: ${reason(cause)}${tlsHint(url, cause)}`,
          {
            cause,
          },
        );
    return { status: 'failed', error, isRetryable: true, retryAfterMs: null };
  }
}

function readAnswer<T>(response: Response, text: string, url: string): Attempt<T> {
  const { status, headers } = response;
  const answer = parse<T>(text);
  if (status === 200 && answer?.success === true) return { status: 'answered', data: answer.data };
  const isRetryable = status === 408 || status === 429 || status >= 500;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
  const error =
    status !== 200 && answer?.success === false
      ? new OrderbeaconError(answer.error.code, answer.error.message, {
          status,
          docs: answer.error.docs,
          issues: answer.error.issues ?? [],
          requestId: answer.requestId,
        })
      : new OrderbeaconError(
          'unexpected_answer',
          `Something other than Orderbeacon answered, with ${status}.${httpsHint(url, response, text)}`,
          {
            status,
            requestId: headers.get('x-request-id'),
          },
        );
  return { status: 'failed', error, isRetryable, retryAfterMs };
}

/** Parses an answer in the contract's envelope. @returns null for anything else */
function parse<T>(text: string): Success<T> | Failure | null {
  try {
    const answer = JSON.parse(text);
    if (answer?.success === true && typeof answer.data === 'object' && answer.data) return answer;
    return answer?.success === false && typeof answer.error?.code === 'string' ? answer : null;
  } catch {
    return null;
  }
}

/** Reads `Retry-After`, seconds or a date (RFC 9110, section 10.2.3). @returns milliseconds, null if unreadable */
function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  // Some programs write a fraction, which Date.parse would read as a day long ago.
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** Describes an error by its cause, because Node's fetch itself only says "fetch failed". */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Returns advice if a connection was closed without any HTTP. A port that speaks TLS does that. */
function tlsHint(url: string, error: unknown): string {
  const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
  const isCut = /^(UND_ERR_SOCKET|ECONNRESET|HPE_)/.test(code);
  return isCut && url.startsWith('http:') ? '. If its port speaks TLS, baseUrl must begin with https:' : '';
}

/** Returns advice if a proxy wants TLS: its page says so (nginx, Go and Apache each do), or it redirects to https. */
function httpsHint(url: string, { headers }: Response, text: string): string {
  const wantsTls =
    headers.get('location')?.startsWith('https:') || /HTTPS (port|server)|SSL-enabled server/.test(text);
  return wantsTls && url.startsWith('http:') ? ' Its baseUrl must begin with https:' : '';
}
