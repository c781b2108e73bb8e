import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Bytes of a body up to which the client has written it whole before it is answered. */
const shortBytes = 65_536;
/** Milliseconds that a client may send nothing after the answer that ends its connection. */
const silentMs = 5_000;

/**
 * Lets the answer that ends a connection reach a client that still sends its body. A socket that is closed with bytes unread
 * resets the connection: from some 2 MB on, which the system takes in, the client's write fails, and the answer is lost. So
 * only the server's half is closed, and the rest is read and forgotten, until the client closes its half, is silent, or the
 * request has taken too long. A request whose body is short costs a look at its headers: where each one left a function on its
 * socket, the collector took twice the time, and the server stored a third fewer orders.
 * @param request the newest one of its connection
 */
export function closeLingering(request: IncomingMessage): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > shortBytes)) return;
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
