import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBounds } from './connectionBounds.js';

/** A request that waits for the ones before it, and its response. */
type QueuedRequest = [IncomingMessage, ServerResponse<IncomingMessage> & { req: IncomingMessage }];

/**
 * Lets each connection have one request in the app at a time. Node hands over all that a connection brings at
 * once: 1,000 connections with 32 requests each held every other client up for 5 s. Those behind the first
 * wait; a connection that brings more than `pipelined` is cut, and whoever pipelines has to expect that and
 * send again (RFC 9112, section 9.3.2).
 */
export function limitPipelining(
  answer: RequestListener,
  { pipelined }: Pick<ConnectionBounds, 'pipelined'>,
): RequestListener {
  const queues = new WeakMap<Socket, QueuedRequest[]>();
  // One function for all requests: a closure for each of them, and one for its end, showed in the profile.
  const start = ([request, response]: QueuedRequest) => answer(request, response);

  function next(this: ServerResponse): void {
    const { socket } = this.req;
    const queue = queues.get(socket)!;
    queue.shift();
    // In a turn of its own: a refusal is answered at once, and a chain of them would be one long turn again.
    if (queue.length > 0 && !socket.destroyed) setImmediate(start, queue[0]!);
  }

  return function limitPipelining(request, response) {
    const { socket } = request;
    let queue = queues.get(socket);
    if (queue === undefined) {
      queue = [];
      queues.set(socket, queue);
    }
    if (queue.length >= pipelined) socket.destroy();
    if (socket.destroyed) return;
    response.on('close', next);
    queue.push([request, response]);
    if (queue.length === 1) answer(request, response);
  };
}
