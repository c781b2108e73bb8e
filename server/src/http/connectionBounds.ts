import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './lingeringClose.js';

/** Limits of connections, most of them by the names of Node's options. They end clients that hold one without sending a request. */
export interface ConnectionBounds {
  /** Milliseconds from a connection's first byte, or the end of the answer before, to the end of the headers. */
  headersTimeout: number;
  /** Milliseconds to the end of the body: 64 KiB take 26 s over 20 kbit/s. */
  requestTimeout: number;
  /**
   * Milliseconds that a connection may wait for its next request. They are over the 60 s of usual load balancers, which would
   * otherwise meet a connection that is just closing.
   */
  keepAliveTimeout: number;
  /** Milliseconds that an answer may wait for a client that reads none of it. */
  timeout: number;
  /** Milliseconds between two searches for late headers and bodies. */
  connectionsCheckingInterval: number;
  /** Bytes of the headers: a shop's cookies come along where reports go through its own host, and had 18 kB. */
  maxHeaderSize: number;
  /** Concurrent connections, of some 10 kB each. */
  connections: number;
  /** Unanswered requests of one connection. Browsers and proxies send the next request after the answer. */
  pipelined: number;
}

/** Limits of every server; tests set shorter ones. */
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
/** Bytes that each further chunk has to have on average. */
const bytesOfChunk = 64;

/**
 * Hands the requests of a server to a listener, and limits its connections, the unanswered requests of each, and the chunks of
 * a body. When there are too many connections, the one whose last request is the oldest is closed, so that nobody can keep
 * others away with idle ones, or with bodies that never come. A connection whose request has arrived and is being answered
 * stays. A connection with too many unanswered requests is closed, too; a client that pipelines must expect that and send again
 * (RFC 9112, section 9.3.2).
 */
export function boundConnections(
  server: Server,
  answer: RequestListener,
  { connections, pipelined }: Pick<ConnectionBounds, 'connections' | 'pipelined'>,
): void {
  /** Answers that each connection waits for. The connection whose last request is the oldest is the first one. */
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

/** False for an answer that waits for the client: for the rest of its request, or until it reads what was written. */
const isBeingMade = ({ req, writableEnded, writableNeedDrain }: ServerResponse) =>
  req.complete && !writableEnded && !writableNeedDrain;

/**
 * Ends the connection of a body that comes in far more chunks than its bytes need: 64 KiB in chunks of one byte took 200 ms,
 * and 8 ms in one. A connection is not used again after a body in chunks, because of one that nobody reads Node would look at
 * every chunk, too. Browsers say the length of what they send, and have no such chunks.
 */
function boundChunks(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  response.shouldKeepAlive = false;
  let chunks = 0;
  let bytes = 0;
  const push = request.push.bind(request);
  // The parser calls this for each chunk, also while nobody reads.
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    chunks++;
    bytes += chunk.byteLength;
    if (chunks <= chunksOfAnyBody + bytes / bytesOfChunk) return push(chunk);
    request.socket.destroy();
    return false;
  };
}
