import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, securityHeaders, toFailure } from './errors.js';

/**
 * Answers what Node cannot hand to the app, in the shape of every refusal, and closes the connection: 400 for
 * what is no HTTP, 408 for a request that took too long, 431 for too large headers.
 * @param onRefused told the status and code of each
 */
export function answerBadHttp(server: Server, onRefused: (refusal: ApiError) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The app may have begun its own answer to this connection: then a second one would corrupt it.
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegunAnswer(socket)) {
      socket.destroy();
      return;
    }
    const refusal = toRefusal(error.code);
    onRefused(refusal);
    socket.end(message(refusal), () => socket.destroy());
  });
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

function message(refusal: ApiError): string {
  const requestId = randomUUID();
  const body = JSON.stringify(toFailure(refusal, requestId));
  const headers = {
    'X-Request-Id': requestId,
    ...securityHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}
