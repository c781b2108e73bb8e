import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, toFailure } from '../values/errors.js';
import { noGuessing } from './securityHeaders.js';

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

/**
 * Refuses with 400 what a proxy in front may have understood otherwise than this server would: two Host headers (RFC
 * 9112, section 3.2), and a path that only becomes the one of a route when it is normalised, such as
 * `/docs/../metrics`, `/%6detrics` or `/metrics#`. A rule of a proxy that keeps strangers from a path, or lets them to another, has
 * seen the path as it was sent. A request of HTTP/1.0 needs no Host; HAProxy's plain check sends none.
 */
export function refuseAmbiguous(
  answer: RequestListener,
  onRefused: (refusal: ApiError) => void,
): RequestListener {
  return function refuseAmbiguous(request, response) {
    const message = ambiguityOf(request);
    if (message === null) {
      if (request.httpVersion === '1.0') request.headers.host ??= 'localhost';
      return answer(request, response);
    }
    const refusal = new ApiError('invalid_request', { message });
    onRefused(refusal);
    const { headers, body } = toAnswer(refusal);
    const length = Buffer.byteLength(body);
    response
      .writeHead(refusal.status, { ...headers, 'Content-Length': length, Connection: 'close' })
      .end(body);
  };
}

/**
 * Dot segments, backslashes, a fragment, which no request has (RFC 9112, section 3.2), and letters, digits, dots and
 * dashes that are encoded without need (RFC 3986, section 6.2.2).
 */
const denormal = /(?:^|\/)\.{1,2}(?:\/|$)|[\\#]|%(?:2[de]|3\d|[46][1-9a-f]|[57][\da])/i;

function ambiguityOf({ url = '', rawHeaders }: IncomingMessage): string | null {
  const end = url.indexOf('?');
  if (denormal.test(end === -1 ? url : url.slice(0, end)))
    return 'The path is not in its normal form: send it without dot segments, backslashes, "#" and encoded letters.';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 ? 'There is more than one Host header.' : null;
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
  const headers = { 'X-Request-Id': requestId, ...noGuessing, 'Content-Type': 'application/json' };
  return { headers, body: JSON.stringify(toFailure(refusal, requestId)) };
}

function toMessage(refusal: ApiError): string {
  const { headers, body } = toAnswer(refusal);
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}
