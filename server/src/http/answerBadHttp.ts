import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, toFailure } from '../errors.js';
import { securityHeaders } from './securityHeaders.js';

/**
 * Answers what Node cannot hand to the app, in the shape of every refusal, and closes the connection: 400 for
 * what is no HTTP and for CONNECT, 408 for a request that took too long, 431 for too large headers. An `Expect`
 * that nobody knows is ignored (RFC 9110, section 10.1.1), where Node would answer 417 by itself.
 * @param onRefused told the status and code of each
 */
export function answerBadHttp(server: Server, onRefused: (refusal: ApiError) => void): void {
  const end = (socket: Socket, refusal: ApiError) => {
    onRefused(refusal);
    socket.end(toMessage(refusal), () => socket.destroy());
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The app may have begun its own answer to this connection: then a second one would corrupt it.
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegunAnswer(socket)) {
      socket.destroy();
      return;
    }
    end(socket, toRefusal(error.code));
  });
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, new ApiError('invalid_request', { message: 'CONNECT is for proxies; this server is none.' }));
  });
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

/**
 * Answers a request whose Host and target make no URL; the adapter has no other way to hand it over. Node
 * would answer a missing Host by itself, so that is left to the adapter too (`requireHostHeader`).
 */
export function answerBadUrl(onRefused: (refusal: ApiError) => void): () => Response {
  return function answerBadUrl() {
    const refusal = new ApiError('invalid_request', { message: 'The Host header or the path is not valid.' });
    onRefused(refusal);
    const { headers, body } = toAnswer(refusal);
    return new Response(body, { status: refusal.status, headers });
  };
}

/** As Node's own handler does, which a listener of ours replaces. */
function hasBegunAnswer(socket: Socket): boolean {
  const { _httpMessage } = socket as Socket & { _httpMessage?: { headersSent: boolean } };
  return _httpMessage?.headersSent === true;
}

function toRefusal(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large');
  return new ApiError('invalid_request', { message: 'This is not valid HTTP.' });
}

function toAnswer(refusal: ApiError) {
  const requestId = randomUUID();
  const headers = { 'X-Request-Id': requestId, ...securityHeaders, 'Content-Type': 'application/json' };
  return { headers, body: JSON.stringify(toFailure(refusal, requestId)) };
}

function toMessage(refusal: ApiError): string {
  const { headers, body } = toAnswer(refusal);
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}
