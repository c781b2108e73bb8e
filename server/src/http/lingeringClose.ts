import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Milliseconds that a client may send nothing after the answer that ends its connection. */
const silentMs = 5_000;

/**
 * Lets the answer that ends a connection reach a client that still sends its body. A socket that is closed with bytes unread
 * resets the connection: from some 2 MB on, which the system takes in, the client's write fails, and the answer is lost. So
 * only the server's half is closed, and the rest is read and forgotten, until the client closes its half, is silent, or the
 * request has taken too long.
 * @param request the newest one of its connection
 */
export function closeLingering(request: IncomingMessage): void {
  const { socket } = request;
  // Node calls this after the last answer of a connection, and Hono when a body that nobody reads takes long.
  socket.destroySoon = () => {
    if (request.complete) return Socket.prototype.destroySoon.call(socket);
    if (socket.writableEnded) return;
    socket.on('end', () => socket.destroy()).setTimeout(silentMs);
    socket.end();
    // Nothing parses what comes: a body in chunks of one byte would cost as much as one that is read. Node's own listeners wake
    // a socket that was paused for a body that nobody read, within this turn of the event loop.
    setImmediate(() => socket.removeAllListeners('data').on('data', () => {}));
    socket.resume();
  };
}
