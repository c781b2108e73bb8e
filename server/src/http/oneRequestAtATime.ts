import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBounds } from './connectionBounds.js';

/**
 * Lets each connection have one request in the app at a time. Node hands over all that a connection brings at
 * once: 1,000 connections with 32 requests each held every other client up for 5 s. Those behind the first
 * wait; a connection that brings more than `pipelined` is cut, and whoever pipelines has to expect that and
 * send again (RFC 9112, section 9.3.2).
 */
export function oneRequestAtATime(
  answer: RequestListener,
  { pipelined }: Pick<ConnectionBounds, 'pipelined'>,
): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return function oneRequestAtATime(request, response) {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    if (queue.length >= pipelined) socket.destroy();
    if (socket.destroyed) return;
    response.once('close', () => {
      queue.shift();
      // In a turn of its own: a refusal is answered at once, and a chain of them would be one long turn again.
      if (queue.length > 0 && !socket.destroyed) setImmediate(queue[0]!);
    });
    queues.set(socket, queue);
    queue.push(() => answer(request, response));
    if (queue.length === 1) answer(request, response);
  };
}
