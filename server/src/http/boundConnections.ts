import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBounds } from './connectionBounds.js';

/**
 * Hands the requests of a server to a listener, and limits its connections and the unanswered requests of each. When there are
 * too many connections, the one whose last request is the oldest is closed, so that nobody can keep others away with idle
 * ones, or with bodies that never come. A connection whose request has arrived and is being answered stays. A connection with
 * too many unanswered requests is closed, too; a client that pipelines must expect that and send again (RFC 9112, section
 * 9.3.2).
 */
export function boundConnections(
  server: Server,
  answer: RequestListener,
  { connections, pipelined }: Pick<ConnectionBounds, 'connections' | 'pipelined'>,
): void {
  /** Unanswered requests of each connection. The connection whose last request is the oldest is the first one. */
  const open = new Map<Socket, Set<IncomingMessage>>();

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
    open.set(socket, unanswered.add(request));
    response.on('close', () => unanswered.delete(request));
    answer(request, response);
  });

  function findIdle(): Socket | undefined {
    for (const [socket, unanswered] of open) {
      if (![...unanswered].some(({ complete }) => complete)) return socket;
    }
    return undefined;
  }

  function close(socket: Socket): void {
    open.delete(socket);
    socket.destroy();
  }
}
