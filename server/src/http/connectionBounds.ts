import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './lingeringClose.js';

/**
 * Limits of connections, most of them named as Node's options. They end clients that hold a connection without sending a request.
 */
export interface ConnectionBounds {
  /** Milliseconds from a connection's first byte, or the end of the previous answer, to the end of the headers. */
  headersTimeout: number;
  /** Milliseconds to the end of the body: 64 KiB take 26 s over 20 kbit/s. */
  requestTimeout: number;
  /**
   * Milliseconds that a connection may wait for its next request. More than the 60 s of usual load balancers, which would otherwise
   * send a request while the connection is closing.
   */
  keepAliveTimeout: number;
  /** Milliseconds that an answer may wait for a client that reads none of it. */
  timeout: number;
  /** Milliseconds between two searches for late headers and bodies. */
  connectionsCheckingInterval: number;
  /** Most bytes of the headers. If reports go through the shop's own host, its cookies are among them: they had 18 kB. */
  maxHeaderSize: number;
  /** Most concurrent connections, of some 10 kB each. */
  connections: number;
  /** Most unanswered requests of one connection. Browsers and proxies send the next request after the answer. */
  pipelined: number;
}

/** Limits of every server. Tests set lower ones. */
export const connectionBounds: ConnectionBounds = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  timeout: 60_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 32_768,
  connections: 10_000,
  pipelined: 8,
};

/** Chunks that a body of any length may have. */
export const chunksOfAnyBody = 256;
/** Average bytes that each further chunk must have. */
const bytesOfChunk = 64;

/**
 * Passes the requests of a server to a listener. Limits the server's connections, the unanswered requests of each, and the chunks
 * of a body. If there are too many connections, the one whose last request is the oldest is closed. So nobody can shut others out
 * with idle connections, or with bodies that never arrive. A connection whose request has arrived and is being answered is not
 * closed. A connection with too many unanswered requests is closed, too: a client that pipelines must expect that and send again
 * (RFC 9112, section 9.3.2).
 */
export function boundConnections(
  server: Server,
  answer: RequestListener,
  { connections, pipelined }: Pick<ConnectionBounds, 'connections' | 'pipelined'>,
): void {
  /** Unanswered responses of each connection. The connection whose last request is the oldest comes first. */
  const open = new Map<Socket, Set<ServerResponse>>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= connections) close(findIdle() ?? socket);
    if (socket.destroyed) return;
    open.set(socket, new Set());
    socket.on('close', () => open.delete(socket));
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const unanswered = open.get(socket);
    if (unanswered === undefined || unanswered.size >= pipelined) return close(socket);
    open.delete(socket);
    open.set(socket, unanswered.add(response));
    response.on('close', () => unanswered.delete(response));
    boundChunks(request, response);
    closeLingering(request);
    answer(request, response);
  });

  function findIdle(): Socket | undefined {
    for (const [socket, unanswered] of open) {
      if (![...unanswered].some(isBeingMade)) return socket;
    }
    return undefined;
  }

  function close(socket: Socket): void {
    open.delete(socket);
    socket.destroy();
  }
}

/** @returns false for an answer that waits for the client: for the rest of its request, or until it reads what was written */
const isBeingMade = ({ req, writableEnded, writableNeedDrain }: ServerResponse) =>
  req.complete && !writableEnded && !writableNeedDrain;

/**
 * Ends the connection of a body that arrives in far more chunks than its bytes need. In chunks of one byte, 64 KiB took 200 ms; in
 * one chunk they took 8 ms. After a body in chunks a connection is not used again, because Node would also process every chunk of
 * an unread body. Browsers send the length of a body, and no such chunks.
 */
function boundChunks(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  response.shouldKeepAlive = false;
  let chunks = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  // The parser calls this for each chunk, even if nothing reads the body.
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    chunks++;
    bytes += chunk.byteLength;
    if (chunks <= chunksOfAnyBody + bytes / bytesOfChunk) return push(chunk);
    request.socket.destroy();
    return false;
  };
}
