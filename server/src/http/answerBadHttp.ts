import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, toFailure } from '../values/errors.js';
import { noGuessing } from './securityHeaders.js';

/**
 * Answers what Node hands to no request listener, in the shape of every refusal, and closes the connection: 400 for what
 * is not HTTP and for CONNECT, 408 for a request that took too long, 431 for headers over 16 KiB. An unknown `Expect` is
 * ignored (RFC 9110, section 10.1.1), where Node would answer 417 itself.
 */
export function answerBadHttp(server: Server, describeRefusal: DescribeRefusal): void {
  const end = (socket: Socket, refusal: ApiError) => {
    socket.end(toMessage(refusal, describeRefusal(refusal)), () => socket.destroy());
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // An answer may have begun on this connection: a second one would corrupt it.
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegunAnswer(socket)) {
      socket.destroy();
      return;
    }
    end(socket, refusalOf(error.code));
  });
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, new ApiError('invalid_request', { message: 'CONNECT is for proxies; this server is none.' }));
  });
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

/**
 * Answers a request whose Host and target make no URL, which Hono's adapter refuses. That includes a missing Host,
 * because Node is told to leave it to us (`requireHostHeader`).
 */
export function answerBadUrl(describeRefusal: DescribeRefusal): () => Response {
  return function answerBadUrl() {
    const refusal = new ApiError('invalid_request', { message: 'The Host header or the path is not valid.' });
    const { headers, body } = describeRefusal(refusal);
    return new Response(body, { status: refusal.status, headers });
  };
}

/** Makes headers and JSON that answer a refusal outside of any route. The connection is not used again. */
export type DescribeRefusal = (refusal: ApiError) => { headers: Record<string, string>; body: string };

/**
 * Makes the one place where a refusal outside of any route becomes an answer.
 * @param onRefused called with each refusal
 */
export function createDescribeRefusal(
  onRefused: (refusal: ApiError) => void,
  publicUrl: () => string,
): DescribeRefusal {
  return function describeRefusal(refusal) {
    onRefused(refusal);
    const requestId = randomUUID();
    const body = JSON.stringify(toFailure(refusal, requestId, publicUrl()));
    const headers = {
      'X-Request-Id': requestId,
      ...noGuessing,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    return { headers, body };
  };
}

/** As Node's own handler does, which our listener replaces. */
function hasBegunAnswer(socket: Socket): boolean {
  const { _httpMessage } = socket as Socket & { _httpMessage?: { headersSent: boolean } };
  return _httpMessage?.headersSent === true;
}

function refusalOf(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large');
  return new ApiError('invalid_request', { message: 'This is not valid HTTP.' });
}

function toMessage(refusal: ApiError, { headers, body }: ReturnType<DescribeRefusal>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}
